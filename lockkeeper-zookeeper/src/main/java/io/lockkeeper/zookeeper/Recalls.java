package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Keeper;
import java.time.Duration;
import java.util.List;
import org.apache.zookeeper.Watcher;

/**
 * Recalls of sticky grants: a claim that has to wait for one writes to its node, which the keeper that has it watches.
 *
 * <p><b>Invariant.</b> Each attempt that meets a sticky grant of another keeper recalls it. Were it recalled once, a lost notification
 * would leave the waiter behind a grant that nobody uses.
 */
final class Recalls {

    private final Keeper keeper;

    Recalls(Keeper keeper) {
        this.keeper = keeper;
    }

    /**
     * The claim has to wait. A sticky grant of another keeper that is in its way is recalled by a write to its node, which its keeper
     * watches: each time, since a notification may be lost.
     */
    Answer waiting(LiveSession in, String folder, List<NodeName> inTheWay, Duration poll, Deadline until) {
        boolean recalled = false;
        for (NodeName name : inTheWay) {
            if (name.sticky()) {
                Wire.Node node = Wire.ifThere(in.wire.read(folder + "/" + name, null), until);
                if (node != null && !NodeData.read(node.text()).keeper().equals(keeper.id())) {
                    in.wire.write(node.path(), node.text(), -1);
                    recalled = true;
                }
            }
        }
        return new Answer.Wait(poll, recalled);
    }

    /** Watches a sticky grant, so that it can be recalled. */
    void listen(LiveSession in, OwnNode mine) {
        in.wire.read(mine.path(), event -> {
            if (in.own(mine.name.claimId()) != mine) {
                return;
            }
            if (event.getType() == Watcher.Event.EventType.NodeDataChanged) {
                keeper.recall(mine.resource, mine.name.claimId());
                listen(in, mine);
            } else if (event.getType() == Watcher.Event.EventType.NodeDeleted) {
                keeper.signal(mine.resource);
            }
        });
    }
}
