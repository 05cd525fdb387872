package io.lockkeeper.testkit.sim;

import io.lockkeeper.Resource;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Exchanged;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;

/** One leased server, asked directly. */
final class LeasedSide implements StoreSide {

    private final SimWorld world;

    LeasedSide(SimWorld world) {
        this.world = world;
    }

    @Override
    public Server server(SimMachine machine) {
        return new LeasedServer(world, machine);
    }

    @Override
    public void begin() {
        if (world.remembers() && !world.plan.hot()) {
            new LatchUsers(world, world.random().split(), this::server).begin();
        }
    }

    private LeasedServer server() {
        return (LeasedServer) world.servers.get(0);
    }

    @Override
    public StoreLink link(SimKeeper keeper) {
        return new Link(keeper);
    }

    @Override
    public void check() {
        server().check();
        if (!world.has(PlantedBug.NEW_ID_ON_RETRY)) {
            world.checkBacked(server().holding());
        }
    }

    @Override
    public boolean isEmpty() {
        return server().check().isEmpty();
    }

    @Override
    public void force(Server server, Resource resource) {
        ((LeasedServer) server).forceRelease(resource);
    }

    @Override
    public OptionalLong keptFor(Resource resource, String claimId) {
        return server().keptFor(resource, claimId);
    }

    private final class Link implements StoreLink {
        private final SimKeeper keeper;
        /** For {@link PlantedBug#NEW_ID_ON_RETRY}: under which id a claim was sent last. */
        private final Map<String, String> aliases = new HashMap<>();

        private final Set<String> unanswered = new HashSet<>();
        /** Claims that were first sent along with a release. */
        private final Set<String> askedAlong = new HashSet<>();

        private int retries;

        Link(SimKeeper keeper) {
            this.keeper = keeper;
        }

        @Override
        public boolean concerns(String sentAs) {
            int retried = sentAs.indexOf('\'');
            String claimId = retried < 0 ? sentAs : sentAs.substring(0, retried);
            return alias(claimId).equals(sentAs) && keeper.knows(claimId);
        }

        private String alias(String id) {
            return aliases.getOrDefault(id, id);
        }

        @Override
        public void attempt(Claim claim, Reply<Answer> reply) {
            Claim sent = sent(claim);
            call(sent.timeout().toNanos(), () -> server().attempt(keeper.id, sent), new Reply<>() {
                @Override
                public void answered(Answer answer) {
                    reply.answered(answer);
                }

                @Override
                public void failed(RuntimeException failure) {
                    unanswered.add(claim.id());
                    reply.failed(failure);
                }
            });
        }

        private Claim sent(Claim claim) {
            if (unanswered.remove(claim.id()) && world.has(PlantedBug.NEW_ID_ON_RETRY)) {
                aliases.put(claim.id(), claim.id() + "'" + ++retries);
            }
            return SimWorld.renamed(claim, alias(claim.id()));
        }

        @Override
        public void release(Release release, Reply<Release.Outcome> reply) {
            Release sent = sent(release);
            call(sent.timeout().toNanos(), () -> server().release(keeper.id, sent), reply);
        }

        private Release sent(Release release) {
            boolean mistaken = world.has(PlantedBug.NO_TOMBSTONE)
                    || (world.has(PlantedBug.PAIR_LEAVES_NO_TOMBSTONE) && askedAlong.contains(release.claimId()));
            return new Release(
                    release.resource(),
                    alias(release.claimId()),
                    release.lease(),
                    release.unanswered() && !mistaken,
                    release.timeout());
        }

        @Override
        public void exchange(Release release, Claim next, Reply<Exchanged> reply) {
            askedAlong.add(next.id());
            if (!world.plan.pairsStayTogether()) {
                StoreLink.super.exchange(release, next, reply);
                return;
            }
            Release ended = sent(release);
            Claim asked = sent(next);
            ExchangeFate fate = world.network.fateOfPair();
            call(
                    ended.timeout().toNanos(),
                    () -> fate.meet(
                            () -> server().release(keeper.id, ended), () -> server().attemptAlong(keeper.id, asked)),
                    new Reply<>() {
                        @Override
                        public void answered(Exchanged got) {
                            if (got.attemptFailure() != null) {
                                unanswered.add(next.id());
                            }
                            reply.answered(got);
                        }

                        @Override
                        public void failed(RuntimeException failure) {
                            unanswered.add(next.id());
                            reply.failed(failure);
                        }
                    });
        }

        @Override
        public void renew(List<Claim> held, Reply<List<Renewal>> reply) {
            List<Claim> sent = held.stream()
                    .map(claim -> SimWorld.renamed(claim, alias(claim.id())))
                    .toList();
            call(held.get(0).timeout().toNanos(), () -> server().renew(sent), reply);
        }

        @Override
        public void narrow(Claim held, Mode to, Reply<Boolean> reply) {
            Claim sent = SimWorld.renamed(held, alias(held.id()));
            call(held.timeout().toNanos(), () -> server().narrow(sent, to), reply);
        }

        private <T> void call(long limit, Supplier<T> request, Reply<T> reply) {
            world.network.call(keeper.machine, server(), limit, request, reply);
        }
    }
}
