package io.lockkeeper.testkit.contract;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Knows all contracts, so that a backend's tests can prove that they left none out. */
public final class Contracts {

    private Contracts() {}

    /** The simple names of all contracts in this package. */
    public static Set<String> all() {
        try {
            URL here = Contracts.class.getResource("Contracts.class");
            if (here == null) {
                throw new IllegalStateException("The contracts can not be listed: their classes are not in files");
            }
            URI uri = here.toURI();
            if (uri.getScheme().equals("jar")) {
                try (FileSystem jar = FileSystems.newFileSystem(uri, Map.of())) {
                    return in(jar.getPath("/" + Contracts.class.getPackageName().replace('.', '/')));
                }
            }
            Path folder = Path.of(uri).getParent();
            return folder == null ? Set.of() : in(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The contracts that no class nested in that one runs. */
    public static Set<String> missingFrom(Class<?> suite) {
        Set<String> missing = new TreeSet<>(all());
        for (Class<?> nested : suite.getDeclaredClasses()) {
            for (Class<?> type = nested; type != null; type = type.getSuperclass()) {
                missing.remove(type.getSimpleName());
            }
        }
        return missing;
    }

    private static Set<String> in(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith("Contract.class"))
                    .map(file -> file.substring(0, file.length() - ".class".length()))
                    .filter(Contracts::isContract)
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static boolean isContract(String simpleName) {
        try {
            Class<?> type = Class.forName(Contracts.class.getPackageName() + "." + simpleName);
            return ContractTest.class.isAssignableFrom(type) && Modifier.isAbstract(type.getModifiers());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
