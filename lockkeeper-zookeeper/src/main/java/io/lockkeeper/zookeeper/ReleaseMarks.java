package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.RetentionTimes;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;

/**
 * Marks beside the claims of <em>other</em> keepers that this one has ended by their ids: nodes of this session, which say to the
 * claim's own keeper that it was released and not deleted by hand, and refuse a late repeat of the claim.
 *
 * <p><b>Invariant.</b> The node of the claim goes and the mark comes in one step. Were the mark second, the holder could look in between
 * and say that its lock was taken; were it first and the rest never sent, a claim that holds would be refused.
 *
 * <p>A mark goes after the time of a tombstone, or with this session if that ends sooner; then the holder is told another reason.
 */
final class ReleaseMarks {

    private final Layout layout;
    private final Clocks clocks;
    /** When the marks of this keeper go, by claim id. */
    private final Map<String, Long> ends = new ConcurrentHashMap<>();

    ReleaseMarks(Layout layout, Clocks clocks) {
        this.layout = layout;
        this.clocks = clocks;
    }

    private String path(String claimId) {
        return layout.released() + "/" + PathText.encode(claimId);
    }

    /** Deletes the node of a claim and leaves a mark; false if the node was not there. */
    boolean release(LiveSession in, String node, String claimId, Duration lease, Deadline until) {
        ends.put(claimId, clocks.now().mono() + RetentionTimes.tombstone(lease).toNanos());
        for (int i = 0; i < ZookeeperPolicy.LOOKS; i++) {
            try {
                Wire.await(
                        in.wire.multi(Op.delete(node, -1), in.wire.creation(path(claimId), "", CreateMode.EPHEMERAL)),
                        until);
                return true;
            } catch (KeeperException.NodeExistsException markedBefore) {
                return Wire.ifThere(in.wire.delete(node, -1), until) != null;
            } catch (KeeperException.NoNodeException missing) {
                if (Wire.ifThere(in.wire.read(node, null), until) == null) {
                    return false;
                }
                Roots.ensure(in.wire, layout.released(), CreateMode.PERSISTENT, until);
            } catch (KeeperException failure) {
                throw Wire.failed(failure);
            }
        }
        return false;
    }

    /** Whether some keeper has ended that claim, which was not its own; the answer may be waited for later. */
    CompletableFuture<Boolean> has(LiveSession in, String claimId) {
        return in.wire.read(path(claimId), null).handle((mark, missing) -> mark != null);
    }

    /** Removes those that are old enough. */
    void clean(LiveSession in) {
        long now = clocks.now().mono();
        ends.forEach((claimId, end) -> {
            if (end - now < 0 && ends.remove(claimId, end)) {
                in.wire.delete(path(claimId), -1);
            }
        });
    }
}
