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
 * Runs a method while a lock is held.
 *
 * <pre>{@code
 * @Locked("order:#{#order.id}")
 * @Transactional
 * public void pay(Order order) { … }
 * }</pre>
 *
 * <p><b>What is promised.</b> The method never runs without the lock. If the lock was not acquired within {@link #waitFor}, the call
 * ends as {@link #whenBusy} says. The lock is taken before a transaction of the method begins, and released after its commit or
 * rollback is complete. The same name nests in one thread (in one subscription, for Reactor). The name is computed once, before the
 * method runs.
 *
 * <p><b>What is not promised.</b> As with every proxy of Spring, calls from inside the same object are not intercepted. A holder that
 * is paused past its lease no longer has the lock: see {@link #onLost} and {@link #fence}.
 *
 * <p>On a class it applies to every method that a proxy can intercept. A method's own annotation takes the place of its class's.
 * Annotations may be repeated: the first is the outermost. It may be a meta-annotation whose attributes are aliased. Every text may
 * contain placeholders ({@code ${…}}) of the environment.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@Repeatable(Locked.All.class)
public @interface Locked {

    /** Same as {@link #name}. */
    @AliasFor("name")
    String[] value() default {};

    /**
     * The name of the lock: text with SpEL expressions in <code>#{…}</code>, which see the parameters of the method as
     * {@code #name}, beans as {@code @name}, and {@code #root.target}, {@code #root.method}, {@code #root.args}. Required, unless there
     * is a {@link #resolver}. Several names, or an expression that is a collection, are locked together, all or none. An expression that
     * is null is refused.
     */
    @AliasFor("value")
    String[] name() default {};

    /** The name of a {@link LockNameResolver} bean that makes the names instead. */
    String resolver() default "";

    /**
     * How long to wait for the lock: {@code 3s}, {@code 500ms}, {@code PT3S}; {@code 0} is a single try; {@code forever} has no
     * timeout. If it is absent: {@link LockkeeperSettings#waitFor()} with {@link WhenBusy#THROW}, else a single try.
     */
    String waitFor() default "";

    /** The lease, renewed until the lock is released; the keeper's if it is absent. */
    String lease() default "";

    /** A lease that is not renewed: the lock is lost after this time, though the method may still run. */
    String fixedLease() default "";

    /** Which lock of that name. */
    LockKind kind() default LockKind.PLAIN;

    /** The name or qualifier of the {@link io.lockkeeper.Lockkeeper} bean; the only or primary one if it is absent. */
    String keeper() default "";

    /** A SpEL expression; if it is false, this annotation does not apply to the call. */
    String condition() default "";

    /**
     * The shortest time for which the lock is kept, counted from when it was acquired. The call returns at once; the lock is released
     * later. It is released earlier if the keeper is closed or its process ends.
     */
    String atLeast() default "";

    /** What a call does if the lock was not acquired in time. */
    WhenBusy whenBusy() default WhenBusy.THROW;

    /**
     * The method of the same class that is called with {@link WhenBusy#FALLBACK}. It has the same parameters, or none, or the same and
     * then a {@link io.lockkeeper.LockTimeoutException}.
     */
    String fallback() default "";

    /** What a call does if the lock is lost while the method runs. */
    OnLost onLost() default OnLost.THROW;

    /**
     * The name of the data that is guarded. Every transaction under the lock that may write then begins with its fencing token in the
     * table {@link LockkeeperSettings#fenceTable()}, through {@link io.lockkeeper.jdbc.JdbcFencing}, so that of two holders the stale
     * one is rolled back. Tokens are compared per fence and name of the lock.
     */
    String fence() default "";

    /** Several {@link Locked}. */
    @Target({ElementType.METHOD, ElementType.TYPE})
    @Retention(RetentionPolicy.RUNTIME)
    @Inherited
    @Documented
    @interface All {
        /** The annotations, the outermost first. */
        Locked[] value();
    }
}
