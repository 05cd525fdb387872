package io.lockkeeper.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.spring.Locked;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The starters switch the annotations on. */
class AnnotationTest {

    /** A bean of the application. */
    static class Orders {

        private final Lockkeeper keeper;

        Orders(Lockkeeper keeper) {
            this.keeper = keeper;
        }

        @Locked("order:#{#id}")
        boolean ship(long id) {
            return keeper.lock("order:" + id).isLocked();
        }
    }

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockkeeperAutoConfiguration.class))
            .withPropertyValues("lockkeeper.url=memory:")
            .withBean(Orders.class);

    @Test
    void aMethodRunsUnderItsLock() {
        application.run(context -> {
            assertThat(context.getBean(Orders.class).ship(42)).isTrue();
            assertThat(context.getBean(Lockkeeper.class).inspect("order:42")).isEmpty();
        });
    }

    @Test
    void annotationsCanBeSwitchedOff() {
        application
                .withPropertyValues("lockkeeper.annotations=false")
                .run(context -> assertThat(context.getBean(Orders.class).ship(42))
                        .isFalse());
    }
}
