package io.lockkeeper.testkit.contract;

import io.lockkeeper.spi.Capability;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A case about what only some stores offer, in a contract that is for all of them. It is not listed for a store that lacks one of
 * these capabilities; {@link RefusalContract} asserts that the store refuses it. See {@link Needs} for a whole contract.
 */
@TestTemplate
@ExtendWith(OfferedCases.class)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface TestIfOffered {
    Capability[] value();
}
