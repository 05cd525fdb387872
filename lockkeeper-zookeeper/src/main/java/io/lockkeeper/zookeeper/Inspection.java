package io.lockkeeper.zookeeper;

import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Keeper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What is held, and by whom, for people: reads that change and decide nothing. */
final class Inspection {

    private final Layout layout;
    private final Keeper keeper;
    private final Clocks clocks;
    private final Sessions sessions;
    private final ZookeeperSizes sizes;

    Inspection(Layout layout, Keeper keeper, Sessions sessions, ZookeeperSizes sizes) {
        this.layout = layout;
        this.keeper = keeper;
        this.clocks = keeper.clocks();
        this.sessions = sessions;
        this.sizes = sizes;
    }

    Optional<ResourceState> inspect(Resource resource) {
        Deadline until = Deadline.in(keeper.commandTimeout());
        return sessions.read(until, in -> read(in, resource, until));
    }

    private Optional<ResourceState> read(LiveSession in, Resource resource, Deadline until) {
        String folder = layout.queue(resource);
        List<String> children = Wire.ifThere(in.wire.children(folder, null), until);
        Queue queue = Queue.of(children);
        if (queue.names().isEmpty()) {
            return Optional.empty();
        }
        boolean semaphore = queue.names().get(0).kind() == 'p';
        int size = semaphore ? sizes.size(in, resource, until) : 0;
        List<NodeName> holders = new ArrayList<>();
        List<CompletableFuture<Wire.Node>> nodes = new ArrayList<>();
        for (NodeName name : queue.names()) {
            Queue.Verdict verdict = queue.verdict(name, size);
            if (verdict != null && verdict.holds()) {
                holders.add(name);
                nodes.add(in.wire.read(folder + "/" + name, null));
            }
        }
        List<ResourceState.Grant> grants = new ArrayList<>();
        long serverNow = clocks.now().wall() / 1_000_000 + in.clockAhead;
        for (int i = 0; i < holders.size(); i++) {
            Wire.Node node = Wire.ifThere(nodes.get(i), until);
            if (node != null) {
                NodeData data = NodeData.read(node.text());
                NodeName name = holders.get(i);
                Duration age =
                        Duration.ofMillis(Math.max(0, serverNow - node.stat().getCtime()));
                Duration left = data.fixed() ? data.lease().minus(written(node, serverNow)) : data.lease();
                grants.add(new ResourceState.Grant(
                        data.holder(),
                        Places.firstToken(node),
                        name.isShared(),
                        name.permits(),
                        left.isNegative() ? Duration.ZERO : left,
                        age));
            }
        }
        int waiting = queue.names().size() - holders.size();
        return grants.isEmpty() && waiting == 0
                ? Optional.empty()
                : Optional.of(new ResourceState(resource, grants, waiting, size));
    }

    /** How long ago a node was written. */
    private static Duration written(Wire.Node node, long serverNow) {
        return Duration.ofMillis(Math.max(0, serverNow - node.stat().getMtime()));
    }

    List<ResourceState> list(String prefix) {
        LiveSession in = sessions.current(Deadline.in(keeper.commandTimeout()));
        in.catchUp();
        List<ResourceState> states = new ArrayList<>();
        for (Resource resource : named(in, prefix)) {
            read(in, resource, Deadline.in(keeper.commandTimeout())).ifPresent(states::add);
        }
        return states;
    }

    private List<Resource> named(LiveSession in, String prefix) {
        List<String> folders =
                Wire.ifThere(in.wire.children(layout.queues(), null), Deadline.in(keeper.commandTimeout()));
        List<Resource> named = new ArrayList<>();
        for (int from = 0; folders != null && from < folders.size(); from += ZookeeperPolicy.LISTED_AT_ONCE) {
            List<CompletableFuture<List<String>>> parts = new ArrayList<>();
            for (String folder :
                    folders.subList(from, Math.min(folders.size(), from + ZookeeperPolicy.LISTED_AT_ONCE))) {
                parts.add(in.wire.children(layout.queues() + "/" + folder, null));
            }
            for (CompletableFuture<List<String>> part : parts) {
                List<String> segments = Wire.ifThere(part, Deadline.in(keeper.commandTimeout()));
                for (String segment : segments == null ? List.<String>of() : segments) {
                    Resource resource = Layout.resource(segment);
                    if (resource != null && resource.name().startsWith(prefix)) {
                        named.add(resource);
                    }
                }
            }
        }
        String mutexes = layout.mutexes();
        if (mutexes != null) {
            List<String> names = Wire.ifThere(in.wire.children(mutexes, null), Deadline.in(keeper.commandTimeout()));
            for (String name : names == null ? List.<String>of() : names) {
                if (name.startsWith(prefix)) {
                    named.add(Resource.lock(name));
                }
            }
        }
        return named;
    }
}
