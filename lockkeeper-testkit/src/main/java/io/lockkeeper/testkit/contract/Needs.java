package io.lockkeeper.testkit.contract;

import io.lockkeeper.spi.Capability;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What a store must offer for a contract to be about it. The suite of a store that lacks it does not list the contract; {@link
 * RefusalContract} asserts that the store says so.
 */
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Needs {
    Capability[] value();

    /** What a store must not offer for a contract to be about it. */
    Capability[] without() default {};
}
