package io.lockkeeper.testkit.sim;

import io.lockkeeper.Loss;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.spi.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A keeper's way to a server of sessions, as the stores for ZooKeeper and etcd go it, with the {@link Session} of the library. Only
 * contacts count for it, by when they were sent. With every contact the keeper lists what its session owns: a grant that is not
 * there is lost, a node of no known claim is deleted. A session that is over is given up, and the next one has other nodes.
 *
 * <p>A contact that was not answered is tried again soon, not when the next one is due: other requests may be answered in
 * between and keep the session alive, and with it a late request's node that nobody knows, for as long as the contacts
 * happen to meet a store that is out of reach.
 */
final class SessionLink implements StoreLink {

    private static final long SECOND = 1_000_000_000L;

    /** A session that was opened, and how long it lasts. */
    private record Open(long id, Session session) {}

    private final SimWorld world;
    private final SimKeeper keeper;
    private final Supplier<SessionServer> server;
    /** Null if the leader is reached directly. */
    private final @Nullable Follower follower;

    private final Duration timeout;
    /** By claim, the session in which it was granted. */
    private final Map<String, Long> grantedIn = new HashMap<>();

    private @Nullable Open open;
    private boolean beating;

    SessionLink(SimWorld world, SimKeeper keeper, Supplier<SessionServer> server, @Nullable Follower follower) {
        this.world = world;
        this.keeper = keeper;
        this.server = server;
        this.follower = follower;
        this.timeout = world.plan.session();
    }

    @Override
    public boolean concerns(String sentAs) {
        return keeper.knows(sentAs);
    }

    /** Whether that is its session now. */
    boolean uses(long id) {
        return open != null && open.id == id;
    }

    // ----------------------------------------------------------------------------------------------------- the session

    /** The session that is used; null if there is none, or if it is over and was given up. */
    private @Nullable Open current() {
        Open last = open;
        if (last != null && last.session.isOver(keeper.now())) {
            open = null;
            call(SECOND, last.id, () -> closed(last.id), ignoring());
        }
        return open;
    }

    private boolean closed(long id) {
        server.get().close(id);
        return true;
    }

    /** The store says that it has ended a session: every holder in it is told at once. */
    private void ended(Open over) {
        if (!uses(over.id)) {
            return;
        }
        open = null;
        if (!world.has(PlantedBug.SESSION_END_NOT_TOLD)) {
            over.session.end();
            keeper.signalAll();
        }
        grantedIn.forEach((claimId, session) -> {
            if (session == over.id && keeper.counts(claimId)) {
                throw new Violation(
                        "I3", keeper.id + " knows that its session ended, and " + claimId + " counts on it still");
            }
        });
    }

    private Session opened(Moment sentAt) {
        if (world.has(PlantedBug.LAST_CONTACT_IS_ENOUGH)) {
            return Session.direct(timeout.multipliedBy(2).dividedBy(3), sentAt);
        }
        boolean direct = follower == null || world.has(PlantedBug.RELAYED_TAKEN_FOR_DIRECT);
        return direct ? Session.direct(timeout, sentAt) : Session.relayed(timeout, sentAt);
    }

    /** Asks within a session; opens one first if there is none. */
    private <T> void ask(long limit, Function<Long, @Nullable T> request, InSession<T> reply) {
        Open now = current();
        if (now != null) {
            askIn(now, limit, request, reply);
            return;
        }
        Moment sentAt = keeper.now();
        call(limit, 0, () -> server.get().open(), new Reply<Long>() {
            @Override
            public void answered(Long id) {
                Open used = current();
                if (used == null) {
                    used = new Open(id, opened(sentAt));
                    open = used;
                    beat();
                }
                askIn(used, limit, request, reply);
            }

            @Override
            public void failed(RuntimeException failure) {
                reply.failed(failure);
            }
        });
    }

    private <T> void askIn(Open mine, long limit, Function<Long, @Nullable T> request, InSession<T> reply) {
        call(limit, mine.id, () -> new Held<>(request.apply(mine.id)), new Reply<Held<T>>() {
            @Override
            public void answered(Held<T> answer) {
                T value = answer.value;
                if (value == null) {
                    ended(mine);
                }
                if (value == null || current() == null || !uses(mine.id)) {
                    reply.failed(new StoreUnavailableException("the session ended"));
                } else {
                    reply.answered(mine, value);
                }
            }

            @Override
            public void failed(RuntimeException failure) {
                reply.failed(failure);
            }
        });
    }

    private record Held<T>(@Nullable T value) {}

    /** Receives what was answered, and in which session. */
    private interface InSession<T> {
        void answered(Open in, T answer);

        void failed(RuntimeException failure);
    }

    /** @param session whose request it is; 0 for none */
    private <T> void call(long limit, long session, Supplier<T> request, Reply<T> reply) {
        Follower between = follower;
        world.network.call(
                keeper.machine,
                server.get(),
                limit,
                between == null ? request : () -> between.pass(session, request),
                reply);
    }

    /** Keeps the session alive, whether anything is held or not, and looks what it owns. */
    private void beat() {
        if (!beating) {
            beating = true;
            beatIn(beat(open));
        }
    }

    private long beat(@Nullable Open used) {
        return (used == null ? timeout.dividedBy(4) : used.session.contactEvery()).toNanos();
    }

    private void beatIn(long pause) {
        keeper.timer(keeper.now().mono() + pause, () -> {
            Open mine = current();
            if (mine == null) {
                beating = false;
            } else {
                long limit = Math.min(beat(mine), SECOND) / 2;
                boolean looks = !world.has(PlantedBug.RECONCILED_ONLY_WHEN_RENEWED);
                contact(limit, looks, owned -> beatIn(owned == null ? SECOND / 20 : beat(mine)));
            }
        });
    }

