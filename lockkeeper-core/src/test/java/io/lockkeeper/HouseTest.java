package io.lockkeeper;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.lockkeeper.spi.Clocks;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Keeps the house: arrows only downwards, an engine free of I/O, threads and clocks, an API that shows nothing of what is
 * below it.
 */
class HouseTest {

    private static final String API = "io.lockkeeper";
    private static final String SHELL = "io.lockkeeper.shell..";
    private static final String ENGINE = "io.lockkeeper.engine..";
    private static final String SPI = "io.lockkeeper.spi..";
    private static final String LINE = "io.lockkeeper.line..";
    private static final String ROUNDS = "io.lockkeeper.quorum.rounds..";
    private static final String JSPECIFY = "org.jspecify.annotations";

    private static final Path CODE = code();
    private static final JavaClasses CLASSES = new ClassFileImporter().importPath(CODE);

    /** The only ones in the API's room that know how it is made. */
    private static final DescribedPredicate<JavaClass> FRONT_DOOR =
            belongToAnyOf(Lockkeeper.class, LockkeeperBuilder.class, MultiLock.class, MajorityLock.class);

    /** Enums, records and exceptions of the API: what all rooms may speak of. */
    private static final DescribedPredicate<JavaClass> VALUES = resideInAPackage(API)
            .and(describe("are values or exceptions", type -> type.isEnum() || type.isRecord()))
            .or(resideInAPackage(API).and(assignableTo(Throwable.class)));

