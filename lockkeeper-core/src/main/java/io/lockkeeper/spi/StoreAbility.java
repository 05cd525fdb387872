package io.lockkeeper.spi;

import io.lockkeeper.UnsupportedFeatureException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What a store can do beyond the calls of {@link Store}, one interface for each ability. A store implements those that it has.
 *
 * <p><b>Invariant.</b> A store that is in use has exactly the abilities that its backend declares as {@link Capability
 * capabilities}: {@link #checked} refuses any other when it is opened. Were a declared ability missing, the first call that needs
 * it would fail in the application; were one undeclared, it would never be used, and nobody would notice.
 */
public sealed interface StoreAbility
        permits ExchangeStore,
                ExtendingStore,
                ForceReleaseStore,
                LatchStore,
                MemberStore,
                NarrowingStore,
                SemaphoreStore,
                SizeStore {

    /** All abilities that there are. */
    List<Class<? extends StoreAbility>> ALL = List.of(
            NarrowingStore.class,
            SemaphoreStore.class,
            SizeStore.class,
            LatchStore.class,
            ForceReleaseStore.class,
            ExtendingStore.class,
            ExchangeStore.class,
            MemberStore.class);

    /**
     * The store's ability of that type.
     *
     * @throws UnsupportedFeatureException if the store does not have it
     */
    static <A extends StoreAbility> A of(Store store, Class<A> type) {
        A ability = store.ability(type);
        if (ability == null) {
            throw new UnsupportedFeatureException(
                    "The store " + store.getClass().getSimpleName() + " is no " + type.getSimpleName()
                            + "; ask the capabilities of its backend before the call");
        }
        return ability;
    }

    /** Whether one of these capabilities stands for that ability, for stores whose abilities depend on how they are set up. */
    static boolean isDeclared(Class<? extends StoreAbility> type, Set<Capability> capabilities) {
        for (Capability capability : capabilities) {
            if (capability.abilities().contains(type)) {
                return true;
            }
        }
        return false;
    }

    /**
     * The store, if what it can do is what its backend declares.
     *
     * @throws IllegalStateException if an ability is declared and missing, or there and not declared; the store is closed then
     */
    static Store checked(Backend backend, Store store) {
        Set<Capability> declared = backend.capabilities();
        List<String> wrong = new ArrayList<>();
        for (Class<? extends StoreAbility> type : ALL) {
            boolean has = store.ability(type) != null;
            if (has != isDeclared(type, declared)) {
                List<Capability> meant = List.of(Capability.values()).stream()
                        .filter(capability -> capability.abilities().contains(type))
                        .toList();
                wrong.add(
                        has
                                ? "has " + type.getSimpleName() + " and declares none of " + meant
                                : "declares one of " + meant + " and has no " + type.getSimpleName());
            }
        }
        if (wrong.isEmpty()) {
            return store;
        }
        IllegalStateException refusal = new IllegalStateException("The store " + backend.describe() + " "
                + String.join(", ", wrong) + "; let its capabilities and the interfaces of its store agree");
        try {
            store.close();
        } catch (RuntimeException alsoFailed) {
            refusal.addSuppressed(alsoFailed);
        }
        throw refusal;
    }
}
