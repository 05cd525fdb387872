package io.lockkeeper.file;

import io.lockkeeper.ClaimRefusedException;
import io.lockkeeper.KeeperClosedException;
import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.UnsupportedFeatureException;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.LatchStore;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.spi.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** One keeper's access to a {@link FileBackend}, where the algorithm is told. */
final class FileStore implements Store {

    private static final long SHORTEST_TOMBSTONE = Duration.ofMinutes(1).toNanos();
    /** Reading a folder with very many names takes its time. */
    private static final Duration LISTING_LIMIT = Duration.ofSeconds(30);

    private static final Comparator<ResourceState> BY_NAME = Comparator.comparing(
                    (ResourceState state) -> state.resource().name())
            .thenComparing(state -> state.resource().family().key());

    private final FileBackend backend;
    private final Keeper keeper;
    private final Workers workers;
    private final String storeId;
    private final FileLatches latches;
    private final Purge purge;
    private final Map<String, Asked> asked = new ConcurrentHashMap<>();
    private final Ceiling ceiling = new Ceiling();
    private final Tombstones tombstones = new Tombstones();
    private final ReentrantLock changing = new ReentrantLock();
    private volatile Access access;
    private volatile boolean closed;
    /** What goes on in the background, for {@link #close} to wait for. */
    private volatile Future<?> housekeeping;

    /** The folder as it was opened, and the session that stands for this store in it. */
    record Access(Folder folder, Session session) {}

    FileStore(FileBackend backend, Keeper keeper, Workers workers) {
        this.backend = backend;
        this.keeper = keeper;
        this.workers = workers;
        this.access = workers.call(keeper.commandLimit(), deadline -> enter());
        this.storeId = workers.call(
                keeper.commandLimit(),
                deadline -> StoreFile.begin(access.folder, deadline).id());
        this.latches = new FileLatches(this, keeper);
        this.purge = new Purge(keeper.clocks(), backend.retention(), () -> closed);
        this.housekeeping = workers.later(LISTING_LIMIT, deadline -> {
            Session.sweep(access.folder, deadline);
            purge.runIfDue(access.folder, access.session.id());
            return true;
        });
    }

    private Access enter() {
        Folder folder = backend.prepare();
        return new Access(folder, Session.begin(folder));
    }

    /** The session to grant things to: a new one if somebody deleted the file, or the folder, of the old one. */
    Access access() {
        Access current = access;
        if (current.session.isIntact()) {
            return current;
        }
        changing.lock();
        try {
            if (closed) {
                throw new KeeperClosedException("The store " + backend.describe() + " was closed by its keeper");
            }
            if (!access.session.isIntact()) {
                access.session.end();
                access = enter();
            }
            return access;
        } finally {
            changing.unlock();
        }
    }

    <T> T call(Duration limit, Workers.Work<T> work) {
        if (closed) {
            throw new KeeperClosedException("The store " + backend.describe() + " was closed by its keeper");
        }
        return workers.call(limit, work);
    }

    private long mono() {
        return keeper.clocks().now().mono();
    }

    long micros() {
        return keeper.clocks().now().wall() / 1_000;
    }

    long millis() {
        return keeper.clocks().now().wall() / 1_000_000;
    }

    @Override
    public Answer attempt(Claim claim) {
        Asked ask = asked.computeIfAbsent(claim.id(), id -> new Asked(mono()));
        Answer answer;
        try {
            answer = call(claim.limit(), deadline -> attempt(claim, ask, deadline));
        } catch (ClaimRefusedException e) {
            answer = new Answer.Refused(Answer.Cause.FINAL, String.valueOf(e.getMessage()));
        }
        boolean over = answer instanceof Answer.Refused
                || (answer instanceof Answer.Wait && claim.queueing() == Claim.Queueing.NEVER);
        if (over) {
            asked.remove(claim.id());
        }
        return answer;
    }

    private Answer attempt(Claim claim, Asked ask, Deadline deadline) {
        Access in = access();
        if (ask.isAgain()) {
            // Most who wait ask in vain, and should not be in anybody's way then.
            Ledger seen = Book.peek(in.folder, claim.resource(), deadline);
            if (seen != null && seen.held(claim.id()) == null && seen.isStamped(claim.id(), millis())) {
                if (!admits(seen, claim, in, deadline)) {
                    return new Answer.Wait(ask.refused(claim, seen.place(claim.id()), mono()));
                }
            }
        }
        try (Book book = Book.open(in.folder, claim.resource(), deadline)) {
            return decide(claim, ask, book, in, deadline);
        }
    }

