package io.lockkeeper.faults.work;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.LockLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.faults.history.Call;
import io.lockkeeper.faults.history.ClientJournal;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * One thread of a client: takes a lock, adds one to both registers, releases, again and again. It is a naive user: it writes
 * without a look at whether it still holds, so that what a pause does to an unguarded resource shows on U, and F has
 * something to refuse.
 */
final class Worker implements Runnable {

    private static final List<AcquireForm> FORMS = List.of(AcquireForm.values());
    /** Between two looks at the hold. */
    private static final long LOOK = 1_000_000;
    /** Between two notes that it is still held. */
    private static final long NOTE = 50_000_000;
    /** After a failure, so that a store that refuses everything is not asked ten thousand times a second. */
    private static final long BREATH = 20_000_000;

    private final Lockkeeper keeper;
    private final ClientJournal journal;
    private final RegisterLine registers;
    private final List<String> names;
    private final List<Way> ways;
    private final Duration lease;
    private final AtomicBoolean stop;
    private final SplittableRandom random;

    Worker(Client client, RegisterLine registers, SplittableRandom random) {
        this.keeper = client.keeper();
        this.journal = client.journal();
        this.names = client.names();
        this.ways = client.ways();
        this.lease = client.lease();
        this.stop = client.stop();
        this.registers = registers;
        this.random = random;
    }

    /** What all workers of a client share. */
    record Client(
            Lockkeeper keeper,
            ClientJournal journal,
            List<String> names,
            List<Way> ways,
            Duration lease,
            AtomicBoolean stop) {}

    @Override
    public void run() {
        while (!stop.get()) {
            Way way = ways.get(random.nextInt(ways.size()));
            AcquireForm form = FORMS.get(random.nextInt(FORMS.size()));
            String name = names.get(random.nextInt(names.size()));
            Duration wait = Duration.ofMillis(random.nextLong(10, lease.toMillis() * 2));
            try {
                once(way.lock(keeper, name, lease), way, form, wait);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void once(DistributedLock lock, Way way, AcquireForm form, Duration wait) throws InterruptedException {
        long limit = switch (form) {
            case ACQUIRE, THREAD -> Call.UNTIMED;
            case ONCE -> 0;
            default -> wait.toNanos();
        };
        long call = journal.ask(lock.name(), limit, way + " " + form);
        ExclusiveHold hold;
        long got;
        try {
            hold = form.acquire(lock, wait);
            got = ClientJournal.now();
        } catch (LockkeeperException | LockLostException e) {
            // Lost: the process was stopped between lock() and currentHold().
            journal.fail(call, e);
            LockSupport.parkNanos(BREATH);
            return;
        }
        if (hold == null) {
            journal.none(call);
            LockSupport.parkNanos(random.nextLong(BREATH / 4));
            return;
        }
        journal.got(call, got, hold);
        hold.onLost(loss -> journal.told(call, loss.reason()));
        section(hold, call, got, length(way));
        journal.end(call, form.end(lock, hold));
        LockSupport.parkNanos(random.nextLong(BREATH / 10));
    }

    /** Mostly short, now and then long enough for several renewals; a fixed lease is not outlived on purpose. */
    private long length(Way way) {
        boolean isLong = way != Way.FIXED && random.nextInt(50) == 0;
        return isLong ? random.nextLong(lease.toNanos() * 3 / 2) : random.nextLong(4_000_000);
    }

    private void section(ExclusiveHold hold, long call, long got, long length) {
        long plain = registers.look(hold.name());
        OptionalLong fenced = registers.read(hold);
        stay(hold, call, got, length);
        registers.put(hold, plain);
        if (fenced.isPresent()) {
            registers.write(hold, fenced.getAsLong());
        }
    }

    /**
     * Looks at the hold while the time passes. The clock is read before the hold is asked: if it says yes then, it would have
     * said yes at the moment that is noted, wherever this thread was stopped in between.
     */
    private void stay(ExclusiveHold hold, long call, long got, long length) {
        long noted = got;
        long yes = got;
        while (true) {
            long now = ClientJournal.now();
            HoldState state = hold.state();
            if (state != HoldState.HELD && state != HoldState.UNCERTAIN) {
                journal.held(call, yes);
                journal.seen(call);
                return;
            }
            yes = now;
            if (now - got >= length) {
                journal.held(call, yes);
                return;
            }
            if (now - noted >= NOTE) {
                journal.held(call, yes);
                noted = now;
            }
            LockSupport.parkNanos(Math.min(LOOK, length - (now - got)));
        }
    }
}
