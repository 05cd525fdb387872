package io.lockkeeper.spi;

import java.util.List;
import java.util.Set;

/** What some stores can do and others can not. */
public enum Capability {
    /** Shared claims, and turning an exclusive grant into a shared one. */
    SHARED("read-write locks", NarrowingStore.class),
    /** Claims for n of m permits. */
    PERMITS("semaphores", NarrowingStore.class, SemaphoreStore.class),
    /** Claims that wait are served in about the order of arrival, over all processes: nobody is passed over for ever. */
    QUEUE("an order among the processes that wait"),
    /** A queue in the order of arrival over all processes. */
    FAIR("fair locks"),
    /** Semaphores whose size is set in the store, by {@link SizeStore}. */
    SIZES("semaphores whose size is in the store", SizeStore.class),
    LATCH("count-down latches", LatchStore.class),
    /** A grant can be released by another keeper that knows the claim's id. */
    PORTABLE("portable holds"),
    FORCE_RELEASE("releasing by force", ForceReleaseStore.class),
    /** The grants of a keeper that is dead or cut off end without it, by the store's own clock. */
    EXPIRES("leases that end without their process"),
    /**
     * Each grant ends by the store's own clock when nobody renews it, also while its keeper lives. A store whose grants last as
     * long as a session of their keeper has EXPIRES and not this.
     */
    LEASES("leases of each grant"),
    /** A release says which keeper may be next, by a signal. */
    SIGNALS("wake-ups"),
    /** Tokens may be reserved in blocks and grants passed on inside a process. */
    HAND_OFF("hand-off inside a process"),
    /** An {@linkplain ExchangeStore#exchange exchange} takes no longer than a release, so that whoever releases may ask for those who wait. */
    EXCHANGE("releasing and asking in one request", ExchangeStore.class),
    /**
     * Grants may be marked as {@linkplain Claim#sticky sticky}, and whoever meets such a mark asks the keeper that has it by
     * {@link Keeper#recall}.
     */
    STICKY("sticky locks"),
    /** A grant of a fixed lease can be made to last longer, by {@link ExtendingStore#extend}. */
    EXTEND("extending of fixed leases", ExtendingStore.class),
    /**
     * It can be a member of a quorum: it has {@link MemberStore#raise}, says truly how long it is {@linkplain MemberStore#uptime up}, and
     * its tokens go on upwards after it lost its memory (or it never does).
     */
    VOTES("membership of a quorum", MemberStore.class);

    private final String what;
    @SuppressWarnings("ImmutableEnumChecker") // Set.of is immutable.
    private final Set<Class<? extends StoreAbility>> abilities;

    @SafeVarargs
    @SuppressWarnings("varargs") // Set.of copies the array and keeps no reference to it.
    Capability(String what, Class<? extends StoreAbility>... abilities) {
        this.what = what;
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