    private Answer decide(Claim claim, Asked ask, Book book, Access in, Deadline deadline) {
        Ledger ledger = book.ledger();
        // First this, then the question; a release does it the other way round. So one of the two sees the other.
        ask.written = true;
        if (tombstones.covers(claim.id(), mono())) {
            return new Answer.Refused(
                    Answer.Cause.RELEASED, "The claim on " + claim.resource() + " was released before; take a new id");
        }
        Ledger.Held held = ledger.held(claim.id());
        if (held != null && held.session().equals(in.session.id()) && !held.isOver()) {
            if (claim.fixed()) {
                ledger.extend(held, claim);
                book.save();
            }
            return granted(held, claim);
        }
        ledger.end(claim.id());
        Answer refusal = claim.mode() instanceof Mode.Permits permits ? checkSize(ledger, permits) : null;
        if (refusal != null) {
            if (ledger.leave(claim.id())) {
                book.save();
            }
            return refusal;
        }
        if (admits(ledger, claim, in, deadline)) {
            Ledger.Held grant = ledger.grant(claim, in.session.id(), micros());
            ceiling.cover(in.folder, ledger.counter, deadline);
            book.save();
            if (purge.mayBeDue()) {
                housekeeping = workers.later(LISTING_LIMIT, due -> purge.runIfDue(in.folder, in.session.id()));
            }
            return granted(grant, claim);
        }
        boolean note = claim.queueing() != Claim.Queueing.NEVER && ask.isAgain();
        if (note && !ledger.isStamped(claim.id(), millis())) {
            ledger.queue(claim, in.session.id(), millis());
            book.save();
        }
        int place = ledger.place(claim.id());
        ask.written = place >= 0;
        return new Answer.Wait(ask.refused(claim, place, mono()));
    }

    private static Answer granted(Ledger.Held grant, Claim claim) {
        Duration validity = claim.fixed() ? claim.lease() : Answer.FOREVER;
        return new Answer.Granted(grant.token(), grant.tokens(), validity);
    }

    private boolean admits(Ledger ledger, Claim claim, Access in, Deadline deadline) {
        if (ledger.admits(claim, millis())) {
            return true;
        }
        ledger.bury(session -> isAlive(in, session, deadline));
        return ledger.admits(claim, millis());
    }

    private static boolean isAlive(Access in, String session, Deadline deadline) {
        return session.equals(in.session.id()) || Session.isAlive(in.folder, session, deadline);
    }

    private static @Nullable Answer checkSize(Ledger ledger, Mode.Permits wanted) {
        if (ledger.size != 0 && ledger.size != wanted.of()) {
            return new Answer.Refused(
                    Answer.Cause.FINAL,
                    "The " + ledger.resource + " has " + ledger.size + " permits in the store, not " + wanted.of()
                            + "; use that number or change it with resize");
        }
        if (wanted.count() > wanted.of()) {
            return new Answer.Refused(
                    Answer.Cause.FINAL,
                    "The " + ledger.resource + " has " + wanted.of() + " permits, so " + wanted.count()
                            + " at once can never be had; ask for fewer or resize it");
        }
        ledger.size = wanted.of();
        return null;
    }

    @Override
    public Release.Outcome release(Release release) {
        if (release.unanswered()) {
            long now = mono();
            long kept = Math.max(release.lease().toNanos(), SHORTEST_TOMBSTONE);
            tombstones.bury(release.claimId(), now + kept, now);
        }
        Asked ask = asked.get(release.claimId());
        boolean held = ask != null
                && (ask.written || release.unanswered())
                && call(release.limit(), deadline -> end(release, deadline));
        asked.remove(release.claimId());
        return held ? Release.Outcome.RELEASED : Release.Outcome.NOT_HELD;
    }

    private boolean end(Release release, Deadline deadline) {
        try (Book book = Book.find(access.folder, release.resource(), deadline)) {
            if (book == null) {
                return false;
            }
            Ledger.Held held = book.ledger().held(release.claimId());
            boolean listed = book.ledger().end(release.claimId());
            boolean waited = book.ledger().leave(release.claimId());
            if (listed || waited) {
                book.save();
            }
            return held != null && !held.isOver();
        }
    }

