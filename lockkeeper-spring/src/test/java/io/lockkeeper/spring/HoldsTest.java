package io.lockkeeper.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Hold;
import io.lockkeeper.MultiHold;
import io.lockkeeper.Permit;
import io.lockkeeper.SingleHold;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.springframework.context.annotation.Configuration;

/** How a method gets at the hold that it runs under. */
class HoldsTest {

    @Configuration
    @EnableLockkeeper
    static class Config {}

    static class Service {
        @Locked("outer")
        public <T> T outer(Supplier<T> body) {
            return body.get();
        }

        @Locked("inner")
        public List<Long> inner(ExclusiveHold hold) {
            return List.of(hold.token(), Holds.current(ExclusiveHold.class).token());
        }

        @Locked({"a", "b"})
        public int several(MultiHold hold) {
            return hold.exclusiveHolds().size();
        }

        @Locked({"a", "b"})
        public void wrong(ExclusiveHold hold) {
            throw new AssertionError("ran");
        }

        @Limited(name = "mail", permits = 3)
        @Locked(name = "doc", kind = LockKind.READ)
        public String both(Permit permit, SingleHold any) {
            return permit.name() + " " + any.name();
        }

        @Locked("outer")
        public String logged() {
            return MDC.get("lockkeeper.token");
        }
    }

    private final App app = App.of(LockkeeperSettings.defaults().withTokenInLog(true), Config.class, Service.class);
    private final Service service = app.get(Service.class);

    @AfterEach
    void close() {
        app.close();
    }

    @Test
    void theHoldIsAParameterAndTheCurrentOne() {
        List<Long> tokens = service.inner(null);
        assertThat(tokens.get(0)).isEqualTo(tokens.get(1)).isPositive();
    }

    @Test
    void theInnermostIsTheCurrentOne() {
        String names = service.outer(() -> {
            String before = Holds.current(ExclusiveHold.class).name();
            service.inner(null);
            return before + " " + Holds.current(ExclusiveHold.class).name();
        });
        assertThat(names).isEqualTo("outer outer");
        assertThat(Holds.find(Hold.class)).isEmpty();
        assertThatThrownBy(Holds::current)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("@Locked");
    }

    @Test
    void severalLocksAreAMultiHoldAndAPermitIsAPermit() {
        assertThat(service.several(null)).isEqualTo(2);
        assertThat(service.both(null, null)).isEqualTo("mail doc");
        assertThatThrownBy(() -> service.wrong(null)).hasMessageContaining("MultiHold");
    }

    @Test
    void theTokenIsInTheLogWhileTheMethodRuns() {
        String token = service.outer(
                () -> service.logged() + Holds.current(ExclusiveHold.class).token());
        assertThat(token.substring(0, token.length() / 2)).isEqualTo(token.substring(token.length() / 2));
        assertThat(MDC.get("lockkeeper.token")).isNull();
    }
}
