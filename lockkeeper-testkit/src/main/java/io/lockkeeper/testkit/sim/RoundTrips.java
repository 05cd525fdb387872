package io.lockkeeper.testkit.sim;

import io.lockkeeper.quorum.rounds.MemberCommand;
import io.lockkeeper.quorum.rounds.MemberReply;
import io.lockkeeper.quorum.rounds.MemberRequest;
import io.lockkeeper.quorum.rounds.Round;
import io.lockkeeper.spi.Release;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Takes the rounds of a quorum to its members and back, over the simulated network. */
final class RoundTrips {

    private static final long MILLI = 1_000_000;
    private static final long AGAIN = 500 * MILLI;

    private final SimWorld world;
    private final QuorumSide side;
    private final SimKeeper keeper;
    /** By the id that the members know: how many requests and unconfirmed ends there are, and whether it holds. */
    private final Map<String, Integer> open = new HashMap<>();

    RoundTrips(SimWorld world, QuorumSide side, SimKeeper keeper) {
        this.world = world;
        this.side = side;
        this.keeper = keeper;
    }

    /** Whether anything is under way for a claim, or it holds. */
    boolean concern(String sentAs) {
        return open.containsKey(sentAs);
    }

    void open(String sentAs, int change) {
        open.merge(sentAs, change, Integer::sum);
        open.remove(sentAs, 0);
    }

    /** Runs a round; says so as soon as it is decided, and goes on with what it still wants asked. */
    void run(Round round, long limit, Runnable decided) {
        Attendance attendance = new Attendance(round, limit, decided);
        attendance.send(round.start(keeper.now()));
        attendance.look();
    }

    private final class Attendance {
        private final Round round;
        private final long limit;
        private final Runnable decided;
        private final Set<Integer> silent = new HashSet<>();
        private boolean told;

        Attendance(Round round, long limit, Runnable decided) {
            this.round = round;
            this.limit = limit;
            this.decided = decided;
        }

        void look() {
            if (!told && round.decided()) {
                told = true;
                decided.run();
            }
        }

        void send(List<MemberRequest> requests) {
            for (MemberRequest request : requests) {
                LeasedServer member = side.member(request.member());
                String sentAs = claimOf(request.command());
                if (request.command() instanceof MemberCommand.End
                        && silent.contains(request.member())
                        && world.has(PlantedBug.SILENT_MEMBERS_NOT_RELEASED)) {
                    take(request, new MemberReply.Ended(Release.Outcome.NOT_HELD));
                    continue;
                }
                open(sentAs, 1);
                world.network.call(
                        keeper.machine,
                        member,
                        limit,
                        () -> perform(member, request.command()),
                        new StoreLink.Reply<>() {
                            @Override
                            public void answered(MemberReply reply) {
                                open(sentAs, -1);
                                take(request, reply);
                            }

                            @Override
                            public void failed(RuntimeException failure) {
                                silent.add(request.member());
                                if (request.command() instanceof MemberCommand.End end) {
                                    endLater(member, end.release(), keeper.now().mono());
                                }
                                open(sentAs, -1);
                                take(request, new MemberReply.Failed(failure, true));
                            }
                        });
            }
        }

        private void take(MemberRequest request, MemberReply reply) {
            send(round.on(request, reply, keeper.now()));
            look();
        }
    }

    private MemberReply perform(LeasedServer member, MemberCommand ask) {
        if (ask instanceof MemberCommand.Attempt attempt) {
            Duration uptime = world.has(PlantedBug.FRESH_VOTE) ? Duration.ofDays(1) : member.uptime();
            return new MemberReply.Voted(member.attempt(keeper.id, attempt.claim()), uptime);
        } else if (ask instanceof MemberCommand.Raise raise) {
            return new MemberReply.Renewed(member.raise(raise.claim(), raise.token()));
        } else if (ask instanceof MemberCommand.Renew renew) {
            return new MemberReply.Renewed(member.renew(List.of(renew.claim())).get(0));
        } else if (ask instanceof MemberCommand.Narrow narrow) {
            return new MemberReply.Narrowed(member.narrow(narrow.claim(), narrow.to()));
        }
        return new MemberReply.Ended(member.release(keeper.id, ((MemberCommand.End) ask).release()));
    }

    /** What a member did not confirm is ended when it can be reached again, or by its lease. */
    private void endLater(LeasedServer member, Release release, long since) {
        Release late = new Release(release.resource(), release.claimId(), release.lease(), true, release.timeout());
        open(late.claimId(), 1);
        keeper.machine.after(AGAIN, () -> {
            if (keeper.now().mono() - since > late.lease().plusMinutes(1).toNanos()) {
                open(late.claimId(), -1);
                return;
            }
            world.network.call(
                    keeper.machine,
                    member,
                    1_000 * MILLI,
                    () -> member.release(keeper.id, late),
                    new StoreLink.Reply<>() {
                        @Override
                        public void answered(Release.Outcome outcome) {
                            open(late.claimId(), -1);
                        }

                        @Override
                        public void failed(RuntimeException failure) {
                            endLater(member, late, since);
                            open(late.claimId(), -1);
                        }
                    });
        });
    }

    private static String claimOf(MemberCommand ask) {
        if (ask instanceof MemberCommand.Attempt attempt) {
            return attempt.claim().id();
        } else if (ask instanceof MemberCommand.Raise raise) {
            return raise.claim().id();
        } else if (ask instanceof MemberCommand.Renew renew) {
            return renew.claim().id();
        } else if (ask instanceof MemberCommand.Narrow narrow) {
            return narrow.claim().id();
        }
        return ((MemberCommand.End) ask).release().claimId();
    }
}
