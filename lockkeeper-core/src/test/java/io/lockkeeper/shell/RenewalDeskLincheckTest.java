package io.lockkeeper.shell;

import io.lockkeeper.Family;
import io.lockkeeper.Resource;
import io.lockkeeper.engine.Effects;
import io.lockkeeper.engine.Grant;
import io.lockkeeper.engine.ResourceEngine;
import io.lockkeeper.engine.Step;
import io.lockkeeper.engine.Waiter;
import io.lockkeeper.engine.Wish;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
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
public class RenewalDeskLincheckTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final AtomicLong DESKS = new AtomicLong();
    /** Requests under way for each desk: one of an earlier desk may still run when the next one is tested. */
    private static final ConcurrentHashMap<String, AtomicInteger> UNDER_WAY = new ConcurrentHashMap<>();

    private static final AtomicInteger DOUBLED = new AtomicInteger();
    private static final AtomicInteger RENEWED = new AtomicInteger();
    private static final Station STATION = station();

    private final RenewalDesk desk = new RenewalDesk(STATION);
    private final String name = "desk " + DESKS.incrementAndGet();
    private final Grant[] grants = {grant(name), grant(name), grant(name), grant(name)};
    private final AtomicInteger[] held = {
        new AtomicInteger(), new AtomicInteger(), new AtomicInteger(), new AtomicInteger()
    };

    private static Station station() {
        ScriptedBackend backend = new ScriptedBackend();
        backend.renew = (claims, store) -> {
            AtomicInteger underWay = underWay(claims.get(0).resource().name());
            if (underWay.incrementAndGet() > 1) {
                DOUBLED.incrementAndGet();
            }
            Thread.onSpinWait();
            RENEWED.addAndGet(claims.size());
            underWay.decrementAndGet();
            return claims.stream()
                    .<Renewal>map(claim -> new Renewal.Kept(claim.lease(), false))
                    .toList();
        };
        return new Station(backend, Settings.DEFAULT);
    }

    private static AtomicInteger underWay(String desk) {
        return UNDER_WAY.computeIfAbsent(desk, name -> new AtomicInteger());
    }

    /** A grant that has not been renewed for 12 of its 30 seconds: it is due. */
    private static Grant grant(String desk) {
        ResourceEngine engine = new ResourceEngine(new Resource(Family.LOCK, desk), STATION.terms());
        Moment now = STATION.now();
        Moment sentAt = new Moment(
                now.mono() - Duration.ofSeconds(12).toNanos(),
                now.wall() - Duration.ofSeconds(12).toNanos());
        Waiter waiter = new Waiter(new Wish(Mode.EXCLUSIVE, LEASE, false, false, false), false, null, null, () -> {});
        engine.ask(sentAt, waiter);
        Step.Attempt attempt = (Step.Attempt) engine.turn(sentAt, waiter);
        engine.answered(now, attempt.ask(), attempt.claim(), sentAt, new Answer.Granted(1, 1, LEASE));
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

    @Validate
    public void knowsWhatIsHeld() {
        desk.look();
        Eventually.eventually("requests end", () -> underWay(name).get() == 0);
        if (DOUBLED.get() > 0) {
            throw new IllegalStateException("two requests of one node were under way together");
        }
        boolean any = false;
        for (AtomicInteger state : held) {
            any |= state.get() == 2;
        }
        boolean anyHeld = any;
        Eventually.eventually(
                anyHeld ? "knows that something is held" : "knows that nothing is held",
                () -> (desk.next() != Long.MAX_VALUE) == anyHeld);
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
