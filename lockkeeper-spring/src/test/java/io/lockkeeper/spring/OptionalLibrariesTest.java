package io.lockkeeper.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Enumeration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Configuration;

/** An application starts and locks without the libraries that Lockkeeper can work with but does not need. */
class OptionalLibrariesTest {

    @Configuration
    @EnableLockkeeper
    static class Config {}

    static class Service {
        @Locked("a")
        public boolean isHeld() {
            return Holds.current().isHeld();
        }
    }

    /** Loaded anew, with everything that it uses. */
    public static final class Scene implements Runnable {
        @Override
        public void run() {
            try (App app = App.of(Config.class, Service.class)) {
                if (!app.get(Service.class).isHeld() || !app.isFree("a")) {
                    throw new AssertionError("The method ran without its lock");
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io.lockkeeper.jdbc.",
                "org.springframework.jdbc.",
                "org.springframework.transaction.",
                "reactor.",
                "org.slf4j."
            })
    void anApplicationStartsWithout(String missing) throws Exception {
        ClassLoader loader = new Without(missing);
        Thread.currentThread().setContextClassLoader(loader);
        try {
            Class<?> scene = loader.loadClass(Scene.class.getName());
            assertThat(scene).isNotEqualTo(Scene.class);
            ((Runnable) scene.getConstructor().newInstance()).run();
        } finally {
            Thread.currentThread().setContextClassLoader(getClass().getClassLoader());
        }
    }

    /** Loads the classes of the test anew, except those of one package. */
    private static final class Without extends ClassLoader {

        private final ClassLoader all = OptionalLibrariesTest.class.getClassLoader();
        private final String missing;

        Without(String missing) {
            super(ClassLoader.getPlatformClassLoader());
            this.missing = missing;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            try (InputStream bytes = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (bytes == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] code = bytes.readAllBytes();
                return defineClass(name, code, 0, code.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }

        @Override
        protected URL findResource(String name) {
            return name.startsWith(missing.replace('.', '/')) ? null : all.getResource(name);
        }

        @Override
        protected Enumeration<URL> findResources(String name) throws IOException {
            return all.getResources(name);
        }
    }
}