    /**
     * One contact with the list of what the session owns behind it.
     *
     * @param then gets the ids of the claims that it has; null if there was no answer
     */
    private void contact(long limit, boolean reconciling, Consumer<@Nullable Set<String>> then) {
        Open mine = current();
        if (mine == null) {
            then.accept(Set.of());
            return;
        }
        Moment sentAt = keeper.now();
        Reply<Held<List<SessionServer.Node>>> reply = new Reply<>() {
            @Override
            public void answered(Held<List<SessionServer.Node>> answer) {
                List<SessionServer.Node> nodes = answer.value;
                if (nodes == null) {
                    ended(mine);
                } else if (current() != null && uses(mine.id)) {
                    boolean late = world.has(PlantedBug.CONTACT_COUNTED_FROM_REPLY);
                    mine.session.contacted(late ? keeper.now() : sentAt, keeper.now());
                    then.accept(looked(mine, nodes, reconciling));
                    return;
                }
                then.accept(Set.of());
            }

            @Override
            public void failed(RuntimeException failure) {
                then.accept(uses(mine.id) ? null : Set.of());
            }
        };
        Follower between = follower;
        if (between != null && world.has(PlantedBug.READS_COUNT_AS_CONTACT)) {
            world.network.call(keeper.machine, server.get(), limit, () -> new Held<>(between.read(mine.id)), reply);
        } else {
            call(limit, mine.id, () -> new Held<>(server.get().contact(mine.id)), reply);
        }
    }

    private Set<String> looked(Open mine, List<SessionServer.Node> nodes, boolean reconciling) {
        Set<String> owned = new HashSet<>();
        for (SessionServer.Node node : nodes) {
            owned.add(node.claimId);
            if (reconciling && !keeper.knows(node.claimId) && !world.has(PlantedBug.NO_RECONCILING)) {
                world.schedule.trace(() -> keeper.id + " deletes the node of " + node.claimId);
                call(SECOND, mine.id, () -> deleted(node), ignoring());
            }
        }
        return owned;
    }

    private boolean deleted(SessionServer.Node node) {
        server.get().delete(node);
        return true;
    }

    private static Reply<Boolean> ignoring() {
        return new Reply<>() {
            @Override
            public void answered(Boolean answer) {}

            @Override
            public void failed(RuntimeException failure) {}
        };
    }

    // ------------------------------------------------------------------------------------------------------ the calls

    @Override
    public void attempt(Claim claim, Reply<Answer> reply) {
        long limit = claim.timeout().toNanos();
        ask(limit, in -> server.get().attempt(keeper.id, in, claim), new InSession<Answer>() {
            @Override
            public void answered(Open in, Answer answer) {
                if (answer instanceof Answer.Granted granted) {
                    grantedIn.put(claim.id(), in.id);
                    granted(in, limit, granted, reply);
                } else {
                    reply.answered(answer);
                }
            }

            @Override
            public void failed(RuntimeException failure) {
                reply.failed(failure);
            }
        });
    }

    /** Something is granted only in a session that lasts for a while, after another contact if need be. */
    private void granted(Open in, long limit, Answer.Granted granted, Reply<Answer> reply) {
        if (in.session.remaining(keeper.now()) >= timeout.toNanos() / 3) {
            reply.answered(promised(in, granted));
            return;
        }
        contact(limit, true, owned -> {
            if (!uses(in.id) || in.session.remaining(keeper.now()) < timeout.toNanos() / 3) {
                reply.failed(new StoreUnavailableException("the session is about to end"));
            } else {
                reply.answered(promised(in, granted));
            }
        });
    }

    private Answer promised(Open in, Answer.Granted granted) {
        if (world.has(PlantedBug.LEASE_OUTLIVES_SESSION)) {
            return granted;
        } else if (world.has(PlantedBug.PROMISED_BY_SESSION_RENEWED_BY_LEASE)) {
            return new Answer.Granted(granted.token(), granted.tokens(), shorter(granted.validity()));
        }
        return new Answer.Granted(granted.token(), granted.tokens(), granted.validity(), in.session);
    }

    private Duration shorter(Duration lease) {
        Duration most = timeout.multipliedBy(2).dividedBy(3);
        return most.compareTo(lease) < 0 ? most : lease;
    }

    @Override
    public void release(Release release, Reply<Release.Outcome> reply) {
        grantedIn.remove(release.claimId());
        long session = open == null ? 0 : open.id;
        call(release.timeout().toNanos(), session, () -> server.get().release(keeper.id, release.claimId()), reply);
    }

    @Override
    public void renew(List<Claim> held, Reply<List<Renewal>> reply) {
        contact(held.get(0).timeout().toNanos(), true, owned -> {
            if (owned == null) {
                reply.failed(new StoreUnavailableException("no answer"));
                return;
            }
            List<Renewal> answers = new ArrayList<>();
            for (Claim claim : held) {
                Long in = grantedIn.get(claim.id());
                if (in == null || !uses(in)) {
                    answers.add(new Renewal.Gone(Loss.Reason.SESSION_ENDED));
                } else if (!owned.contains(claim.id())) {
                    answers.add(new Renewal.Gone(Loss.Reason.TAKEN));
                } else {
                    boolean mistaken = world.has(PlantedBug.PROMISED_BY_SESSION_RENEWED_BY_LEASE);
                    answers.add(new Renewal.Kept(mistaken ? shorter(claim.lease()) : claim.lease(), false));
                }
            }
            reply.answered(answers);
        });
    }

    @Override
    public void narrow(Claim held, Mode to, Reply<Boolean> reply) {
        long mine = open == null ? 0 : open.id;
        call(held.timeout().toNanos(), mine, () -> server.get().narrow(mine, held.id(), to), reply);
    }
}
