package io.lockkeeper.spring.boot4;

import io.lockkeeper.spring.boot.StoreCheck;
import io.lockkeeper.spring.boot.StoreChecks;
import java.util.Map;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Up if every store answers. Uncertain holds are shown, and do not make the application unhealthy. */
final class LockkeeperHealthIndicator extends AbstractHealthIndicator {

    private final StoreChecks checks;

    LockkeeperHealthIndicator(StoreChecks checks) {
        super("A store of locks cannot be asked");
        this.checks = checks;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        Map<String, StoreCheck> all = checks.check();
        builder.up();
        all.forEach((name, check) -> {
            if (check.failure() != null) {
                builder.down(check.failure());
            }
        });
        all.forEach((name, check) -> builder.withDetail(name, check.details()));
    }
}
