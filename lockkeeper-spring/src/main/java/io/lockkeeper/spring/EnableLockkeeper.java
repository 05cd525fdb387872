package io.lockkeeper.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * Switches {@link Locked}, {@link Limited} and {@link LeaderOnly} on. The application has a {@link io.lockkeeper.Lockkeeper} bean, and
 * may have a {@link LockkeeperSettings} bean.
 *
 * <pre>{@code
 * @Configuration
 * @EnableLockkeeper
 * class Locks {
 *     @Bean
 *     Lockkeeper keeper() {
 *         return Lockkeeper.connect("redis://localhost");
 *     }
 * }
 * }</pre>
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Import(LockkeeperRegistrar.class)
public @interface EnableLockkeeper {

    /**
     * The order of the advice. The default is a little before {@link org.springframework.core.Ordered#LOWEST_PRECEDENCE}, which is that
     * of transactions: so the lock is outside the transaction, and inside {@code @Async}.
     */
    int order() default LockkeeperConfiguration.ORDER;

    /** Whether beans are proxied by subclasses also if they have interfaces. */
    boolean proxyTargetClass() default false;
}
