package io.lockkeeper.zookeeper;

import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.ExchangeStore;
import io.lockkeeper.spi.Exchanged;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The end of claims: of one by its id, of one with another claim behind it, and of all that hold a resource.
 *
 * <p><b>Invariant.</b> A release that does not find the node under the name that is known here looks for the claim's id: a narrowing
 * that was under way may have renamed it. Were it taken for gone, everybody behind it would wait for as long as this keeper lives.
 */
final class Releases {

    private final Layout layout;
    private final Keeper keeper;
    private final Clocks clocks;
    private final Tombstones tombstones;
    private final Sessions sessions;
    private final ZookeeperSizes sizes;
    private final Places places;
    private final Attempts attempts;
    private final ReleaseMarks marks;

    Releases(
            Layout layout,
            Keeper keeper,
            Tombstones tombstones,
            Sessions sessions,
            ZookeeperSizes sizes,
            Places places,
            Attempts attempts,
            ReleaseMarks marks) {
        this.layout = layout;
        this.keeper = keeper;
        this.clocks = keeper.clocks();
        this.tombstones = tombstones;
        this.sessions = sessions;
        this.sizes = sizes;
        this.places = places;
        this.attempts = attempts;
        this.marks = marks;
    }

    Release.Outcome release(Release release) {
        if (release.unanswered()) {
            tombstones.add(release.claimId(), release.lease());
        }
        Deadline until = Deadline.in(release.timeout());
        LiveSession in = sessions.current(until);
        OwnNode mine = in.own(release.claimId());
        if (mine != null) {
            return released(in, release, mine, in.wire.delete(mine.path(), -1), until);
        }
        return releaseById(in, release, until);
    }

    private Release.Outcome released(
            LiveSession in, Release release, OwnNode mine, CompletableFuture<Boolean> deletion, Deadline until) {
        in.remove(mine);
        if (Wire.ifThere(deletion, until) == null) {
            return releaseById(in, release, until);
        }
        return mine.isGranted() ? Release.Outcome.RELEASED : Release.Outcome.NOT_HELD;
    }

    /**
     * A claim of which nothing is known here: a reply was lost, a narrowing has renamed the node, or it is that of another keeper or of
     * the application.
     */
    private Release.Outcome releaseById(LiveSession in, Release release, Deadline until) {
        in.wire.sync(layout.root());
        String folder = layout.queue(release.resource());
        boolean held = false;
        for (int i = 0; i < ZookeeperPolicy.LOOKS; i++) {
            Queue queue = Queue.of(Wire.ifThere(in.wire.children(folder, null), until));
            NodeName name = queue.find(release.claimId());
            if (name == null) {
                return held ? Release.Outcome.RELEASED : Release.Outcome.NOT_HELD;
            }
            int size = name.kind() == 'p' ? sizes.size(in, release.resource(), until) : 0;
            Queue.Verdict verdict = queue.verdict(name, size);
            boolean holds = verdict != null && verdict.holds();
            if (delete(in, release, folder + "/" + name, until)) {
                if (!name.isRequest()) {
                    return holds ? Release.Outcome.RELEASED : Release.Outcome.NOT_HELD;
                }
                // Another process may have made a node for the same id at the same moment.
                held |= holds;
            }
        }
        throw new StoreUnavailableException("The claim on " + release.resource() + " changes again and again");
    }

    private boolean delete(LiveSession in, Release release, String path, Deadline until) {
        if (release.unanswered()) {
            Wire.Node node = Wire.ifThere(in.wire.read(path, null), until);
            if (node == null) {
                return false;
            }
            if (!NodeData.read(node.text()).keeper().equals(keeper.id())) {
                return marks.release(in, path, release.claimId(), release.lease(), until);
            }
        }
        return Wire.ifThere(in.wire.delete(path, -1), until) != null;
    }

    /** The deletion, the creation and the reading of the folder are under way at once. */
    Exchanged exchange(Store store, Release release, Claim next) {
        Deadline until = Deadline.in(release.timeout());
        LiveSession in;
        try {
            in = sessions.current(until);
        } catch (StoreUnavailableException failure) {
            return Exchanged.unanswered(failure);
        }
        OwnNode mine = in.own(release.claimId());
        if (mine == null || release.unanswered() || next.mode() instanceof Mode.Permits || tombstones.has(next.id())) {
            return ExchangeStore.inTwoRequests(store, release, next);
        }
        Moment sentAt = clocks.now();
        in.catchUp();
        CompletableFuture<Boolean> deletion = in.wire.delete(mine.path(), -1);
        Places.Joining joining = places.join(in, next);
        Release.Outcome outcome = null;
        RuntimeException releaseFailure = null;
        try {
            outcome = released(in, release, mine, deletion, until);
        } catch (RuntimeException failure) {
            releaseFailure = failure;
        }
        try {
            Places.Joined made = places.joined(in, next, joining, until);
            Answer answer = attempts.judge(in, next, made.node(), made.children(), Integer.MAX_VALUE, sentAt, until);
            return new Exchanged(outcome, releaseFailure, answer, null);
        } catch (RuntimeException failure) {
            return new Exchanged(outcome, releaseFailure, null, failure);
        }
    }

    /** Deletes the nodes of all that hold; each holder learns of it when its keeper looks next. */
    boolean forceRelease(Resource resource) {
        Deadline until = Deadline.in(keeper.commandTimeout());
        LiveSession in = sessions.current(until);
        in.catchUp();
        String folder = layout.queue(resource);
        List<String> children = Wire.ifThere(in.wire.children(folder, null), until);
        Queue queue = Queue.of(children);
        int size = queue.names().stream().anyMatch(name -> name.kind() == 'p') ? sizes.size(in, resource, until) : 0;
        List<CompletableFuture<Boolean>> deletions = new ArrayList<>();
        for (NodeName name : queue.names()) {
            Queue.Verdict verdict = queue.verdict(name, size);
            if (verdict != null && verdict.holds()) {
                deletions.add(in.wire.delete(folder + "/" + name, -1));
            }
        }
        boolean any = false;
        for (CompletableFuture<Boolean> deletion : deletions) {
            any |= Wire.ifThere(deletion, until) != null;
        }
        return any;
    }
}
