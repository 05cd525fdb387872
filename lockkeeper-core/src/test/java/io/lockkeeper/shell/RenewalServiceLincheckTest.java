package io.lockkeeper.shell;

import io.lockkeeper.Family;
import io.lockkeeper.Resource;
import io.lockkeeper.engine.AcquireRequest;
import io.lockkeeper.engine.Effects;
import io.lockkeeper.engine.Grant;
import io.lockkeeper.engine.ResourceEngine;
import io.lockkeeper.engine.Step;
import io.lockkeeper.engine.Waiter;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The registry of renewals: grants come and go and are doubted while the timer looks and requests end. There is never more
 * than one request under way, and when all is quiet it knows of exactly those that are held.
 */
@Tag("once")
@Param(name = "which", gen = IntGen.class, conf = "0:3")
public class RenewalServiceLincheckTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final AtomicLong NAMES = new AtomicLong();
    private static final AtomicInteger RENEWED = new AtomicInteger();
    private static final KeeperCore STATION = core();

    /** Requests that the desk wants to send; the threads of the test send them, so that none is left over. */
    private final ConcurrentLinkedQueue<Runnable> requests = new ConcurrentLinkedQueue<>();

    /** Those that were wanted and have not been sent. */
    private final AtomicInteger open = new AtomicInteger();

    private final AtomicInteger doubled = new AtomicInteger();
    private final RenewalService desk = new RenewalService(STATION, this::want);
    private final Grant[] grants = {grant(), grant(), grant(), grant()};
    private final AtomicInteger[] held = {
        new AtomicInteger(), new AtomicInteger(), new AtomicInteger(), new AtomicInteger()
    };

    private static KeeperCore core() {
        ScriptedBackend backend = new ScriptedBackend();
        backend.renew = (claims, store) -> {
            RENEWED.addAndGet(claims.size());
            return claims.stream()
                    .<Renewal>map(claim -> new Renewal.Kept(claim.lease(), false))
                    .toList();
        };
        return new KeeperCore(backend, Settings.DEFAULT);
    }

    private void want(Runnable request) {
        // The desk says that a node is free at the very end of a request, and may want the next one from then on: the
        // one before is counted off when it begins, so what is counted here is never more than one.
        if (open.incrementAndGet() > 1) {
            doubled.incrementAndGet();
        }
        requests.add(request);
    }

    private void send() {
        Runnable request = requests.poll();
        if (request != null) {
            open.decrementAndGet();
            request.run();
        }
    }

    /** A grant that has not been renewed for 12 of its 30 seconds: it is due. */
    private static Grant grant() {
        ResourceEngine engine =
                new ResourceEngine(new Resource(Family.LOCK, "grant " + NAMES.incrementAndGet()), STATION.terms());
        Moment now = STATION.now();
        Moment sentAt = new Moment(
                now.mono() - Duration.ofSeconds(12).toNanos(),
                now.wall() - Duration.ofSeconds(12).toNanos());
        Waiter waiter =
                new Waiter(new AcquireRequest(Mode.EXCLUSIVE, LEASE, false, false, false), false, null, null, () -> {});
        engine.arrive(sentAt, waiter);
        Step.Attempt attempt = (Step.Attempt) engine.turn(sentAt, waiter);
        engine.answered(now, attempt.pending(), attempt.claim(), sentAt, new Answer.Granted(1, 1, LEASE));
        return Objects.requireNonNull(engine.effects()).begun.get(0);
    }

    @Operation
    public void begins(@Param(name = "which") int which) {
        if (held[which].compareAndSet(0, 1)) {
            Effects effects = new Effects();
            effects.begun.add(grants[which]);
            desk.update(effects);
            held[which].set(2);
        }
    }

    @Operation
    public void ends(@Param(name = "which") int which) {
        if (held[which].compareAndSet(2, 3)) {
            Effects effects = new Effects();
            effects.ended.add(grants[which]);
            desk.update(effects);
        }
    }

    @Operation
    public void doubted(@Param(name = "which") int which) {
        Effects effects = new Effects();
        effects.doubted.add(grants[which]);
        desk.update(effects);
    }

    @Operation
    public void look() {
        desk.look();
    }

    @Operation
    public void answer() {
        send();
    }

    @Validate
    public void knowsWhatIsHeld() {
        desk.look();
        while (!requests.isEmpty()) {
            send();
        }
        if (doubled.get() > 0) {
            throw new IllegalStateException("two requests of one node were under way together");
        }
        boolean any = false;
        for (AtomicInteger state : held) {
            any |= state.get() == 2;
        }
        if ((desk.next() != Long.MAX_VALUE) != any) {
            throw new IllegalStateException(any ? "forgot what is held" : "knows of something that is not held");
        }
    }

    @Test
    void theRegistryIsWholeWhateverHappensAtOnce() {
        new StressOptions()
                .iterations(10)
                .invocationsPerIteration(200)
                .threads(3)
                .actorsPerThread(4)
                .actorsBefore(2)
                .actorsAfter(0)
                .check(getClass());
        if (RENEWED.get() == 0) {
            throw new IllegalStateException("nothing was ever renewed");
        }
    }
}
