package io.lockkeeper.file;

import io.lockkeeper.ClaimRefusedException;
import io.lockkeeper.KeeperClosedException;
import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.ExtendingStore;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.LatchStore;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.NarrowingStore;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.spi.RetentionTimes;
import io.lockkeeper.spi.SemaphoreSize;
import io.lockkeeper.spi.SemaphoreStore;
import io.lockkeeper.spi.SizeStore;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreAbility;
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
final class FileStore implements Store, NarrowingStore, SemaphoreStore, ExtendingStore {

    private static final Comparator<ResourceState> BY_NAME = Comparator.comparing(
                    (ResourceState state) -> state.resource().name())
            .thenComparing(state -> state.resource().family().key());

    private final FileBackend backend;
    private final Keeper keeper;
    private final FileThreads workers;
    private final String storeId;
    private final FileLatches latches;
    private final FileSizes sizes;
    private final GrantOperations granting;
    private final Purge purge;
    private final Map<String, ClaimRecord> records = new ConcurrentHashMap<>();
    private final Tombstones tombstones = new Tombstones();
    private final ReentrantLock changing = new ReentrantLock();
    private volatile FolderAccess access;
    private volatile boolean closed;
    /** What goes on in the background, for {@link #close} to wait for. */
    private volatile Future<?> housekeeping;

    FileStore(FileBackend backend, Keeper keeper, FileThreads workers) {
        this.backend = backend;
        this.keeper = keeper;
        this.workers = workers;
        this.latches = new FileLatches(this, keeper);
        this.sizes = new FileSizes(this, keeper);
        this.granting = new GrantOperations(keeper.clocks(), tombstones);
        this.purge = new Purge(keeper.clocks(), backend.retention(), () -> closed);
        Folder folder = workers.call(keeper.commandTimeout(), deadline -> backend.prepare());
        this.storeId = workers.call(
                keeper.commandTimeout(),
                deadline ->
                        StoreFile.begin(folder, Session.randomId(), deadline).id());
        this.access = workers.call(keeper.commandTimeout(), deadline -> FolderAccess.enter(folder));
        this.housekeeping = workers.later(FilePolicy.LISTING, deadline -> {
            Session.sweep(folder, deadline);
            return purge.runIfDue(access.folder(), access.session().id());
        });
    }

    /** The session to grant things to: a new one if the file, or the folder, of the old one was deleted. */
    FolderAccess access(Deadline deadline) {
        if (access.session().isIntact()) {
            return access;
        }
        changing.lock();
        try {
            failIfClosed();
            if (!access.session().isIntact()) {
                access.session().end();
                Folder folder = backend.prepare();
                StoreFile.begin(folder, storeId, deadline);
                access = FolderAccess.enter(folder);
            }
            return access;
        } finally {
            changing.unlock();
        }
    }

    private void failIfClosed() {
        if (closed) {
            throw new KeeperClosedException("The store " + backend.describe() + " was closed by its keeper");
        }
    }

    <T> T call(Duration timeout, FileThreads.Work<T> work) {
        failIfClosed();
        return workers.call(timeout, work);
    }

    private long mono() {
        return keeper.clocks().now().mono();
    }

    long micros() {
        return keeper.clocks().now().wall() / 1_000;
    }

    @Override
    public Answer attempt(Claim claim) {
        ClaimRecord record = records.computeIfAbsent(claim.id(), id -> new ClaimRecord(mono()));
        Answer answer;
        try {
            answer = call(claim.timeout(), deadline -> granting.attempt(claim, record, access(deadline), deadline));
        } catch (ClaimRefusedException e) {
            answer = new Answer.Refused(Answer.Cause.FINAL, String.valueOf(e.getMessage()));
        }
        if (isOver(claim, record, answer)) {
            records.remove(claim.id());
        }
        if (answer instanceof Answer.Granted && purge.mayBeDue()) {
            FolderAccess in = access;
            housekeeping = workers.later(
                    FilePolicy.LISTING,
                    deadline -> purge.runIfDue(in.folder(), in.session().id()));
        }
        return answer;
    }

    /** Whether nothing can be written in the name of the claim, so that its release will have nothing to do. */
    private static boolean isOver(Claim claim, ClaimRecord record, Answer answer) {
        if (answer instanceof Answer.Refused refused) {
            return refused.cause() == Answer.Cause.RELEASED || !claim.repeat() || !record.written;
        }
        return answer instanceof Answer.Wait && claim.queueing() == Claim.Queueing.NEVER;
    }

