package io.lockkeeper.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Runs a method while a permit of a semaphore is held, so that at most so many calls run at once in all processes. What {@link Locked}
 * says of names, texts, nesting, classes and repetition is true here too. A permit is taken before the locks of the same method.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@Repeatable(Limited.All.class)
public @interface Limited {

    /** Same as {@link #name}. */
    @AliasFor("name")
    String value() default "";

    /** The name of the semaphore, see {@link Locked#name}; it gives one name. */
    @AliasFor("value")
    String name() default "";

    /** The name of a {@link LockNameResolver} bean that makes the name instead. */
    String resolver() default "";

    /** How many calls may run at once: the size of the semaphore. Every process must say the same. */
    int permits() default 0;

    /** The same as a text, for placeholders: {@code ${mail.connections}}. */
    String permitsText() default "";

    /** How long to wait for a permit, see {@link Locked#waitFor}. */
    String waitFor() default "";

    /** The lease, see {@link Locked#lease}. */
    String lease() default "";

    /** A lease that is not renewed, see {@link Locked#fixedLease}. */
    String fixedLease() default "";

    /** The name or qualifier of the {@link io.lockkeeper.Lockkeeper} bean. */
    String keeper() default "";

    /** A SpEL expression; if it is false, this annotation does not apply to the call. */
    String condition() default "";

    /** The shortest time for which the permit is kept, see {@link Locked#atLeast}. */
    String atLeast() default "";

    /** What a call does if no permit was acquired in time. */
    WhenBusy whenBusy() default WhenBusy.THROW;

    /** The method that is called with {@link WhenBusy#FALLBACK}, see {@link Locked#fallback}. */
    String fallback() default "";

    /** What a call does if the permit is lost while the method runs. */
    OnLost onLost() default OnLost.THROW;

    /** Several {@link Limited}. */
    @Target({ElementType.METHOD, ElementType.TYPE})
    @Retention(RetentionPolicy.RUNTIME)
    @Inherited
    @Documented
    @interface All {
        /** The annotations, the outermost first. */
        Limited[] value();
    }
}