    @Override
    public List<Renewal> renew(List<Claim> held, Duration limit) {
        return call(limit, deadline -> {
            Access in = access;
            boolean intact = in.session.isIntact();
            if (intact) {
                in.session.touch();
            }
            List<Renewal> answers = new ArrayList<>(held.size());
            for (Claim claim : held) {
                answers.add(intact ? renew(claim, in, deadline) : new Renewal.Gone(Loss.Reason.SESSION_ENDED));
            }
            return answers;
        });
    }

    private Renewal renew(Claim claim, Access in, Deadline deadline) {
        try {
            Ledger ledger = Book.peek(in.folder, claim.resource(), deadline);
            Ledger.Held held = ledger == null ? null : ledger.held(claim.id());
            if (ledger == null || held == null) {
                return new Renewal.Gone(Loss.Reason.TAKEN);
            }
            if (held.isOver()) {
                return new Renewal.Gone(Loss.Reason.EXPIRED);
            }
            return held.session().equals(in.session.id())
                    ? new Renewal.Kept(held.remaining(), ledger.othersWait(in.session.id(), millis()))
                    : new Renewal.Gone(Loss.Reason.SESSION_ENDED);
        } catch (RuntimeException e) {
            return new Renewal.Unknown(e);
        }
    }

    @Override
    public boolean narrow(Claim held, Mode to) {
        return call(held.limit(), deadline -> {
            try (Book book = Book.find(access.folder, held.resource(), deadline)) {
                if (book == null || !book.ledger().narrow(held.id(), to)) {
                    return false;
                }
                book.save();
                return true;
            }
        });
    }

    @Override
    public Optional<ResourceState> inspect(Resource resource) {
        return call(keeper.commandLimit(), deadline -> {
            Access in = access;
            return state(Book.peek(in.folder, resource, deadline), in, deadline);
        });
    }

    private Optional<ResourceState> state(@Nullable Ledger ledger, Access in, Deadline deadline) {
        if (ledger == null) {
            return Optional.empty();
        }
        ledger.bury(session -> isAlive(in, session, deadline));
        if (ledger.held.isEmpty() && ledger.waiting.isEmpty()) {
            return Optional.empty();
        }
        List<ResourceState.Grant> grants = new ArrayList<>();
        for (Ledger.Held one : ledger.held) {
            grants.add(new ResourceState.Grant(
                    one.holder(), one.token(), one.mode() instanceof Mode.Shared, one.permits(), one.remaining()));
        }
        return Optional.of(new ResourceState(ledger.resource, List.copyOf(grants), ledger.waiting.size(), ledger.size));
    }

    @Override
    public List<ResourceState> list(String prefix) {
        return call(LISTING_LIMIT, deadline -> {
            Access in = access;
            List<ResourceState> states = new ArrayList<>();
            for (Folder.Place place : in.folder.places(prefix)) {
                Ledger ledger = Book.peek(in.folder, place, deadline);
                if (ledger != null && ledger.resource.name().startsWith(prefix)) {
                    state(ledger, in, deadline).ifPresent(states::add);
                }
            }
            states.sort(BY_NAME);
            return states;
        });
    }

    @Override
    public boolean forceRelease(Resource resource) {
        throw new UnsupportedFeatureException("The store " + backend.describe() + " can not take a " + resource
                + " away from a process that lives: end that process, or use a store that can: "
                + Capability.FORCE_RELEASE.offeredBy());
    }

    @Override
    public void resize(Resource semaphore, int permits) {
        if (permits < 1) {
            throw new IllegalArgumentException(
                    "The " + semaphore + " can not have " + permits + " permits; give it at least 1");
        }
        call(keeper.commandLimit(), deadline -> {
            try (Book book = Book.open(access().folder, semaphore, deadline)) {
                book.ledger().size = permits;
                book.save();
            }
            return true;
        });
    }

    @Override
    public LatchStore latches() {
        return latches;
    }

    @Override
    public String storeId() {
        return storeId;
    }

    /** Ends the session, and with it all that was granted to this keeper and not released. */
    @Override
    public void close() {
        changing.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
        } finally {
            changing.unlock();
        }
        workers.call(keeper.commandLimit(), deadline -> {
            access.session.end();
            try {
                housekeeping.get(Math.max(0, deadline.left()), TimeUnit.NANOSECONDS);
            } catch (ExecutionException | CancellationException | TimeoutException e) {
                // It is only tidying up.
            }
            return true;
        });
    }
}
