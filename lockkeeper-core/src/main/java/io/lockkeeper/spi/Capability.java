package io.lockkeeper.spi;

import java.util.Set;

/** What some stores can do and others can not. */
public enum Capability {
    /** Shared claims, and turning an exclusive grant into a shared one. */
    SHARED("read-write locks", "memory, file, quorum and Redis", NarrowingStore.class),
    /** Claims for n of m permits. */
    PERMITS("semaphores", "memory, file, quorum and Redis", NarrowingStore.class, SemaphoreStore.class),
    /** Claims that wait are served in about the order of arrival, over all processes: nobody is passed over for ever. */
    QUEUE("an order among the processes that wait", "memory, file and Redis"),
    /** A queue in the order of arrival over all processes. */
    FAIR("fair locks", "memory and Redis"),
    /** Semaphores whose size is set in the store, by {@link SizeStore}. */
    SIZES("semaphores whose size is in the store", "memory, file and Redis", SizeStore.class),
    LATCH("count-down latches", "memory, file and Redis", LatchStore.class),
    /** A grant can be released by another keeper that knows the claim's id. */
    PORTABLE("portable holds", "memory and Redis"),
    FORCE_RELEASE("releasing by force", "memory, quorum and Redis", ForceReleaseStore.class),
    /** The grants of a keeper that is dead or cut off end without it, by the store's own clock. */
    EXPIRES("leases that end without their process", "memory, quorum and Redis"),
    /**
     * Each grant ends by the store's own clock when nobody renews it, also while its keeper lives. A store whose grants last as
     * long as a session of their keeper has EXPIRES and not this.
     */
    LEASES("leases of each grant", "memory, quorum and Redis"),
    /** A release says which keeper may be next, by a signal. */
    SIGNALS("wake-ups", "memory and Redis"),
    /** Tokens may be reserved in blocks and grants passed on inside a process. */
    HAND_OFF("hand-off inside a process", "memory, file and Redis"),
    /** An {@linkplain ExchangeStore#exchange exchange} takes no longer than a release, so that whoever releases may ask for those who wait. */
    EXCHANGE("releasing and asking in one request", "memory and Redis", ExchangeStore.class),
    /**
     * Grants may be marked as {@linkplain Claim#sticky sticky}, and whoever meets such a mark asks the keeper that has it by
     * {@link Keeper#recall}.
     */
    STICKY("sticky locks", "memory and Redis"),
    /** A grant of a fixed lease can be made to last longer, by {@link ExtendingStore#extend}. */
    EXTEND("extending of fixed leases", "memory, file and Redis", ExtendingStore.class),
    /**
     * It can be a member of a quorum: it has {@link MemberStore#raise}, says truly how long it is {@linkplain MemberStore#uptime up}, and
     * its tokens go on upwards after it lost its memory (or it never does).
     */
    VOTES("membership of a quorum", "memory and Redis", MemberStore.class);

    private final String what;
    private final String offeredBy;
    private final Set<Class<? extends StoreAbility>> abilities;

    @SafeVarargs
    Capability(String what, String offeredBy, Class<? extends StoreAbility>... abilities) {
        this.what = what;
        this.offeredBy = offeredBy;
        this.abilities = Set.of(abilities);
    }

    /** The interfaces that a store with this capability has; none if it only says how the store behaves. */
    public Set<Class<? extends StoreAbility>> abilities() {
        return abilities;
    }

    /** In words, for messages. */
    public String what() {
        return what;
    }

    /** The stores of this project that have it, for messages; only those that exist. */
    public String offeredBy() {
        return offeredBy;
    }
}
