package io.lockkeeper.spi;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A session of one keeper at its store, as the keeper may count on it: how long it surely lasts. Everything that was {@linkplain
 * Answer.Granted#session granted in} a session ends with it. The store reports the contacts that were answered; the engine looks
 * at the session whenever it looks at a grant, so that each contact moves the end of all grants at once.
 *
 * <p><b>Invariant.</b> As long as {@link #remaining} is not 0, the store has not ended the session by its own clock; once it was
 * 0 it stays so, whatever is heard later. The end is counted from when contacts were <em>sent</em>, by the clock of the keeper that
 * says that more time has passed.
 *
 * <p>In a {@linkplain #direct direct} session a contact that was answered has counted. In a {@linkplain #relayed relayed} one the
 * server that answers collects the contacts and passes them on to its leader, who ends sessions, within a quarter of the timeout.
 * So a contact has surely counted when another one was sent that long after its answer and was answered too, since only a server
 * that still reaches its leader answers. The session lasts until the earlier of
 *
 * <ul>
 *   <li>the last answered contact, as sent, + 2/3 of the timeout,
 *   <li>the last contact that has surely counted, as sent, + the timeout less a margin for clocks that run apart.
 * </ul>
 *
 * <p>What would break it:
 *
 * <ul>
 *   <li>Only the first of the two. Contacts are sent at 0 and, after a pause of the process, at 0.6 T; the server is cut off from
 *       its leader as soon as it has answered the second. The leader ends the session at T, the keeper would believe until 1.27 T.
 *   <li>Any two contacts in a row for the second. Contacts are sent at 0, 0.3 T and 0.5 T, and the server is cut off from its leader
 *       before it has passed on the last two. The leader ends the session at T. The keeper would believe until 1.17 T by the
 *       first rule, and until 1.3 T by the contact before the last.
 *   <li>Reads, or pings that no leader sees: a server that is cut off answers them for a while.
 *   <li>A contact whose answer comes after the end: holders were told already, and another keeper may hold the resource.
 * </ul>
 *
 * <p><b>Threads.</b> All methods may be called from any thread; none blocks.
 */
public final class Session {

    private enum Kind {
        DIRECT,
        RELAYED
    }

    private final Kind kind;
    private final Duration timeout;
    /** A contact that has surely counted gives this much, in nanoseconds. */
    private final long whole;
    /** The last contact of a relayed session gives this much at most. */
    private final long most;
    /** A contact has surely counted when another one was sent this long after its answer. */
    private final long relay;

    /** Held while the contacts change; they are read without it. */
    private final ReentrantLock lock = new ReentrantLock();

    private volatile Contacts contacts;
    private volatile boolean doubted;
    /** Never taken back. */
    private volatile boolean over;

    private volatile boolean ended;

    private Session(Kind kind, Duration timeout, Moment openedAt) {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("A session has a timeout of more than 0, not " + timeout);
        }
        this.kind = kind;
        this.timeout = timeout;
        long nanos = timeout.toNanos();
        this.whole = LeaseTimes.usable(timeout).toNanos();
        this.most = nanos / 3 * 2;
        // A quarter, and something for clocks that run apart.
        this.relay = nanos / 100 * 26;
        this.contacts = new Contacts(openedAt, openedAt, List.of());
    }

    /**
     * A session that was just opened at a store whose servers pass contacts on to a leader, such as ZooKeeper. That it was opened
     * has counted at once.
     *
     * @param timeout after which the store ends the session if it hears nothing, as the store itself said
     * @param openedAt just before the request to open it was sent
     */
    public static Session relayed(Duration timeout, Moment openedAt) {
        return new Session(Kind.RELAYED, timeout, openedAt);
    }

    /**
     * A session that was just opened at a store where a contact counts as soon as it is answered.
     *
     * @param timeout after which the store ends the session if it hears nothing, as the store itself said
     * @param openedAt just before the request to open it was sent
     */
    public static Session direct(Duration timeout, Moment openedAt) {
        return new Session(Kind.DIRECT, timeout, openedAt);
    }

    /** After which time without a contact the store ends it. */
    public Duration timeout() {
        return timeout;
    }

    /**
     * How long after the answer to a contact the store sends the next one, whether anything is held or not; it repeats one that was
     * not answered at once. In a relayed session that is just long enough to prove that the contact before it has counted: about
     * four in the time of the timeout. With a third of the timeout a few slow answers in a row would end a healthy session.
     */
    public Duration contactEvery() {
        return kind == Kind.DIRECT ? LeaseTimes.renewEvery(timeout) : Duration.ofNanos(timeout.toNanos() / 100 * 27);
    }

    /**
     * A contact was answered: a request that the store counts as a sign of life of this session, which a read is not.
     *
     * @param sentAt just before it was sent
     * @param answeredAt when the answer had come
     * @return whether the session goes on; false if it was over before, so that the store has to open another one
     */
    public boolean contacted(Moment sentAt, Moment answeredAt) {
        if (remaining(answeredAt) <= 0) {
            return false;
        }
        lock.lock();
        try {
            contacts = kind == Kind.DIRECT ? contacts.direct(sentAt) : contacts.relayed(sentAt, answeredAt, relay);
        } finally {
            lock.unlock();
        }
        doubted = false;
        // Another thread may have seen the old end pass just before: that stands.
        return !over;
    }

    /** The store cannot be reached just now: what is held is uncertain until the next contact. */
    public void doubt() {
        doubted = true;
    }

    /** The store has ended it. After that the store calls {@link Keeper#signalAll}, so that holders are told at once. */
    public void end() {
        ended = true;
        over = true;
    }

    /** Whether the store itself has said that it ended. */
    public boolean isEnded() {
        return ended;
    }

    /** Nanoseconds for which it surely lasts if nothing more is heard; 0 once that has passed, for good. */
    public long remaining(Moment now) {
        if (over) {
            return 0;
        }
        Contacts known = contacts;
        long left = whole - now.since(known.counted);
        if (kind == Kind.RELAYED) {
            left = Math.min(left, most - now.since(known.last));
        }
        if (left <= 0) {
            over = true;
            return 0;
        }
        return left;
    }

    /** Whether it is over for this keeper, whatever the store says. */
    public boolean isOver(Moment now) {
        return remaining(now) <= 0;
    }

    /** Whether a contact that was due was not answered, or the store cannot be reached. */
    public boolean isUncertain(Moment now) {
        return doubted || now.since(contacts.last) > timeout.toNanos() / 2;
    }

    /** When it will be over by the monotonic clock, if nothing more is heard. */
    public long deadline() {
        Contacts known = contacts;
        if (over) {
            return known.counted.mono();
        }
        long end = known.counted.mono() + whole;
        return kind == Kind.RELAYED ? Math.min(end, known.last.mono() + most) : end;
    }

    /** A contact that may not have counted yet. */
    private record Contact(Moment sentAt, Moment answeredAt) {}

    /**
     * The contacts that were answered.
     *
     * @param counted when the last one was sent that has surely counted
     * @param last when the last one was sent
     * @param uncounted those since that may not have counted, in order
     */
    private record Contacts(Moment counted, Moment last, List<Contact> uncounted) {

        Contacts direct(Moment sentAt) {
            return sentAt.mono() <= last.mono() ? this : new Contacts(sentAt, sentAt, List.of());
        }

        Contacts relayed(Moment sentAt, Moment answeredAt, long relay) {
            if (sentAt.mono() <= last.mono()) {
                return this;
            }
            Moment proven = counted;
            List<Contact> open = new ArrayList<>(uncounted.size() + 1);
            for (Contact contact : uncounted) {
                // By the monotonic clock alone: a wall clock that was set forward proves nothing.
                if (sentAt.mono() - contact.answeredAt.mono() >= relay) {
                    proven = contact.sentAt;
                } else {
                    open.add(contact);
                }
            }
            // Of contacts close together the first is enough, so that there are never many.
            if (open.isEmpty()
                    || sentAt.mono() - open.get(open.size() - 1).sentAt.mono() >= relay / 4) {
                open.add(new Contact(sentAt, answeredAt));
            }
            return new Contacts(proven, sentAt, List.copyOf(open));
        }
    }
}
