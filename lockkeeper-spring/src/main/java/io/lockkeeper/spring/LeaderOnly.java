package io.lockkeeper.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a method only while this process leads. Otherwise the call returns without running the method, or throws.
 *
 * <p>The leadership is checked when the call begins, and again before each transaction that began in it commits; a call whose
 * leadership was lost throws {@link io.lockkeeper.LockLostException} after the method.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface LeaderOnly {

    /** The name of the {@link io.lockkeeper.LeaderElection} bean; the only or primary one if it is absent. */
    String value() default "";

    /** What a call does while this process does not lead: {@link WhenBusy#SKIP} or {@link WhenBusy#THROW}. */
    WhenBusy otherwise() default WhenBusy.SKIP;
}
