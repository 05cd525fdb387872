package io.lockkeeper.redis;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Moment;
import org.junit.jupiter.api.Test;

/** The packages of this module depend on each other in one direction: the store on the client, Jedis on the client. */
class PackagesTest {

    private static final String CLIENT = "io.lockkeeper.redis.client";
    private static final String JEDIS = "io.lockkeeper.redis.jedis";

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .importUrl(RedisBackend.class.getProtectionDomain().getCodeSource().getLocation());

    /** The two exceptions are what every caller of a store knows; a deadline reads the one clock of the project. */
    @Test
    void theClientKnowsNothingOfLocks() {
        classes()
                .that()
                .resideInAPackage(CLIENT)
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage(CLIENT, "java..", "javax.net.ssl", "org.jspecify.annotations")
                                .or(belongToAnyOf(
                                        LockkeeperException.class,
                                        StoreUnavailableException.class,
                                        Clocks.class,
                                        Moment.class)))
                .check(CLASSES);
    }

    @Test
    void theJedisPackageKnowsTheClientOnly() {
        noClasses()
                .that()
                .resideInAPackage(JEDIS)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.lockkeeper.redis", "io.lockkeeper.spi..", "io.lockkeeper.shell..")
                .check(CLASSES);
    }

    @Test
    void onlyTheAdapterKnowsJedis() {
        noClasses()
                .that()
                .resideOutsideOfPackage(JEDIS)
                .and()
                .doNotBelongToAnyOf(JedisAdapter.class)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(JEDIS, "redis.clients..")
                .check(CLASSES);
    }
}
