package io.lockkeeper.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** Tells a native image about the annotations, whose attributes are read by reflection. */
final class LockkeeperHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
        hints.reflection()
                .registerType(Locked.class, MemberCategory.INVOKE_DECLARED_METHODS)
                .registerType(Locked.All.class, MemberCategory.INVOKE_DECLARED_METHODS)
                .registerType(Limited.class, MemberCategory.INVOKE_DECLARED_METHODS)
                .registerType(Limited.All.class, MemberCategory.INVOKE_DECLARED_METHODS)
                .registerType(LeaderOnly.class, MemberCategory.INVOKE_DECLARED_METHODS);
    }
}
