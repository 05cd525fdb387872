package io.lockkeeper.shell;

import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.BackendProvider;
import io.lockkeeper.spi.KnownStores;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.TreeSet;

/** Finds the backend that a URL names. Messages name its scheme only: the rest may hold a password. */
final class BackendFinder {

    private BackendFinder() {}

    static Backend create(String url) {
        int colon = url.indexOf(':');
        if (colon < 1) {
            throw new IllegalArgumentException(
                    "A store's URL begins with a scheme and a colon, such as 'memory:' or 'file:/var/lib/locks'; this one has none");
        }
        String scheme = url.substring(0, colon).toLowerCase(Locale.ROOT);
        TreeSet<String> known = new TreeSet<>();
        for (BackendProvider provider :
                ServiceLoader.load(BackendProvider.class, BackendFinder.class.getClassLoader())) {
            if (provider.schemes().contains(scheme)) {
                return provider.create(url);
            }
            known.addAll(provider.schemes());
        }
        String artifact = KnownStores.artifactFor(scheme);
        throw new IllegalArgumentException(
                artifact == null
                        ? "No store is known for '" + scheme + ":'; on the class path are " + String.join(", ", known)
                        : "'" + scheme + ":' needs the artifact io.lockkeeper:" + artifact
                                + ", which is not on the class path; add it as a dependency");
    }
}
