package io.lockkeeper.testkit;

import static io.lockkeeper.testkit.TestTimeouts.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.memory.MemoryBackend;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.spi.Session;
import io.lockkeeper.spi.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One session decides for ten thousand holds: all of them end at one moment, without a request for each. */
@Timeout(120)
class SessionEndTest {

    private static final int HOLDS = 10_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(9);
    private static final Duration LEASE = Duration.ofMinutes(30);

    private final ManualClocks clocks = new ManualClocks();
    private final InSession backend = new InSession(clocks);
    private final Lockkeeper keeper =
            Lockkeeper.builder().lease(LEASE).clocks(clocks).open(backend);
    private final List<ExclusiveHold> holds = new ArrayList<>();

    @AfterEach
    void close() {
        keeper.close();
        backend.close();
    }

    private void acquire(int from, int to) {
        for (int i = from; i < to; i++) {
            ExclusiveHold hold = keeper.lock("order/" + i).tryAcquire();
            assertThat(hold).isNotNull();
            holds.add(hold);
        }
    }

    private long held() {
        return holds.stream().filter(hold -> hold.state() != HoldState.LOST).count();
    }

    private long told(Loss.Reason reason) {
        return holds.stream()
                .filter(hold -> hold.lost().isDone() && hold.lost().join().reason() == reason)
                .count();
    }

    @Test
    void theEndThatTheStoreReportsIsToldToAllWithoutTimeOrRequests() {
        acquire(0, HOLDS);
        int before = backend.requests.get();

        backend.reportEnd();

        // The clocks stand still: no renewal is due, and no lease ends.
        until("all are told", () -> told(Loss.Reason.SESSION_ENDED) == HOLDS);
        assertThat(backend.requests.get()).as("requests").isEqualTo(before);
    }

    @Test
    void withoutContactsAllEndAtTheMomentThatTheLastContactAllows() {
        // Acquired, and so renewed, over the whole period of renewals: with a deadline for each they would end over
        // seconds.
        for (int part = 0; part < 10; part++) {
            acquire(part * HOLDS / 10, (part + 1) * HOLDS / 10);
            clocks.advance(Duration.ofMillis(240));
            backend.session.contacted(clocks.now(), clocks.now());
        }
        backend.silent = true;
        long left = backend.session.remaining(clocks.now());
        clocks.advance(Duration.ofNanos(left - 1));
        assertThat(held()).as("one nanosecond before").isEqualTo(HOLDS);
        clocks.advance(Duration.ofNanos(1));
        assertThat(held()).isZero();
        until("all are told", () -> told(Loss.Reason.EXPIRED) == HOLDS);
    }

    /** Grants of a store in memory, in a session of the test's own. */
    private static final class InSession implements Backend {

        private final AtomicInteger requests = new AtomicInteger();
        private final MemoryBackend memory;
        private final Session session;
        private final List<Keeper> keepers = new ArrayList<>();
        private volatile boolean silent;

        InSession(Clocks clocks) {
            memory = MemoryBackend.create(clocks);
            session = Session.direct(TIMEOUT, clocks.now());
        }

        void reportEnd() {
            session.end();
            keepers.forEach(Keeper::signalAll);
        }

        @Override
        public String describe() {
            return "session";
        }

        @Override
        public Set<Capability> capabilities() {
            return EnumSet.of(Capability.EXPIRES);
        }

        @Override
        public Store open(Keeper opening) {
            keepers.add(opening);
            Store inner = memory.open(opening);
            return new Store() {
                @Override
                public Answer attempt(Claim claim) {
                    Answer answer = inner.attempt(asked(claim));
                    return answer instanceof Answer.Granted granted
                            ? new Answer.Granted(granted.token(), granted.tokens(), granted.validity(), session)
                            : answer;
                }

                @Override
                public Release.Outcome release(Release release) {
                    return inner.release(asked(release));
                }

                @Override
                public List<Renewal> renew(List<Claim> held, Duration timeout) {
                    return inner.renew(asked(held), timeout);
                }

                @Override
                public Optional<ResourceState> inspect(Resource resource) {
                    return inner.inspect(resource);
                }

                @Override
                public List<ResourceState> list(String prefix) {
                    return inner.list(prefix);
                }

                @Override
                public String storeId() {
                    return inner.storeId();
                }

                @Override
                public void close() {
                    inner.close();
                }
            };
        }

        private <T> T asked(T request) {
            requests.incrementAndGet();
            if (silent) {
                throw new StoreUnavailableException("The store is silent, as the test wants it");
            }
            return request;
        }

        @Override
        public void close() {
            memory.close();
        }
    }
}
