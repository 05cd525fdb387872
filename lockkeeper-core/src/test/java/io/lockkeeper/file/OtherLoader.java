package io.lockkeeper.file;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A {@link StoreProgram} of a second copy of the library in this JVM. */
final class OtherLoader implements UnaryOperator<String>, AutoCloseable {

    private final URLClassLoader loader;
    private final UnaryOperator<String> program;

    @SuppressWarnings("unchecked")
    OtherLoader(Path folder) throws Exception {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<URL> urls = new ArrayList<>();
        for (String entry : classPath.split("[\n" + File.pathSeparator + "]")) {
            urls.add(Path.of(entry).toUri().toURL());
        }
        loader = new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
        Class<?> type = loader.loadClass(StoreProgram.class.getName());
        if (type == StoreProgram.class) {
            throw new IllegalStateException("the same class");
        }
        program = (UnaryOperator<String>) type.getConstructor(String.class).newInstance(folder.toString());
    }

    @Override
    public String apply(String command) {
        return program.apply(command);
    }

    ClassLoader loader() {
        return loader;
    }

    void closeStore() throws Exception {
        ((AutoCloseable) program).close();
    }

    @Override
    public void close() throws Exception {
        closeStore();
        loader.close();
    }
}
