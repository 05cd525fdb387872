package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.lockkeeper.testkit.contract.AboutTime;
import java.io.File;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The adapter with each supported version of Jedis, whatever it was compiled against. Each version has a class loader of its own,
 * in which the module, its tests and that Jedis are loaded.
 */
class JedisAdapterTest {

    private static final List<String> FIT = List.of("5.2.0", "6.0.0", "7.0.0", "7.4.1", "8.0.2");

    private static final Path JARS = Path.of("target", "jedis");

    /** The JDK shares a jar that is open between class loaders, and the first loader that is closed would close it for the others. */
    @BeforeAll
    static void shareNoJars() {
        URLConnection.setDefaultUseCaches("jar", false);
    }

    /** They mostly wait for servers of their own, so all run at once. */
    @TestFactory
    @Execution(ExecutionMode.CONCURRENT)
    Stream<DynamicContainer> eachVersionThatFits() {
        return each(FIT, false);
    }

    /** The keeper counts the time, above the client; so the oldest and the newest are enough. */
    @TestFactory
    @AboutTime
    Stream<DynamicContainer> theOldestAndTheNewestKeepTime() {
        return each(List.of(FIT.get(0), FIT.get(FIT.size() - 1)), true);
    }

    @TestFactory
    @AboutTime
    @Tag("full")
    Stream<DynamicContainer> theVersionsBetweenKeepTime() {
        return each(FIT.subList(1, FIT.size() - 1), true);
    }

    private static Stream<DynamicContainer> each(List<String> versions, boolean aboutTime) {
        return versions.stream()
                .map(version -> DynamicContainer.dynamicContainer("Jedis " + version, scenes(version, aboutTime)));
    }

    private static Stream<DynamicTest> scenes(String version, boolean aboutTime) {
        return Arrays.stream(JedisCases.class.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()))
                .filter(method -> method.isAnnotationPresent(AboutTime.class) == aboutTime)
                .sorted(Comparator.comparing(Method::getName))
                .map(scene -> DynamicTest.dynamicTest(
                        scene.getName() + " (Jedis " + version + ")", () -> play(version, scene.getName())));
    }

    private static void play(String version, String scene) throws Throwable {
        try (URLClassLoader loader = loader(version)) {
            ClassLoader before = Thread.currentThread().getContextClassLoader();
            Thread.currentThread().setContextClassLoader(loader);
            try {
                loader.loadClass(JedisCases.class.getName()).getMethod(scene).invoke(null);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            } finally {
                Thread.currentThread().setContextClassLoader(before);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.10.0", "4.4.8"})
    void aVersionThatDoesNotFitSaysSo(String version) throws Exception {
        try (URLClassLoader loader = loader(version)) {
            Class<?> type = loader.loadClass("redis.clients.jedis.JedisPool");
            try (AutoCloseable pool =
                    (AutoCloseable) type.getConstructor(String.class, int.class).newInstance("127.0.0.1", 1)) {
                // As a compiled call does: it looks at no other method of the class.
                MethodHandle of = MethodHandles.publicLookup()
                        .findStatic(
                                loader.loadClass(JedisAdapter.class.getName()),
                                "of",
                                MethodType.methodType(
                                        loader.loadClass(RedisClientAdapter.class.getName()),
                                        loader.loadClass("redis.clients.jedis.util.Pool")));
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> of.invoke(pool))
                        .withMessageStartingWith("Jedis " + version + " on the class path")
                        .withMessageContaining("use Jedis 5.2 or newer")
                        .withMessageContaining("redis://");
            }
        }
    }

    /** All that the tests have, but of Jedis this version. */
    private static URLClassLoader loader(String version) throws IOException {
        Path jedis = JARS.resolve("jedis-" + version + ".jar");
        assertThat(jedis).as("mvn process-test-resources puts it there").isRegularFile();
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                .split(File.pathSeparator)) {
            if (!Path.of(entry).getFileName().toString().matches("jedis-[0-9].*|commons-pool2-.*|redis-authx-.*")) {
                urls.add(url(Path.of(entry)));
            }
        }
        urls.add(url(jedis));
        try (Stream<Path> others = Files.list(JARS)) {
            for (Path jar : others.filter(jar -> !jar.getFileName().toString().startsWith("jedis-"))
                    .toList()) {
                urls.add(url(jar));
            }
        }
        return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    private static URL url(Path path) throws MalformedURLException {
        return path.toUri().toURL();
    }
}
