package io.lockkeeper.testkit.sim;

import io.lockkeeper.Loss;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
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
 * A keeper's way to a server of sessions, as a backend for ZooKeeper or etcd would go it. What is held is promised from when
 * the last answered <em>write</em> of the session was sent, for two thirds of its time-out. With every contact the keeper
 * lists what its session owns: a grant that is not there is lost, a node of no known claim is deleted. A session that was
 * out of touch for that long is replaced by a new one, with other nodes.
 *
 * <p>A contact that was not answered is tried again soon, not when the next one is due: other requests may be answered in
 * between and keep the session alive, and with it a late request's node that nobody knows, for as long as the contacts
 * happen to meet a store that is out of reach.
 */
final class SessionLink implements StoreLink {

    private static final long SECOND = 1_000_000_000L;

    private final SimWorld world;
    private final SimKeeper keeper;
    private final Supplier<SessionServer> server;
    private final Duration promise;
    private final long beat;
    private final Map<String, Long> grantedIn = new HashMap<>();
    private long session;
    private @Nullable Moment contactAt;
    private boolean beating;

    SessionLink(SimWorld world, SimKeeper keeper, Supplier<SessionServer> server) {
        this.world = world;
        this.keeper = keeper;
        this.server = server;
        this.promise = world.plan.lease().multipliedBy(2).dividedBy(3);
        this.beat = world.plan.lease().toNanos() / 3;
    }

    @Override
    public boolean concerns(String sentAs) {
        return keeper.knows(sentAs);
    }

    /** Whether that is its session now. */
    boolean uses(long id) {
        return session == id;
    }

    // ------------------------------------------------------------------------------------------------------ the
    // session

    private void giveUpIfOutOfTouch() {
        Moment last = contactAt;
        if (session != 0 && last != null && keeper.now().since(last) >= promise.toNanos()) {
            session = 0;
            contactAt = null;
        }
    }

    /** Asks within a session; opens one first if there is none. */
    private <T> void ask(long limit, Function<Long, @Nullable T> request, Reply<T> reply) {
        giveUpIfOutOfTouch();
        if (session != 0) {
            askIn(session, limit, request, reply);
            return;
        }
        Moment sentAt = keeper.now();
        call(limit, () -> server.get().open(), new Reply<Long>() {
            @Override
            public void answered(Long opened) {
                if (session == 0) {
                    session = opened;
                    contactAt = sentAt;
                    beat();
                }
                askIn(session, limit, request, reply);
            }

            @Override
            public void failed(RuntimeException failure) {
                reply.failed(failure);
            }
        });
    }

    private <T> void askIn(long mine, long limit, Function<Long, @Nullable T> request, Reply<T> reply) {
        Moment sentAt = keeper.now();
        call(limit, () -> new Held<>(request.apply(mine)), new Reply<Held<T>>() {
            @Override
            public void answered(Held<T> answer) {
                T value = answer.value;
                if (value == null || session != mine) {
                    if (session == mine) {
                        session = 0;
                        contactAt = null;
                    }
                    reply.failed(new StoreUnavailableException("the session ended"));
                } else {
                    contactAt = sentAt;
                    reply.answered(value);
                }
            }

            @Override
            public void failed(RuntimeException failure) {
                reply.failed(failure);
            }
        });
    }

    private record Held<T>(@Nullable T value) {}

    private <T> void call(long limit, Supplier<T> request, Reply<T> reply) {
        world.network.call(keeper.machine, server.get(), limit, request, reply);
    }

    /** Keeps the session alive, whether anything is held or not, and looks what it owns. */
    private void beat() {
        if (!beating) {
            beating = true;
            beatIn(beat);
        }
    }

    private void beatIn(long pause) {
        keeper.timer(keeper.now().mono() + pause, () -> {
            if (session == 0) {
                beating = false;
            } else {
                long limit = Math.min(beat, SECOND);
                contact(limit, owned -> beatIn(owned == null ? limit : beat));
            }
        });
    }

    /** One contact with the list of what the session owns behind it. */
    private void contact(long limit, Consumer<@Nullable Set<String>> then) {
        giveUpIfOutOfTouch();
        long mine = session;
        if (mine == 0) {
            then.accept(Set.of());
            return;
        }
        askIn(mine, limit, this::touchAndList, new Reply<List<SessionServer.Node>>() {
            @Override
            public void answered(List<SessionServer.Node> nodes) {
                Set<String> owned = new HashSet<>();
                for (SessionServer.Node node : nodes) {
                    owned.add(node.claimId);
                    if (!keeper.knows(node.claimId) && !world.has(PlantedBug.NO_RECONCILING)) {
                        world.schedule.trace(() -> keeper.id + " deletes the node of " + node.claimId);
                        call(SECOND, () -> deleted(node), ignoring());
                    }
                }
                then.accept(owned);
            }

            @Override
            public void failed(RuntimeException failure) {
                then.accept(session == mine ? null : Set.of());
            }
        });
    }

    private @Nullable List<SessionServer.Node> touchAndList(long mine) {
        boolean alive = world.has(PlantedBug.READS_COUNT_AS_CONTACT)
                ? server.get().readContact(mine)
                : server.get().contact(mine);
        if (!alive) {
            return null;
        }
        List<SessionServer.Node> holding = new ArrayList<>();
        for (SessionServer.Node node : server.get().owned(mine)) {
            holding.add(node);
        }
        return holding;
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
        ask(claim.timeout().toNanos(), in -> server.get().attempt(keeper.id, in, claim, promise), new Reply<Answer>() {
            @Override
            public void answered(Answer answer) {
                if (answer instanceof Answer.Granted) {
                    grantedIn.put(claim.id(), session);
                }
                reply.answered(answer);
            }

            @Override
            public void failed(RuntimeException failure) {
                reply.failed(failure);
            }
        });
    }

    @Override
    public void release(Release release, Reply<Release.Outcome> reply) {
        grantedIn.remove(release.claimId());
        call(release.timeout().toNanos(), () -> server.get().release(keeper.id, release.claimId()), reply);
    }

    @Override
    public void renew(List<Claim> held, Reply<List<Renewal>> reply) {
        contact(held.get(0).timeout().toNanos(), owned -> {
            if (owned == null) {
                reply.failed(new StoreUnavailableException("no answer"));
                return;
            }
            List<Renewal> answers = new ArrayList<>();
            for (Claim claim : held) {
                Long in = grantedIn.get(claim.id());
                if (in == null || in != session) {
                    answers.add(new Renewal.Gone(Loss.Reason.SESSION_ENDED));
                } else if (!owned.contains(claim.id())) {
                    answers.add(new Renewal.Gone(Loss.Reason.TAKEN));
                } else {
                    answers.add(new Renewal.Kept(promise, false));
                }
            }
            reply.answered(answers);
        });
    }

    @Override
    public void narrow(Claim held, Mode to, Reply<Boolean> reply) {
        long mine = session;
        call(held.timeout().toNanos(), () -> server.get().narrow(mine, held.id(), to), reply);
    }
}
