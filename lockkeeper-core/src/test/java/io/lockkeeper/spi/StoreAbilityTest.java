package io.lockkeeper.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.file.FileBackend;
import io.lockkeeper.memory.MemoryBackend;
import io.lockkeeper.quorum.Quorum;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a store declares is what it has, or it is not opened. */
class StoreAbilityTest {

    /** A memory store that declares these capabilities and lacks some abilities. */
    private static final class Incomplete implements Backend {

        private final Backend memory = MemoryBackend.create();
        private final Set<Capability> declared;
        private final Set<Class<? extends StoreAbility>> lacking;
        private boolean closed;

        Incomplete(Set<Capability> declared, Set<Class<? extends StoreAbility>> lacking) {
            this.declared = declared;
            this.lacking = lacking;
        }

        @Override
        public String describe() {
            return "incomplete:";
        }

        @Override
        public Set<Capability> capabilities() {
            return declared;
        }

        @Override
        public Store open(Keeper keeper) {
            Store store = memory.open(keeper);
            return new Store() {
                @Override
                public Answer attempt(Claim claim) {
                    return store.attempt(claim);
                }

                @Override
                public Release.Outcome release(Release release) {
                    return store.release(release);
                }

                @Override
                public List<Renewal> renew(List<Claim> held, Duration limit) {
                    return store.renew(held, limit);
                }

                @Override
                public Optional<ResourceState> inspect(Resource resource) {
                    return store.inspect(resource);
                }

                @Override
                public List<ResourceState> list(String prefix) {
                    return store.list(prefix);
                }

                @Override
                public String storeId() {
                    return store.storeId();
                }

                @Override
                public <A extends StoreAbility> @Nullable A ability(Class<A> type) {
                    return lacking.contains(type) ? null : store.ability(type);
                }

                @Override
                public void close() {
                    closed = true;
                    store.close();
                }
            };
        }

        @Override
        public void close() {}
    }

    static List<Class<? extends StoreAbility>> abilities() {
        return StoreAbility.ALL;
    }

    @Test
    void everyAbilityIsChecked() {
        assertThat(StoreAbility.class.getPermittedSubclasses()).containsExactlyInAnyOrderElementsOf(StoreAbility.ALL);
        assertThat(StoreAbility.ALL)
                .allSatisfy(type -> assertThat(StoreAbility.isDeclared(type, EnumSet.allOf(Capability.class)))
                        .as("a capability stands for %s", type)
                        .isTrue());
    }

    @ParameterizedTest
    @MethodSource("abilities")
    void aStoreThatLacksWhatItDeclaresIsNotOpened(Class<? extends StoreAbility> type) {
        Incomplete backend = new Incomplete(EnumSet.allOf(Capability.class), Set.of(type));
        assertThatIllegalStateException()
                .isThrownBy(() -> Lockkeeper.of(backend))
                .withMessageContaining("The store incomplete: declares one of ")
                .withMessageContaining("and has no " + type.getSimpleName());
        assertThat(backend.closed).isTrue();
    }

    @ParameterizedTest
    @MethodSource("abilities")
    void aStoreThatHasWhatItDoesNotDeclareIsNotOpened(Class<? extends StoreAbility> type) {
        Set<Capability> declared = EnumSet.allOf(Capability.class);
        declared.removeIf(capability -> capability.abilities().contains(type));
        Incomplete backend = new Incomplete(declared, Set.of());
        assertThatIllegalStateException()
                .isThrownBy(() -> Lockkeeper.of(backend))
                .withMessageContaining("has " + type.getSimpleName() + " and declares none of ");
        assertThat(backend.closed).isTrue();
    }

    @Test
    void theMandatoryCallsAloneMakeAStore() throws Exception {
        Incomplete backend =
                new Incomplete(EnumSet.of(Capability.LEASES, Capability.HOLDERS), Set.copyOf(StoreAbility.ALL));
        try (Lockkeeper keeper = Lockkeeper.of(backend)) {
            keeper.lock("orders/42").acquire().close();
            assertThat(keeper.lock("orders/42").acquire().release()).isNotNull();
            assertThat(keeper.list("")).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aMemberOfAQuorumIsCheckedToo(Capability capability) {
        // A quorum opens what members it can; a member that lies about itself is none of them.
        Set<Class<? extends StoreAbility>> lacking = capability.abilities();
        Backend[] members = {
            new Incomplete(EnumSet.allOf(Capability.class), lacking),
            new Incomplete(EnumSet.allOf(Capability.class), lacking),
            MemoryBackend.create()
        };
        if (lacking.isEmpty()) {
            Lockkeeper.of(Quorum.of(members)).close();
        } else {
            assertThat(catchThrowable(() -> Lockkeeper.of(Quorum.of(members)))).hasStackTraceContaining("agree");
        }
    }

    @Test
    void theStoresOfThisModuleDeclareWhatTheyHave(@TempDir Path folder) {
        Lockkeeper.of(MemoryBackend.create()).close();
        Lockkeeper.of(FileBackend.in(folder)).close();
        Lockkeeper.of(Quorum.of(MemoryBackend.create(), MemoryBackend.create(), MemoryBackend.create()))
                .close();
    }
}
