package io.lockkeeper.redis;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Moment;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
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

    /** On the module path the client and the Jedis adapters cannot be used from outside; Jedis itself may be missing. */
    @Test
    void onlyTheStoreIsExported() throws Exception {
        Path code = Path.of(RedisBackend.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        ModuleDescriptor module;
        try (InputStream described = Files.newInputStream(code.resolve("module-info.class"))) {
            module = ModuleDescriptor.read(described);
        }

        assertThat(module.exports())
                .singleElement()
                .satisfies(export -> assertThat(export.source()).isEqualTo("io.lockkeeper.redis"))
                .satisfies(export -> assertThat(export.isQualified()).isFalse());
        assertThat(module.requires().stream()
                        .filter(each -> !each.modifiers().contains(ModuleDescriptor.Requires.Modifier.STATIC))
                        .map(ModuleDescriptor.Requires::name))
                .containsExactlyInAnyOrder("java.base", "io.lockkeeper");
        assertThat(module.provides())
                .singleElement()
                .satisfies(provided -> assertThat(provided.providers()).containsExactly(RedisProvider.class.getName()));
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
