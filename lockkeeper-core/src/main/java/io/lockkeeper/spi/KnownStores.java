package io.lockkeeper.spi;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The stores that messages may recommend: those whose providers are on the class path, and those of this project's modules that
 * could be.
 *
 * <p><b>Invariant.</b> Nothing is recommended that does not exist. A module is listed here when it is released, not when it is
 * planned; tests compare what is listed with the module itself.
 */
public final class KnownStores {

    /**
     * A store of this project that no provider in this module speaks for.
     *
     * @param name the name of the store in messages
     * @param artifact the module that has it, of the group {@code io.lockkeeper}; null if it is in this one
     * @param schemes of its URLs
     * @param capabilities what it can do at most
     */
    public record Listed(String name, @Nullable String artifact, Set<String> schemes, Set<Capability> capabilities) {}

    private static final List<Listed> LISTED = List.of(
            new Listed(
                    "quorum",
                    null,
                    Set.of(),
                    Set.of(
                            Capability.SHARED,
                            Capability.PERMITS,
                            Capability.EXTEND,
                            Capability.FORCE_RELEASE,
                            Capability.EXPIRES,
                            Capability.LEASES,
                            Capability.HOLDERS)),
            new Listed(
                    "Redis",
                    "lockkeeper-redis",
                    Set.of("redis", "rediss", "redis-sentinel", "redis-cluster", "redlock"),
                    Set.of(Capability.values())),
            new Listed("SQL", "lockkeeper-jdbc", Set.of("jdbc"), allBut(Capability.VOTES)),
            new Listed(
                    "ZooKeeper",
                    "lockkeeper-zookeeper",
                    Set.of("zk", "zookeeper"),
                    Set.of(
                            Capability.SHARED,
                            Capability.PERMITS,
                            Capability.QUEUE,
                            Capability.FAIR,
                            Capability.SIZES,
                            Capability.LATCH,
                            Capability.PORTABLE,
                            Capability.EXTEND,
                            Capability.FORCE_RELEASE,
                            Capability.EXPIRES,
                            Capability.SIGNALS,
                            Capability.HAND_OFF,
                            Capability.EXCHANGE,
                            Capability.STICKY,
                            Capability.HOLDERS)),
            new Listed(
                    "etcd", "lockkeeper-etcd", Set.of("etcd", "etcds"), allBut(Capability.LEASES, Capability.VOTES)));

    private static Set<Capability> allBut(Capability... missing) {
        EnumSet<Capability> all = EnumSet.allOf(Capability.class);
        for (Capability each : missing) {
            all.remove(each);
        }
        return Set.copyOf(all);
    }

    private KnownStores() {}

    /** The stores that are known without their providers. */
    public static List<Listed> listed() {
        return LISTED;
    }

    /** The artifact that has the store for URLs of that scheme; null if no module of this project has one. */
    public static @Nullable String artifactFor(String scheme) {
        for (Listed store : LISTED) {
            if (store.schemes().contains(scheme)) {
                return store.artifact();
            }
        }
        return null;
    }

    /** The names of all stores with that capability, in order, each with its artifact if that is not on the class path. */
    static List<String> with(Capability capability) {
        Set<String> present = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (BackendProvider provider : providers()) {
            present.add(provider.name());
            if (provider.capabilities().contains(capability)) {
                names.add(provider.name());
            }
        }
        for (Listed store : LISTED) {
            if (store.capabilities().contains(capability) && !present.contains(store.name())) {
                names.add(
                        store.artifact() == null
                                ? store.name()
                                : store.name() + " (io.lockkeeper:" + store.artifact() + ")");
            }
        }
        return List.copyOf(names);
    }

    /** The providers on the class path. One that cannot be loaded is left out: a message must not fail because of it. */
    private static List<BackendProvider> providers() {
        List<BackendProvider> providers = new ArrayList<>();
        Iterator<BackendProvider> found = ServiceLoader.load(BackendProvider.class, KnownStores.class.getClassLoader())
                .iterator();
        while (true) {
            try {
                if (!found.hasNext()) {
                    return providers;
                }
                providers.add(found.next());
            } catch (ServiceConfigurationError broken) {
                // The next one may be well.
            }
        }
    }
}