    @Override
    public Release.Outcome release(Release release) {
        if (release.unanswered()) {
            long now = mono();
            long kept = RetentionTimes.tombstone(release.lease()).toNanos();
            tombstones.bury(release.claimId(), now + kept, now);
        }
        ClaimRecord record = records.get(release.claimId());
        boolean held = record != null
                && (record.written || release.unanswered())
                && call(release.timeout(), deadline -> granting.end(release, access.folder(), deadline));
        records.remove(release.claimId());
        return held ? Release.Outcome.RELEASED : Release.Outcome.NOT_HELD;
    }

    @Override
    public List<Renewal> renew(List<Claim> held, Duration timeout) {
        return call(timeout, deadline -> {
            FolderAccess in = access;
            boolean intact = in.session().isIntact();
            if (intact) {
                in.session().touch();
            }
            List<Renewal> answers = new ArrayList<>(held.size());
            for (Claim claim : held) {
                answers.add(intact ? granting.renew(claim, in, deadline) : new Renewal.Gone(Loss.Reason.SESSION_ENDED));
            }
            return answers;
        });
    }

    @Override
    public Renewal extend(Claim held, Duration timeout) {
        return call(timeout, deadline -> {
            FolderAccess in = access;
            return in.session().isIntact()
                    ? granting.extend(held, in, deadline)
                    : new Renewal.Gone(Loss.Reason.SESSION_ENDED);
        });
    }

    @Override
    public boolean narrow(Claim held, Mode to) {
        return call(held.timeout(), deadline -> granting.narrow(held, to, access.folder(), deadline));
    }

    @Override
    public Optional<ResourceState> inspect(Resource resource) {
        return call(keeper.commandTimeout(), deadline -> {
            FolderAccess in = access;
            return state(OpenLedger.peek(in.folder(), resource, deadline), in, deadline);
        });
    }

    private Optional<ResourceState> state(@Nullable Ledger ledger, FolderAccess in, Deadline deadline) {
        if (ledger == null) {
            return Optional.empty();
        }
        ledger.bury(session -> in.isAlive(session, deadline));
        if (ledger.held.isEmpty() && ledger.waiting.isEmpty()) {
            return Optional.empty();
        }
        List<ResourceState.Grant> grants = new ArrayList<>();
        for (Ledger.Held one : ledger.held) {
            grants.add(new ResourceState.Grant(
                    one.holder(),
                    one.token(),
                    one.mode() instanceof Mode.Shared,
                    one.permits(),
                    one.remaining(),
                    heldFor(one)));
        }
        return Optional.of(
                new ResourceState(ledger.resource, List.copyOf(grants), ledger.waiting.size(), ledger.size.permits()));
    }

    /** Tokens are microseconds of the wall clock, unless they are more. */
    private Duration heldFor(Ledger.Held one) {
        long micros = keeper.clocks().now().wall() / 1_000 - one.token();
        return Duration.ofNanos(Math.max(0, micros) * 1_000);
    }

    @Override
    public List<ResourceState> list(String prefix) {
        return call(FilePolicy.LISTING, deadline -> {
            FolderAccess in = access;
            List<ResourceState> states = new ArrayList<>();
            for (Folder.Place place : in.folder().places(prefix)) {
                Ledger ledger = OpenLedger.peek(in.folder(), place, deadline);
                boolean copied =
                        ledger != null && !in.folder().of(ledger.resource).equals(place);
                if (ledger != null && !copied && ledger.resource.name().startsWith(prefix)) {
                    state(ledger, in, deadline).ifPresent(states::add);
                }
            }
            states.sort(BY_NAME);
            return states;
        });
    }

    @Override
    public void resize(Resource semaphore, int permits) {
        SemaphoreSize.check(semaphore, permits);
        call(keeper.commandTimeout(), deadline -> {
            try (OpenLedger open = OpenLedger.open(access(deadline).folder(), semaphore, deadline)) {
                open.ledger().size = open.ledger().size.resized(permits);
                open.save();
            }
            return true;
        });
    }

    /** The latches and the sizes are parts of their own. */
    @Override
    public <A extends StoreAbility> @Nullable A ability(Class<A> type) {
        if (type == SizeStore.class) {
            return type.cast(sizes);
        }
        return type == LatchStore.class ? type.cast(latches) : Store.super.ability(type);
    }

    LatchStore latches() {
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
        workers.finish(keeper.commandTimeout(), deadline -> {
            access.session().end();
            try {
                housekeeping.get(keeper.commandTimeout().toNanos(), TimeUnit.NANOSECONDS);
            } catch (ExecutionException | CancellationException | TimeoutException e) {
                // It is only tidying up.
            }
            return true;
        });
    }
}
