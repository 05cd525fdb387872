package io.lockkeeper.spring;

import io.lockkeeper.Hold;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotation;

/** Reads an annotation into a {@link LockRule}. What cannot work is refused here, when the application starts, in one sentence. */
final class RuleReader {

    private final Beans beans;
    private final Supplier<LockkeeperSettings> settings;
    private final boolean canFence;

    /** @param canFence whether the classes for fenced commits are there */
    RuleReader(Beans beans, Supplier<LockkeeperSettings> settings, boolean canFence) {
        this.beans = beans;
        this.settings = settings;
        this.canFence = canFence;
    }

    LockedMethod method(Method method, List<LockRule> rules) {
        List<Integer> holdParameters = new ArrayList<>();
        for (int i = 0; i < method.getParameterCount(); i++) {
            if (Hold.class.isAssignableFrom(method.getParameterTypes()[i])) {
                holdParameters.add(i);
            }
        }
        LockedMethod locked =
                new LockedMethod(method, List.copyOf(rules), MethodTraits.style(method), List.copyOf(holdParameters));
        MethodTraits.check(locked);
        return locked;
    }

    LockRule read(MergedAnnotation<?> annotation, Method method, Class<?> type) {
        Attributes attributes = new Attributes(annotation, method);
        boolean semaphore = annotation.getType() == Limited.class;
        WhenBusy whenBusy = attributes.value("whenBusy", WhenBusy.class);
        LockKind kind = semaphore ? LockKind.PLAIN : attributes.value("kind", LockKind.class);
        Duration lease = attributes.time("lease");
        Duration fixedLease = attributes.time("fixedLease");
        if (lease != null && fixedLease != null) {
            throw attributes.wrong("has a lease and a fixedLease", "keep one of them");
        }
        Duration atLeast = attributes.time("atLeast");
        return new LockRule(
                attributes.names().toString(),
                names(attributes, method),
                kind,
                semaphore ? permits(attributes) : 0,
                waitFor(attributes, whenBusy),
                lease,
                fixedLease,
                attributes.text("keeper"),
                Templates.condition(attributes.text("condition"), method),
                atLeast == null ? Duration.ZERO : atLeast,
                whenBusy,
                fallback(attributes, whenBusy, method, type),
                attributes.value("onLost", OnLost.class),
                semaphore ? null : fence(attributes, kind, method),
                MethodTraits.hasOwnTransaction(method));
    }

    private LockNames names(Attributes attributes, Method method) {
        String resolver = attributes.text("resolver");
        List<String> names = attributes.names();
        if (names.isEmpty() == resolver.isEmpty()) {
            throw attributes.wrong(
                    names.isEmpty() ? "has no name" : "has a name and a resolver",
                    "give it a name such as \"order:#{#order.id}\", or a resolver");
        }
        return resolver.isEmpty() ? Templates.names(names, method) : new LockNames.Resolved(resolver, beans);
    }

    private @Nullable Duration waitFor(Attributes attributes, WhenBusy whenBusy) {
        String text = attributes.text("waitFor");
        if (text.equals(TimeText.FOREVER)) {
            return null;
        }
        if (!text.isEmpty()) {
            return TimeText.parse(text, attributes.place("waitFor"));
        }
        return whenBusy == WhenBusy.THROW ? settings.get().waitFor().orElse(null) : Duration.ZERO;
    }

    private static int permits(Attributes attributes) {
        String text = attributes.text("permitsText");
        int permits = attributes.annotation.getInt("permits");
        try {
            int number = text.isEmpty() ? permits : Integer.parseInt(text.strip());
            if (number >= 1 && (text.isEmpty() || permits == 0)) {
                return number;
            }
        } catch (NumberFormatException noNumber) {
            // The sentence below.
        }
        throw attributes.wrong(
                "has permits = " + permits + (text.isEmpty() ? "" : " and permitsText = \"" + text + "\""),
                "give it one number, at least 1");
    }

    private static @Nullable Method fallback(Attributes attributes, WhenBusy whenBusy, Method method, Class<?> type) {
        String name = attributes.text("fallback");
        if ((whenBusy == WhenBusy.FALLBACK) == name.isEmpty()) {
            throw attributes.wrong(
                    name.isEmpty() ? "has whenBusy = FALLBACK without a method" : "has a fallback but another whenBusy",
                    "set both or none");
        }
        return name.isEmpty() ? null : Fallbacks.find(name, method, type);
    }

    private @Nullable String fence(Attributes attributes, LockKind kind, Method method) {
        String name = attributes.text("fence");
        if (name.isEmpty()) {
            return settings.get().isAlwaysFenced()
                            && kind != LockKind.READ
                            && canFence
                            && !MethodTraits.isReactive(method)
                    ? ""
                    : null;
        }
        if (kind == LockKind.READ) {
            throw attributes.wrong(
                    "fences a read lock", "readers share the lock, so their tokens order nothing: use WRITE");
        }
        if (MethodTraits.isReactive(method)) {
            throw attributes.wrong("fences a method of Reactor", "fenced commits need JDBC transactions, which block");
        }
        if (!canFence) {
            throw attributes.wrong("has a fence", "add lockkeeper-jdbc and spring-jdbc to the application");
        }
        return name;
    }

    /** The attributes of an annotation, with their placeholders replaced. */
    private final class Attributes {

        private final MergedAnnotation<?> annotation;
        private final Method method;

        Attributes(MergedAnnotation<?> annotation, Method method) {
            this.annotation = annotation;
            this.method = method;
        }

        String text(String attribute) {
            return beans.resolve(annotation.getString(attribute));
        }

        List<String> names() {
            Object written = annotation.getValue("name").orElse("");
            String[] all = written instanceof String one ? new String[] {one} : (String[]) written;
            return Arrays.stream(all)
                    .map(beans::resolve)
                    .filter(name -> !name.isEmpty())
                    .toList();
        }

        @Nullable
        Duration time(String attribute) {
            String text = text(attribute);
            return text.isEmpty() ? null : TimeText.parse(text, place(attribute));
        }

        <E extends Enum<E>> E value(String attribute, Class<E> type) {
            return annotation.getEnum(attribute, type);
        }

        String place(String attribute) {
            return "@" + annotation.getType().getSimpleName() + " of " + LockedMethod.place(method) + ": " + attribute;
        }

        IllegalStateException wrong(String what, String remedy) {
            return new IllegalStateException("@" + annotation.getType().getSimpleName() + " of "
                    + LockedMethod.place(method) + " " + what + "; " + remedy);
        }
    }
}
