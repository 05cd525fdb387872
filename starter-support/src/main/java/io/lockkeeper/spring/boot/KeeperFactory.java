package io.lockkeeper.spring.boot;

import io.lockkeeper.KeeperListener;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperBuilder;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Backend;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.Environment;

/** Opens the keepers of an application: by URL, or in a store that the application has. */
final class KeeperFactory {

    /** The bean name of the keeper without a name of its own. */
    static final String MAIN = "lockkeeper";

    private static final int LONGEST_NOTE = 100;

    private final LockkeeperProperties properties;
    private final ObjectProvider<ApplicationStore> stores;
    private final ObjectProvider<KeeperListener> listeners;
    private final ObjectProvider<KeeperWatches> watches;
    private final ObjectProvider<LockkeeperBuilderCustomizer> customizers;
    private final String applicationName;

    KeeperFactory(
            LockkeeperProperties properties,
            ObjectProvider<ApplicationStore> stores,
            ObjectProvider<KeeperListener> listeners,
            ObjectProvider<KeeperWatches> watches,
            ObjectProvider<LockkeeperBuilderCustomizer> customizers,
            Environment environment) {
        this.properties = properties;
        this.stores = stores;
        this.listeners = listeners;
        this.watches = watches;
        this.customizers = customizers;
        String name = environment.getProperty("spring.application.name", "");
        this.applicationName = name.length() > LONGEST_NOTE ? name.substring(0, LONGEST_NOTE) : name;
    }

    /** Opens the keeper with that bean name. */
    Lockkeeper open(String keeper) {
        KeeperProperties main = properties.main();
        KeeperProperties named = properties.keepers().get(keeper);
        KeeperProperties settings = named == null ? main : named.orElse(main);
        LockkeeperBuilder builder = builder(keeper, settings);
        String prefix = settings.prefix() == null ? "" : settings.prefix();
        String url = settings.url();
        if (url != null) {
            return started(keeper, "at its URL", () -> new ManagedKeeper(builder.connect(url), prefix, null));
        }
        ApplicationStore store = choose(keeper, settings);
        return started(keeper, "in " + store.description(), () -> {
            Backend backend = store.backend(settings);
            try {
                return new ManagedKeeper(builder.open(backend), prefix, backend);
            } catch (RuntimeException | Error failed) {
                backend.close();
                throw failed;
            }
        });
    }

    private LockkeeperBuilder builder(String keeper, KeeperProperties settings) {
        LockkeeperBuilder builder = Lockkeeper.builder();
        builder.note(settings.note() == null ? applicationName : settings.note());
        if (settings.lease() != null) {
            builder.lease(settings.lease());
        }
        if (settings.commandTimeout() != null) {
            builder.commandTimeout(settings.commandTimeout());
        }
        if (Boolean.TRUE.equals(settings.lazy())) {
            builder.lazy();
        }
        List<KeeperListener> told = new ArrayList<>(listeners.orderedStream().toList());
        watches.ifAvailable(all -> told.add(all.begin(keeper)));
        if (!told.isEmpty()) {
            builder.listener(told.size() == 1 ? told.get(0) : new KeeperListeners(told));
        }
        customizers.orderedStream().forEach(customizer -> customizer.customize(keeper, builder));
        return builder;
    }

    private ApplicationStore choose(String keeper, KeeperProperties settings) {
        List<ApplicationStore> found = stores.orderedStream()
                .filter(store -> settings.store() == null || settings.store() == store.choice())
                .toList();
        if (found.size() == 1) {
            return found.get(0);
        }
        String property = property(keeper, "");
        if (found.isEmpty() && settings.store() != null) {
            throw new KeeperStartException(
                    property + "store=" + settings.store() + " names a store that the application does not have",
                    switch (settings.store()) {
                        case DATA_SOURCE ->
                            "Add io.lockkeeper:lockkeeper-jdbc and configure a DataSource, or set " + property + "url.";
                        case REDIS ->
                            "Add io.lockkeeper:lockkeeper-redis and spring-boot-starter-data-redis, or set " + property
                                    + "url.";
                    });
        }
        if (found.isEmpty()) {
            throw new KeeperStartException(
                    "Lockkeeper has no store: " + property
                            + "url is not set, and the application has neither a DataSource"
                            + " with lockkeeper-jdbc nor Spring Data Redis with lockkeeper-redis",
                    "Set " + property + "url, for example " + property + "url=redis://localhost:6379 (with"
                            + " io.lockkeeper:lockkeeper-redis), or " + property + "url=memory: for a single process.");
        }
        throw new KeeperStartException(
                "Lockkeeper could keep locks in " + found.get(0).description() + " or in "
                        + found.get(1).description() + ", and was not told in which",
                "Choose with " + property + "store=" + found.get(0).choice() + " or " + property + "store="
                        + found.get(1).choice() + ", or set " + property + "url.");
    }

    private static String property(String keeper, String name) {
        return (keeper.equals(MAIN) ? "lockkeeper." : "lockkeeper.keepers." + keeper + ".") + name;
    }

    private static Lockkeeper started(String keeper, String where, Opening opening) {
        try {
            return opening.open();
        } catch (StoreUnavailableException silent) {
            throw new KeeperStartException(
                    "The store of the keeper '" + keeper + "', " + where + ", cannot be reached: "
                            + silent.getMessage(),
                    "Start the store, correct " + property(keeper, "url") + " or the application's own settings of the"
                            + " store, or set " + property(keeper, "lazy")
                            + "=true so that the application starts before"
                            + " its store.",
                    silent);
        } catch (IllegalArgumentException malformed) {
            throw new KeeperStartException(
                    "The keeper '" + keeper + "' cannot be opened " + where + ": " + malformed.getMessage(),
                    "Correct " + property(keeper, "url") + ", or add the artifact that the sentence names.",
                    malformed);
        } catch (LockkeeperException refused) {
            throw new KeeperStartException(
                    "The store of the keeper '" + keeper + "', " + where + ", refused it: " + refused.getMessage(),
                    "Do what the sentence says, or choose another store with " + property(keeper, "url") + ".",
                    refused);
        }
    }

    /** Opens a keeper. */
    private interface Opening {
        Lockkeeper open();
    }
}
