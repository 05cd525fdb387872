package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.testkit.BackendFixture;
import io.lockkeeper.testkit.contract.AboutTime;
import io.lockkeeper.testkit.contract.AcquireContract;
import io.lockkeeper.testkit.contract.AsyncContract;
import io.lockkeeper.testkit.contract.AsyncOwnerContract;
import io.lockkeeper.testkit.contract.Contract;
import io.lockkeeper.testkit.contract.Contracts;
import io.lockkeeper.testkit.contract.DowngradeContract;
import io.lockkeeper.testkit.contract.ExchangeContract;
import io.lockkeeper.testkit.contract.ExtendContract;
import io.lockkeeper.testkit.contract.FairContract;
import io.lockkeeper.testkit.contract.FencingContract;
import io.lockkeeper.testkit.contract.FixedLeaseContract;
import io.lockkeeper.testkit.contract.HandOffContract;
import io.lockkeeper.testkit.contract.IsolationContract;
import io.lockkeeper.testkit.contract.KeeperContract;
import io.lockkeeper.testkit.contract.LatchContract;
import io.lockkeeper.testkit.contract.LatchFaultContract;
import io.lockkeeper.testkit.contract.LazyKeeperContract;
import io.lockkeeper.testkit.contract.LeaderElectionContract;
import io.lockkeeper.testkit.contract.LeaderLossContract;
import io.lockkeeper.testkit.contract.LeaderTaskContract;
import io.lockkeeper.testkit.contract.LeakContract;
import io.lockkeeper.testkit.contract.LeaseContract;
import io.lockkeeper.testkit.contract.ListenerContract;
import io.lockkeeper.testkit.contract.ListenerFaultContract;
import io.lockkeeper.testkit.contract.LossContract;
import io.lockkeeper.testkit.contract.LostOwnerContract;
import io.lockkeeper.testkit.contract.LostRepliesContract;
import io.lockkeeper.testkit.contract.MajorityLockContract;
import io.lockkeeper.testkit.contract.MultiLockAsMutexContract;
import io.lockkeeper.testkit.contract.MultiLockContract;
import io.lockkeeper.testkit.contract.MultiLockLossContract;
import io.lockkeeper.testkit.contract.MultiLockOwnershipContract;
import io.lockkeeper.testkit.contract.NamesContract;
import io.lockkeeper.testkit.contract.OwnershipContract;
import io.lockkeeper.testkit.contract.PermitLeaseContract;
import io.lockkeeper.testkit.contract.PortablePermitContract;
import io.lockkeeper.testkit.contract.ReadWriteContract;
import io.lockkeeper.testkit.contract.ReaderFairnessContract;
import io.lockkeeper.testkit.contract.RefusalContract;
import io.lockkeeper.testkit.contract.ReleaseContract;
import io.lockkeeper.testkit.contract.RequestLocksContract;
import io.lockkeeper.testkit.contract.SegmentedLockAsMutexContract;
import io.lockkeeper.testkit.contract.SegmentedLockContract;
import io.lockkeeper.testkit.contract.SemaphoreAsMutexContract;
import io.lockkeeper.testkit.contract.SemaphoreContract;
import io.lockkeeper.testkit.contract.SemaphoreSizeContract;
import io.lockkeeper.testkit.contract.SemaphoreWaitingContract;
import io.lockkeeper.testkit.contract.ServerFaultContract;
import io.lockkeeper.testkit.contract.StickyContract;
import io.lockkeeper.testkit.contract.StickyFaultContract;
import io.lockkeeper.testkit.contract.StoreContract;
import io.lockkeeper.testkit.contract.StoreModesContract;
import io.lockkeeper.testkit.contract.TimeoutContract;
import io.lockkeeper.testkit.contract.TokenContract;
import io.lockkeeper.testkit.contract.UnavailableContract;
import io.lockkeeper.testkit.contract.ViewContract;
import io.lockkeeper.testkit.contract.WaitingContract;
import io.lockkeeper.testkit.contract.WriteLockAsMutexContract;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every contract on a Redis cluster. Cases that stop servers have a cluster of their own. */
@Tag("once")
final class RedisClusterContractTest {

    /** Its cases about time are those of {@link RedisContractTest}: the same scripts and clocks. */
    @Tag(AboutTime.ELSEWHERE)
    interface OnCluster extends Contract {
        @Override
        default BackendFixture newFixture() {
            return RedisFixture.sharing(Objects.requireNonNull(servers));
        }
    }

    private static @Nullable Servers servers;

    @BeforeAll
    static void start() {
        servers = new ClusterServers();
    }

    @AfterAll
    static void stop() {
        Objects.requireNonNull(servers).close();
    }

    @Test
    void noContractIsLeftOut() {
        assertThat(Contracts.missingFrom(RedisClusterContractTest.class)).isEmpty();
    }

