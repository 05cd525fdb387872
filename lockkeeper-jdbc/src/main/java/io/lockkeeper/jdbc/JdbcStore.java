package io.lockkeeper.jdbc;

import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.line.LineFormatException;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.ExchangeStore;
import io.lockkeeper.spi.Exchanged;
import io.lockkeeper.spi.ExtendingStore;
import io.lockkeeper.spi.ForceReleaseStore;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.LatchStore;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.NarrowingStore;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.spi.SemaphoreStore;
import io.lockkeeper.spi.SizeStore;
import io.lockkeeper.spi.Store;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One keeper's access to a database.
 *
 * <p>An exclusive claim on a resource that nobody queues for is granted and released by one statement each. All else is a step
 * by the rules of the line, see {@link RowSteps}. Which of the two it is, the row says, not this object: the statements do not
 * match a row that has a line.
 */
final class JdbcStore
        implements Store,
                NarrowingStore,
                SemaphoreStore,
                SizeStore,
                LatchStore,
                ForceReleaseStore,
                ExtendingStore,
                ExchangeStore {

    private final JdbcBackend backend;
    private final Keeper keeper;
    private final Dialect dialect;
    private final Requests requests;
    private final RowSteps steps;
    private final LineRenewals lineRenewals;
    private final JdbcLatches latches;
    private final PollBackoff polls = new PollBackoff();
    private final @Nullable Listener listener;

    JdbcStore(JdbcBackend backend, Keeper keeper, Dialect dialect, Requests requests, @Nullable Listener listener) {
        this.backend = backend;
        this.keeper = keeper;
        this.dialect = dialect;
        this.requests = requests;
        this.listener = listener;
        this.steps = new RowSteps(dialect, keeper.id(), backend::deliver);
        this.lineRenewals = new LineRenewals(dialect, keeper.id(), backend::deliver);
        this.latches = new JdbcLatches(dialect, keeper.id(), backend::deliver);
    }

    @Override
    public Answer attempt(Claim claim) {
        Deadline until = Deadline.in(claim.timeout());
        Answer answer;
        try {
            answer = requests.run(until, connection -> attempt(connection, until, claim));
        } catch (UnfitDatabaseException | LineFormatException e) {
            return new Answer.Refused(Answer.Cause.FINAL, String.valueOf(e.getMessage()));
        }
        return answered(claim, answer);
    }

    private Answer attempt(Connection connection, Deadline until, Claim claim) throws SQLException {
        Row row = null;
        if (fitsColumns(claim) && !polls.isWaiting(claim.id())) {
            Row.Acquired acquired = dialect.acquire(connection, keeper.id(), claim);
            if (acquired.isGranted()) {
                return granted(acquired, claim);
            }
            row = acquired.row();
            backend.purgeIf(row == null);
        }
        return steps.take(
                connection,
                until,
                claim.resource(),
                RowSteps.IfMissing.INSERT,
                row,
                (store, now) -> store.attempt(keeper.id(), claim, now));
    }

    private static boolean fitsColumns(Claim claim) {
        return claim.mode() instanceof Mode.Exclusive && !claim.sticky();
    }

    private static Answer granted(Row.Acquired acquired, Claim claim) {
        return new Answer.Granted(acquired.lastToken() - acquired.tokens() + 1, acquired.tokens(), claim.lease());
    }

    /** Says when to ask again: where nobody notifies this keeper, sooner than the line says. */
    private Answer answered(Claim claim, Answer answer) {
        if (!(answer instanceof Answer.Wait wait)) {
            polls.forget(claim.id());
            return answer;
        }
        boolean heard = listener != null && listener.isHeard();
        Duration poll;
        if (claim.queueing() == Claim.Queueing.NEVER) {
            poll = heard ? wait.retryIn() : PollBackoff.once();
        } else if (heard) {
            polls.waiting(claim.id());
            poll = wait.retryIn();
        } else {
            poll = polls.next(claim.id());
        }
        return new Answer.Wait(poll.compareTo(wait.retryIn()) < 0 ? poll : wait.retryIn(), wait.recalled());
    }

    @Override
    public Release.Outcome release(Release release) {
        polls.forget(release.claimId());
        Deadline until = Deadline.in(release.timeout());
        return requests.run(until, connection -> {
            Durability durability = backend.durability(release);
            if (!release.unanswered()
                    && dialect.release(connection, release.resource(), release.claimId(), durability)) {
                return Release.Outcome.RELEASED;
            }
            return steps.take(
                    connection,
                    until,
                    release.resource(),
                    release.unanswered() ? RowSteps.IfMissing.INSERT : RowSteps.IfMissing.LOOK,
                    null,
                    durability,
                    (store, now) -> store.release(keeper.id(), release, now));
        });
    }

    /** Both halves in one write: either both were executed or none. */
    @Override
    public Exchanged exchange(Release release, Claim next) {
        polls.forget(release.claimId());
        Deadline until = Deadline.in(release.timeout());
        try {
            Exchanged exchanged = requests.run(until, connection -> exchange(connection, until, release, next));
            Answer answer = exchanged.answer();
            return answer == null ? exchanged : new Exchanged(exchanged.outcome(), null, answered(next, answer), null);
        } catch (RuntimeException failure) {
            return new Exchanged(null, failure, null, failure);
        }
    }

    private Exchanged exchange(Connection connection, Deadline until, Release release, Claim next) throws SQLException {
        if (!release.unanswered() && fitsColumns(next)) {
            Row.Acquired acquired = dialect.exchange(connection, release.claimId(), keeper.id(), next);
            if (acquired.isGranted()) {
                return new Exchanged(Release.Outcome.RELEASED, null, granted(acquired, next), null);
            }
        }
        return steps.take(connection, until, release.resource(), RowSteps.IfMissing.INSERT, null, (store, now) -> {
            Release.Outcome outcome = store.release(keeper.id(), release, now);
            return new Exchanged(outcome, null, store.attempt(keeper.id(), next, now), null);
        });
    }

    /** Those in columns by one statement for many; then those in lines, see {@link LineRenewals}; then what is left, row by row. */
    @Override
    public List<Renewal> renew(List<Claim> held, Duration timeout) {
        Deadline until = Deadline.in(timeout);
        List<Renewal> answers = new ArrayList<>(held.size());
        for (int from = 0; from < held.size(); from += dialect.renewedAtOnce()) {
            List<Claim> batch = held.subList(from, Math.min(held.size(), from + dialect.renewedAtOnce()));
            Map<String, Duration> rests = requests.renew(until, connection -> dialect.renew(connection, batch));
            Map<String, Renewal> others = renewInLines(
                    batch.stream()
                            .filter(claim -> !rests.containsKey(claim.id()))
                            .toList(),
                    until,
                    timeout);
            for (Claim claim : batch) {
                Duration rest = rests.get(claim.id());
                Renewal inLine = others.get(claim.id());
                if (inLine != null) {
                    answers.add(inLine);
                } else if (rest != null) {
                    answers.add(kept(claim, rest));
                } else {
                    throw new IllegalStateException("The claim on " + claim.resource() + " was passed over");
                }
            }
        }
        return answers;
    }

    private static Renewal kept(Claim claim, Duration rest) {
        return new Renewal.Kept(rest.compareTo(claim.lease()) < 0 || claim.fixed() ? rest : claim.lease(), false);
    }

    private Map<String, Renewal> renewInLines(List<Claim> claims, Deadline until, Duration timeout) {
        if (claims.isEmpty()) {
            return Map.of();
        }
        Map<Resource, List<Claim>> byResource = LineRenewals.byResource(claims);
        Map<String, Renewal> answers = new HashMap<>();
        Map<Resource, Row> read = Map.of();
        if (byResource.size() > 1) {
            try {
                LineRenewals.Round round =
                        requests.renew(until, connection -> lineRenewals.renew(connection, byResource));
                answers.putAll(round.answers());
                read = round.read();
            } catch (RuntimeException failure) {
                claims.forEach(claim -> answers.put(claim.id(), new Renewal.Unknown(failure)));
            }
        }
        for (Map.Entry<Resource, List<Claim>> row : byResource.entrySet()) {
            if (!answers.containsKey(row.getValue().get(0).id())) {
                answers.putAll(renewRow(
                        row.getKey(), row.getValue(), read.get(row.getKey()), until.within(timeout.dividedBy(3))));
            }
        }
        return answers;
    }

    /** The grants in one row. If that row is locked, it takes a part of the time only, so that it does not use up that of others. */
    private Map<String, Renewal> renewRow(Resource resource, List<Claim> claims, @Nullable Row known, Deadline until) {
        Map<String, Renewal> answers = new HashMap<>();
        try {
            List<Renewal> renewed = requests.renew(
                    until,
                    connection -> steps.take(
                            connection,
                            until,
                            resource,
                            RowSteps.IfMissing.LOOK,
                            known,
                            (store, now) -> store.renew(claims, now)));
            for (int i = 0; i < claims.size(); i++) {
                answers.put(claims.get(i).id(), renewed.get(i));
            }
        } catch (RuntimeException failure) {
            claims.forEach(claim -> answers.put(claim.id(), new Renewal.Unknown(failure)));
        }
        return answers;
    }

    @Override
    public Renewal extend(Claim held, Duration timeout) {
        return step(held.resource(), timeout, RowSteps.IfMissing.LOOK, (store, now) -> store.extend(held, now));
    }

    @Override
    public boolean narrow(Claim held, Mode to) {
        return step(
                held.resource(), held.timeout(), RowSteps.IfMissing.LOOK, (store, now) -> store.narrow(held, to, now));
    }

    @Override
    public Optional<ResourceState> inspect(Resource resource) {
        return requests.run(Deadline.in(keeper.commandTimeout()), connection -> {
            Row row = dialect.read(connection, resource);
            return row == null ? Optional.empty() : state(resource, row);
        });
    }

    @Override
    public List<ResourceState> list(String prefix) {
        return requests.run(Deadline.in(JdbcPolicy.LISTING), connection -> {
            List<ResourceState> states = new ArrayList<>();
            for (Dialect.Listed listed : dialect.list(connection, prefix)) {
                if (!JdbcBackend.isIdentity(listed.resource())) {
                    state(listed.resource(), listed.row()).ifPresent(states::add);
                }
            }
            return states;
        });
    }

    /** What a row says; nothing is written, whatever the look at it changes in memory. */
    private static Optional<ResourceState> state(Resource resource, Row row) {
        return row.form().open(resource).store().inspect(resource, row.now());
    }

    @Override
    public boolean forceRelease(Resource resource) {
        return step(resource, RowSteps.IfMissing.LOOK, (store, now) -> store.forceRelease(resource, now));
    }

    @Override
    public void resize(Resource semaphore, int permits) {
        step(semaphore, RowSteps.IfMissing.INSERT, (store, now) -> {
            store.resize(semaphore, permits, now);
            return true;
        });
    }

    @Override
    public int size(Resource semaphore) {
        return step(semaphore, RowSteps.IfMissing.LOOK, (store, now) -> store.size(semaphore));
    }

    @Override
    public boolean trySet(Resource semaphore, String operation, int permits) {
        return step(
                semaphore,
                RowSteps.IfMissing.INSERT,
                (store, now) -> store.trySetSize(semaphore, operation, permits, now));
    }

    @Override
    public void set(Resource semaphore, int permits) {
        step(semaphore, RowSteps.IfMissing.INSERT, (store, now) -> {
            store.setSize(semaphore, permits, now);
            return true;
        });
    }

    @Override
    public int add(Resource semaphore, String operation, int change, int ifNone) {
        return step(
                semaphore,
                RowSteps.IfMissing.INSERT,
                (store, now) -> store.addSize(semaphore, operation, change, ifNone, now));
    }

    @Override
    public void clear(Resource semaphore) {
        step(semaphore, RowSteps.IfMissing.LOOK, (store, now) -> {
            store.clearSize(semaphore);
            return true;
        });
    }

    private <T> T step(Resource resource, RowSteps.IfMissing ifMissing, RowSteps.Step<T> step) {
        return step(resource, keeper.commandTimeout(), ifMissing, step);
    }

    private <T> T step(Resource resource, Duration timeout, RowSteps.IfMissing ifMissing, RowSteps.Step<T> step) {
        Deadline until = Deadline.in(timeout);
        return requests.run(until, connection -> steps.take(connection, until, resource, ifMissing, null, step));
    }

    @Override
    public State state(Resource latch, boolean wake) {
        return latch(connection -> latches.state(connection, latch, wake));
    }

    @Override
    public boolean set(Resource latch, String operation, int count) {
        return latch(connection -> latches.set(connection, latch, operation, count));
    }

    @Override
    public boolean countDown(Resource latch, long generation, String operation) {
        return latch(connection -> latches.countDown(connection, latch, generation, operation));
    }

    @Override
    public void delete(Resource latch, long generation) {
        latch(connection -> {
            latches.delete(connection, latch, generation);
            return true;
        });
    }

    private <T> T latch(Requests.Work<T> work) {
        return requests.run(Deadline.in(keeper.commandTimeout()), work);
    }

    @Override
    public String storeId() {
        return backend.storeId(Deadline.in(keeper.commandTimeout()));
    }

    @Override
    public void close() {
        if (listener != null) {
            listener.close();
        }
        backend.closed(keeper);
    }
}
