package io.lockkeeper.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.core.annotation.AliasFor;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * A test of beans that use locks. The context has the beans that are named, a keeper in memory as the bean {@code lockkeeper}, {@link
 * io.lockkeeper.testkit.TestLocks} to make a lock busy or lost, and the annotations of {@link io.lockkeeper.spring.EnableLockkeeper}.
 *
 * <pre>{@code
 * @LockkeeperTest(Orders.class)
 * class OrdersTest {
 *     @Autowired Orders orders;
 *     @Autowired TestLocks locks;
 * }
 * }</pre>
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@ExtendWith(SpringExtension.class)
@ContextConfiguration
public @interface LockkeeperTest {

    /** The beans and configurations under test. */
    @AliasFor(annotation = ContextConfiguration.class, attribute = "classes")
    Class<?>[] value() default {};
}
