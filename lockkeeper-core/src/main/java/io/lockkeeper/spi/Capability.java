package io.lockkeeper.spi;

import java.util.List;
import java.util.Set;

/**
 * What some stores can do and others cannot. A capability with {@linkplain #abilities() interfaces} is had by a store that
 * implements them; the others say how a store behaves.
 */
public enum Capability {
    /** Shared claims, and turning an exclusive grant into a shared one. */
    SHARED("read-write locks"),
    /** Claims for n of m permits. */
    PERMITS("semaphores"),
    /** Waiting claims are served in about the order of arrival, over all processes: none is passed over forever. */
    QUEUE("an order among the processes that wait"),
    /** Waiting claims are served in the order of arrival over all processes. */
    FAIR("fair locks"),
    /** Semaphores whose size is set in the store, by {@link SizeStore}. */
    SIZES("semaphores whose size is in the store"),
    /** Latches, by {@link LatchStore}. */
    LATCH("count-down latches"),
    /** A grant can be released by another keeper that knows the claim's id. */
    PORTABLE("portable holds"),
    /** Grants of keepers that live can be ended, by {@link ForceReleaseStore}. */
    FORCE_RELEASE("releasing by force"),
    /** The grants of a keeper that is dead or cut off end without it, by the store's own clock. */
    EXPIRES("leases that end without their process"),
    /**
     * Each grant ends by the store's own clock when nobody renews it, also while its keeper lives. A store whose grants last as
     * long as a session of their keeper has EXPIRES and not this.
     */
    LEASES("leases of each grant"),
    /**
     * Any keeper sees what is held: {@link Store#list} names it all, and {@link Store#inspect} says which keeper and thread holds it
     * under which token. A store that cannot say this inspects its own keeper's grants, and of others says only that there are some.
     */
    HOLDERS("list of what is held and by whom"),
    /** A release signals the keeper whose claim may be next. */
    SIGNALS("wake-ups"),
    /** A grant may have several tokens, so that it can be handed on inside a process. */
    HAND_OFF("hand-off inside a process"),
    /** An {@linkplain ExchangeStore#exchange exchange} takes no longer than a release, so that a release may carry the attempt of a waiter. */
    EXCHANGE("a release and an attempt in one request"),
    /**
     * Grants may be marked as {@linkplain Claim#sticky sticky}; an attempt that meets such a grant recalls it from its keeper by
     * {@link Keeper#recall}.
     */
    STICKY("sticky locks"),
    /** A grant of a fixed lease can be made to last longer, by {@link ExtendingStore#extend}. */
    EXTEND("extending of fixed leases"),
    /**
     * The store can be a member of a quorum: it has {@link MemberStore#raise}, says truly how long it is {@linkplain
     * MemberStore#uptime up}, and its tokens go on upwards after it lost its memory, or it never loses it.
     */
    VOTES("membership of a quorum");

    private final String what;

    Capability(String what) {
        this.what = what;
    }

    /** The interfaces that a store with this capability has; none if it only says how the store behaves. */
    public Set<Class<? extends StoreAbility>> abilities() {
        return switch (this) {
            case SHARED -> Set.of(NarrowingStore.class);
            case PERMITS -> Set.of(NarrowingStore.class, SemaphoreStore.class);
            case SIZES -> Set.of(SizeStore.class);
            case LATCH -> Set.of(LatchStore.class);
            case FORCE_RELEASE -> Set.of(ForceReleaseStore.class);
            case EXCHANGE -> Set.of(ExchangeStore.class);
            case EXTEND -> Set.of(ExtendingStore.class);
            case VOTES -> Set.of(MemberStore.class);
            case QUEUE, FAIR, PORTABLE, EXPIRES, LEASES, HOLDERS, SIGNALS, HAND_OFF, STICKY -> Set.of();
        };
    }

    /** The capability in words, for messages. */
    public String what() {
        return what;
    }

    /**
     * The stores that have it, for messages: those of the providers on the class path, and of this project's modules that are not
     * on it, such as "memory, quorum and Redis (io.lockkeeper:lockkeeper-redis)".
     */
    public String offeredBy() {
        List<String> names = KnownStores.with(this);
        int last = names.size() - 1;
        return last < 1
                ? String.join("", names)
                : String.join(", ", names.subList(0, last)) + " and " + names.get(last);
    }
}