    private static Path code() {
        try {
            return Path.of(Lockkeeper.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static DescribedPredicate<JavaClass> javaBut(String... packages) {
        return resideInAPackage("java..").and(not(resideInAnyPackage(packages)));
    }

    // ------------------------------------------------------------------------------------------- arrows only downwards

    @Test
    void theEngineKnowsTheSpiAndValuesOnly() {
        DescribedPredicate<JavaClass> basics = resideInAnyPackage(
                "java.lang", "java.lang.invoke", "java.lang.runtime", "java.util", "java.util.function", "java.time");
        DescribedPredicate<JavaClass> atomics = resideInAPackage("java.util.concurrent.atomic");
        classes()
                .that()
                .resideInAPackage(ENGINE)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(ENGINE, SPI, JSPECIFY)
                        .or(VALUES)
                        .or(basics)
                        .or(atomics))
                .check(CLASSES);
    }

    @Test
    void theEngineHasNoThreadAndWaitsForNothing() {
        noClasses()
                .that()
                .resideInAPackage(ENGINE)
                .should()
                .dependOnClassesThat(belongToAnyOf(Thread.class, ProcessHandle.class, System.class, Clocks.class)
                        .or(assignableTo(Executor.class))
                        .or(resideInAnyPackage("java.util.concurrent.locks", "java.io..", "java.net..", "java.nio..")))
                .check(CLASSES);
    }

    @Test
    void theSpiKnowsValuesOnly() {
        classes()
                .that()
                .resideInAPackage(SPI)
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage(SPI, JSPECIFY).or(VALUES).or(javaBut("java.net..")))
                .check(CLASSES);
    }

    @Test
    void aBackendKnowsTheSpiTheLineAndValuesOnly() {
        for (String backend : Set.of("memory", "file", "quorum")) {
            String own = "io.lockkeeper." + backend + "..";
            classes()
                    .that()
                    .resideInAPackage(own)
                    .should()
                    .onlyDependOnClassesThat(resideInAnyPackage(own, LINE, SPI, JSPECIFY)
                            .or(VALUES)
                            .or(javaBut()))
                    .check(CLASSES);
        }
    }

    /** State machines that a simulator can drive: what happens depends on the calls and the times given with them alone. */
    @Test
    void theLineAndTheRoundsHaveNoThreadClockOrInput() {
        for (String pure : Set.of(LINE, ROUNDS)) {
            classes()
                    .that()
                    .resideInAPackage(pure)
                    .should()
                    .onlyDependOnClassesThat(resideInAnyPackage(pure, SPI, JSPECIFY)
                            .or(VALUES)
                            .or(javaBut(
                                    "java.io..",
                                    "java.net..",
                                    "java.nio.channels..",
                                    "java.nio.file..",
                                    "java.util.concurrent.locks")))
                    .andShould()
                    .onlyDependOnClassesThat(not(belongToAnyOf(Thread.class, System.class, Clocks.class)
                            .or(assignableTo(Executor.class))))
                    .check(CLASSES);
        }
    }

    @Test
    void onlyTheFrontDoorKnowsTheShell() {
        noClasses()
                .that()
                .resideOutsideOfPackage(SHELL)
                .and(not(FRONT_DOOR))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(SHELL)
                .check(CLASSES);
    }

    @Test
    void onlyTheShellKnowsTheEngine() {
        noClasses()
                .that()
                .resideOutsideOfPackages(SHELL, ENGINE)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(ENGINE)
                .check(CLASSES);
    }

    @Test
    void theApiKnowsNoBackend() {
        noClasses()
                .that()
                .resideInAnyPackage(API, SHELL, ENGINE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(LINE, "io.lockkeeper.memory..", "io.lockkeeper.file..", "io.lockkeeper.quorum..")
                .check(CLASSES);
    }

    @Test
    void coreDependsOnTheJdkAlone() {
        classes()
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage("io.lockkeeper..", JSPECIFY, "jdk.jfr")
                        .or(javaBut()))
                .check(CLASSES);
    }

    /** A runtime image need not have the recorder, and no other class must fail to load without it. */
    @Test
    void theFlightRecorderIsKnownInOnePlaceAndThatIsUsedFromOneOther() {
        String events = "io.lockkeeper.shell.FlightEvents";
        DescribedPredicate<JavaClass> recorder = describe(
                "are the events of the recorder", type -> type.getName().startsWith(events));
        noClasses()
                .that(not(recorder))
                .should()
                .dependOnClassesThat(resideInAPackage("jdk.jfr.."))
                .check(CLASSES);
        noClasses()
                .that(not(recorder)
                        .and(not(describe(
                                "are FlightLog", type -> type.getSimpleName().equals("FlightLog")))))
                .should()
                .dependOnClassesThat(recorder)
                .check(CLASSES);
    }

    // -------------------------------------------------------------------------------------------------- clocks,
    // threads

    @Test
    void oneClassReadsTheClocks() {
        noClasses()
                .that(not(describe("SystemClocks", type -> type.getSimpleName().equals("SystemClocks"))))
                .should()
                .accessTargetWhere(describe(
                        "reads a clock of the machine",
                        (JavaAccess<?> access) -> access.getTargetOwner().isEquivalentTo(System.class)
                                        && Set.of("nanoTime", "currentTimeMillis")
                                                .contains(access.getName())
                                || Set.of(Instant.class, LocalDateTime.class, ZonedDateTime.class).stream()
                                                .anyMatch(type ->
                                                        access.getTargetOwner().isEquivalentTo(type))
                                        && access.getName().equals("now")
                                || access.getTargetOwner().isEquivalentTo(Clock.class)))
                .check(CLASSES);
    }

    @Test
    void nobodySleepsOrThrowsDice() {
        noClasses()
                .should()
                .callMethod(Thread.class, "sleep", long.class)
                .orShould()
                .callMethod(Thread.class, "sleep", long.class, int.class)
                .orShould()
                .callMethod(Math.class, "random")
                .orShould()
                .callConstructor(Random.class)
                .orShould()
                .callConstructor(Random.class, long.class)
                .check(CLASSES);
    }

    @Test
    void noMethodIsSynchronized() {
        noMethods().should().haveModifier(JavaModifier.SYNCHRONIZED).check(CLASSES);
    }

    @Test
    void nothingIsKeptPerThread() {
        noClasses()
                .should()
                .dependOnClassesThat(equivalentTo(ThreadLocal.class).or(assignableTo(ThreadLocal.class)))
                .check(CLASSES);
    }

    // ---------------------------------------------------------------------------------------------- what users may see

    private static ModuleDescriptor module() {
        try (InputStream described = Files.newInputStream(CODE.resolve("module-info.class"))) {
            return ModuleDescriptor.read(described);
        } catch (IOException missing) {
            throw new IllegalStateException(missing);
        }
    }

    private static Set<String> exported() {
        return module().exports().stream()
                .filter(export -> !export.isQualified())
                .map(ModuleDescriptor.Exports::source)
                .collect(Collectors.toSet());
    }

    @Test
    void apiSpiAndBackendsAreExportedAndNothingElse() {
        assertThat(exported())
                .containsExactlyInAnyOrder(
                        "io.lockkeeper",
                        "io.lockkeeper.spi",
                        "io.lockkeeper.memory",
                        "io.lockkeeper.file",
                        "io.lockkeeper.quorum");
    }

    @Test
    void onlyModulesOfThisProjectSeeWhatIsInternal() {
        Set<String> qualified = module().exports().stream()
                .filter(ModuleDescriptor.Exports::isQualified)
                .map(export -> export.source() + " to " + new TreeSet<>(export.targets()))
                .collect(Collectors.toSet());

        assertThat(qualified)
                .containsExactlyInAnyOrder(
                        "io.lockkeeper.engine to [io.lockkeeper.testkit]",
                        "io.lockkeeper.line to [io.lockkeeper.jdbc, io.lockkeeper.testkit]",
                        "io.lockkeeper.quorum.rounds to [io.lockkeeper.testkit]");
    }

    @Test
    void thePackageOfABackendShowsItsEntryPointsOnly() {
        assertThat(visibleIn("io.lockkeeper.memory"))
                .containsExactlyInAnyOrder("MemoryBackend", "MemoryFaults", "MemoryFaults.Fault", "MemoryProvider");
        assertThat(visibleIn("io.lockkeeper.quorum")).containsExactlyInAnyOrder("Quorum", "QuorumBuilder", "BackOff");
        assertThat(visibleIn("io.lockkeeper.file")).containsExactlyInAnyOrder("FileBackend", "FileProvider");
    }

    private static Set<String> visibleIn(String exportedPackage) {
        return CLASSES.stream()
                .filter(type -> type.getPackageName().equals(exportedPackage))
                .map(JavaClass::reflect)
                .filter(HouseTest::isVisible)
                .map(type -> type.getCanonicalName().substring(exportedPackage.length() + 1))
                .collect(Collectors.toSet());
    }

    @Test
    void whatIsExportedShowsNothingThatIsNot() {
        Set<String> exported = exported();
        Set<String> leaks = new TreeSet<>();
        int looked = 0;
        for (JavaClass imported : CLASSES) {
            Class<?> type = imported.reflect();
            if (exported.contains(type.getPackageName()) && isVisible(type)) {
                looked++;
                for (Class<?> shown : shownBy(type)) {
                    boolean ours = shown.getName().startsWith("io.lockkeeper");
                    if (ours && !(exported.contains(shown.getPackageName()) && isVisible(shown))) {
                        leaks.add(type.getName() + " shows " + shown.getName());
                    }
                }
            }
        }

        assertThat(looked).as("types looked at").isGreaterThan(50);
        assertThat(leaks).isEmpty();
    }

    private static boolean isVisible(Class<?> type) {
        for (Class<?> each = type; each != null; each = each.getEnclosingClass()) {
            if (!Modifier.isPublic(each.getModifiers()) && !Modifier.isProtected(each.getModifiers())) {
                return false;
            }
        }
        return true;
    }

    private static Set<Class<?>> shownBy(Class<?> type) {
        Set<Type> shown = new LinkedHashSet<>();
        shown.add(type.getGenericSuperclass());
        shown.addAll(List.of(type.getGenericInterfaces()));
        for (Method method : type.getDeclaredMethods()) {
            if (isShown(method.getModifiers()) && !method.isSynthetic()) {
                shown.add(method.getGenericReturnType());
                shown.addAll(List.of(method.getGenericParameterTypes()));
                shown.addAll(List.of(method.getGenericExceptionTypes()));
            }
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (isShown(constructor.getModifiers())) {
                shown.addAll(List.of(constructor.getGenericParameterTypes()));
            }
        }
        for (Field field : type.getDeclaredFields()) {
            if (isShown(field.getModifiers())) {
                shown.add(field.getGenericType());
            }
        }
        Set<Class<?>> classes = new HashSet<>();
        shown.forEach(each -> collect(each, classes, new HashSet<>()));
        return classes;
    }

    private static boolean isShown(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    private static void collect(Type type, Set<Class<?>> into, Set<Type> seen) {
        if (type == null || !seen.add(type)) {
            return;
        }
        if (type instanceof Class<?> plain) {
            into.add(plain.isArray() ? plain.getComponentType() : plain);
        } else if (type instanceof ParameterizedType generic) {
            collect(generic.getRawType(), into, seen);
            for (Type argument : generic.getActualTypeArguments()) {
                collect(argument, into, seen);
            }
        } else if (type instanceof GenericArrayType array) {
            collect(array.getGenericComponentType(), into, seen);
        } else if (type instanceof WildcardType wildcard) {
            for (Type bound : wildcard.getUpperBounds()) {
                collect(bound, into, seen);
            }
            for (Type bound : wildcard.getLowerBounds()) {
                collect(bound, into, seen);
            }
        } else if (type instanceof TypeVariable<?> variable) {
            for (Type bound : variable.getBounds()) {
                collect(bound, into, seen);
            }
        }
    }

    /** Tokens of readers and permits order nothing, so a guard must not even accept their holds. */
    @Test
    void guardsTakeExclusiveHoldsOnlyByType() {
        Set<Class<?>> taken = new HashSet<>();
        for (Method method : Fencing.class.getDeclaredMethods()) {
            if (!method.isSynthetic()) {
                for (Class<?> parameter : method.getParameterTypes()) {
                    if (Hold.class.isAssignableFrom(parameter)) {
                        taken.add(parameter);
                    }
                }
            }
        }

        assertThat(taken).containsExactly(ExclusiveHold.class);
        assertThat(ExclusiveHold.class.isAssignableFrom(Permit.class)).isFalse();
        assertThat(SharedLock.class.getGenericInterfaces()[0].getTypeName()).doesNotContain("ExclusiveHold");
    }
}
