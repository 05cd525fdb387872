package io.lockkeeper.benchmarks.scenario;

import io.lockkeeper.benchmarks.crew.Crew;
import io.lockkeeper.benchmarks.peer.Feature;
import io.lockkeeper.benchmarks.peer.Libraries;
import io.lockkeeper.benchmarks.peer.Library;
import io.lockkeeper.benchmarks.site.Site;
import io.lockkeeper.benchmarks.site.Sites;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** What the scenarios of a run share: stores, processes, settings. */
public final class Stage implements AutoCloseable {

    private final Pace pace;
    private final Set<String> peers;
    private final Consumer<String> progress;
    private final Sites sites = new Sites();
    private final Map<String, Crew> crews = new LinkedHashMap<>();

    /** @param peers ids of the libraries that take part; empty for all */
    public Stage(Pace pace, Set<String> peers, Consumer<String> progress) {
        this.pace = pace;
        this.peers = peers;
        this.progress = progress;
    }

    public Pace pace() {
        return pace;
    }

    /** Of these libraries those that take part and have that feature; of many the first two, if it need only run. */
    List<Library> cast(List<String> ids, Feature feature) {
        return ids.stream()
                .filter(this::takesPart)
                .map(Libraries::named)
                .filter(library -> library.can(feature))
                .limit(pace.smokes() ? 2 : Long.MAX_VALUE)
                .toList();
    }

    /** The processes that take part, out of this many. */
    int processes(int wanted) {
        return pace.smokes() ? Math.min(2, wanted) : wanted;
    }

    /** Lockkeeper always does, apart from its other settings of the same row. */
    private boolean takesPart(String id) {
        boolean ours = id.startsWith(Library.OURS) && !id.equals("lockkeeper-nohandoff");
        return ours || peers.isEmpty() || peers.contains(id);
    }

    Site site(String backend) {
        return sites.of(backend);
    }

    /** The processes of that library on that store; they stay until the run ends. */
    Crew crew(Library library, Site site) {
        return crews.computeIfAbsent(library.id() + "@" + site.url(), any -> new Crew(library, site.url()));
    }

    /** Ends all processes, after one of them has failed: nobody knows what the others still do. */
    public void dismissAll() {
        crews.values().forEach(Crew::close);
        crews.clear();
    }

    /** What the stores are, for the page. */
    public String versions() {
        return sites.versions();
    }

    /** Ends that library's processes on that store. */
    void dismiss(Library library, Site site) {
        Crew crew = crews.remove(library.id() + "@" + site.url());
        if (crew != null) {
            crew.close();
        }
    }

    /** Ends the processes on that store. */
    void dismiss(Site site) {
        crews.entrySet().removeIf(entry -> {
            boolean there = entry.getKey().endsWith("@" + site.url());
            if (there) {
                entry.getValue().close();
            }
            return there;
        });
    }

    void say(String what) {
        progress.accept(what);
    }

    static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }

    @Override
    public void close() {
        dismissAll();
        sites.close();
    }
}
