package io.lockkeeper.testkit.contract;

import io.lockkeeper.spi.Capability;
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
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Knows all contracts, so that a backend's tests can prove that they left none out. */
public final class Contracts {

    private static final String MISSING = " is missing";

    private Contracts() {}

    /** The simple names of all contracts in this package. */
    public static Set<String> all() {
        try {
            URL here = Contracts.class.getResource("Contracts.class");
            if (here == null) {
                throw new IllegalStateException("The contracts cannot be listed: their classes are not in files");
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

    /**
     * The contracts that every store must keep and that no class nested in that one runs. {@link RefusalContract}, which is one of
     * them, looks at those for what only some stores offer.
     */
    public static Set<String> missingFrom(Class<?> suite) {
        return wrongWith(suite, EnumSet.noneOf(Capability.class)).stream()
                .filter(wrong -> wrong.endsWith(MISSING))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * What is wrong with the list of a suite: contracts that no class nested in it runs though the store {@linkplain Needs has what
     * they need}, and those that it runs though the store has not.
     *
     * @param offered what the store offers
     */
    static Set<String> wrongWith(Class<?> suite, Set<Capability> offered) {
        Set<String> listed = new TreeSet<>();
        for (Class<?> nested : suite.getDeclaredClasses()) {
            for (Class<?> type = nested; type != null; type = type.getSuperclass()) {
                listed.add(type.getSimpleName());
            }
        }
        Set<String> wrong = new TreeSet<>();
        for (String contract : all()) {
            boolean wanted =
                    offered.containsAll(needsOf(contract)) && Collections.disjoint(offered, exclusionsOf(contract));
            if (wanted && !listed.contains(contract)) {
                wrong.add(contract + MISSING);
            } else if (!wanted && listed.contains(contract)) {
                wrong.add(contract + " needs " + needsOf(contract) + ", and not " + exclusionsOf(contract));
            }
        }
        return wrong;
    }

    private static Set<Capability> needsOf(String contract) {
        return saidBy(contract, Needs::value);
    }

    private static Set<Capability> exclusionsOf(String contract) {
        return saidBy(contract, Needs::without);
    }

    private static Set<Capability> saidBy(String contract, Function<Needs, Capability[]> part) {
        EnumSet<Capability> said = EnumSet.noneOf(Capability.class);
        for (Class<?> type = contract(contract); type != null; type = type.getSuperclass()) {
            Needs needs = type.getDeclaredAnnotation(Needs.class);
            if (needs != null) {
                said.addAll(Arrays.asList(part.apply(needs)));
            }
        }
        return said;
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
        Class<?> type = contract(simpleName);
        return ContractTest.class.isAssignableFrom(type) && Modifier.isAbstract(type.getModifiers());
    }

    private static Class<?> contract(String simpleName) {
        try {
            return Class.forName(Contracts.class.getPackageName() + "." + simpleName);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