    @Nested
    class Acquire extends AcquireContract implements OnCluster {}

    @Nested
    class AsyncOwner extends AsyncOwnerContract implements OnCluster {}

    @Nested
    class Async extends AsyncContract implements OnCluster {}

    @Nested
    class Downgrade extends DowngradeContract implements OnCluster {}

    @Nested
    class Exchange extends ExchangeContract implements OnCluster {}

    @Nested
    class Extend extends ExtendContract implements OnCluster {}

    @Nested
    class Fair extends FairContract implements OnCluster {}

    @Nested
    class Fencing extends FencingContract implements OnCluster {}

    @Nested
    class FixedLease extends FixedLeaseContract implements OnCluster {}

    @Nested
    class HandOff extends HandOffContract implements OnCluster {}

    @Nested
    class Isolation extends IsolationContract implements OnCluster {}

    @Nested
    class Keeper extends KeeperContract implements OnCluster {}

    @Nested
    class Latch extends LatchContract implements OnCluster {}

    @Nested
    class LatchFault extends LatchFaultContract implements OnCluster {}

    @Nested
    class LeaderElection extends LeaderElectionContract implements OnCluster {}

    @Nested
    class LeaderLoss extends LeaderLossContract implements OnCluster {}

    @Nested
    class LeaderTask extends LeaderTaskContract implements OnCluster {}

    @Nested
    class Leak extends LeakContract implements OnCluster {}

    @Nested
    class Lease extends LeaseContract implements OnCluster {}

    @Nested
    class Listener extends ListenerContract implements OnCluster {}

    @Nested
    class ListenerFault extends ListenerFaultContract implements OnCluster {}

    @Nested
    class Loss extends LossContract implements OnCluster {}

    @Nested
    class LostOwner extends LostOwnerContract implements OnCluster {}

    @Nested
    class LostReplies extends LostRepliesContract implements OnCluster {}

    @Nested
    class MultiLockAsMutex extends MultiLockAsMutexContract implements OnCluster {}

    @Nested
    class MajorityLock extends MajorityLockContract implements OnCluster {}

    @Nested
    class MultiLock extends MultiLockContract implements OnCluster {}

    @Nested
    class MultiLockLoss extends MultiLockLossContract implements OnCluster {}

    @Nested
    class MultiLockOwnership extends MultiLockOwnershipContract implements OnCluster {}

    @Nested
    class View extends ViewContract implements OnCluster {}

    @Nested
    class Names extends NamesContract implements OnCluster {}

    @Nested
    class Ownership extends OwnershipContract implements OnCluster {}

    @Nested
    class PermitLease extends PermitLeaseContract implements OnCluster {}

    @Nested
    class PortablePermit extends PortablePermitContract implements OnCluster {}

    @Nested
    class ReadWrite extends ReadWriteContract implements OnCluster {}

    @Nested
    class ReaderFairness extends ReaderFairnessContract implements OnCluster {}

    @Nested
    class RequestLocks extends RequestLocksContract implements OnCluster {}

    @Nested
    class LazyKeeper extends LazyKeeperContract implements OnCluster {}

    @Nested
    class Timeout extends TimeoutContract implements OnCluster {}

    @Nested
    class Refusal extends RefusalContract implements OnCluster {}

    @Nested
    class Release extends ReleaseContract implements OnCluster {}

    @Nested
    class SegmentedLockAsMutex extends SegmentedLockAsMutexContract implements OnCluster {}

    @Nested
    class SegmentedLock extends SegmentedLockContract implements OnCluster {}

    @Nested
    class SemaphoreAsMutex extends SemaphoreAsMutexContract implements OnCluster {}

    @Nested
    class Semaphore extends SemaphoreContract implements OnCluster {}

    @Nested
    class SemaphoreWaiting extends SemaphoreWaitingContract implements OnCluster {}

    @Nested
    class SemaphoreSize extends SemaphoreSizeContract implements OnCluster {}

    @Nested
    class ServerFault extends ServerFaultContract {
        @Override
        public BackendFixture newFixture() {
            return RedisFixture.alone(new ClusterServers());
        }
    }

    @Nested
    class Sticky extends StickyContract implements OnCluster {}

    @Nested
    class StickyFault extends StickyFaultContract implements OnCluster {}

    @Nested
    class Store extends StoreContract implements OnCluster {}

    @Nested
    class StoreModes extends StoreModesContract implements OnCluster {}

    @Nested
    class Token extends TokenContract implements OnCluster {}

    @Nested
    class Unavailable extends UnavailableContract implements OnCluster {}

    @Nested
    class Waiting extends WaitingContract implements OnCluster {}

    @Nested
    class WriteLockAsMutex extends WriteLockAsMutexContract implements OnCluster {}
}
