package io.lockkeeper.zookeeper;

import io.lockkeeper.testkit.BackendFixture;
import io.lockkeeper.testkit.contract.AcquireContract;
import io.lockkeeper.testkit.contract.AsyncContract;
import io.lockkeeper.testkit.contract.AsyncOwnerContract;
import io.lockkeeper.testkit.contract.Contract;
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
import io.lockkeeper.testkit.contract.SessionContract;
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
import org.junit.jupiter.api.Nested;

/** Every contract on one server of ZooKeeper. */
final class ZookeeperContractTest {

    interface OnZookeeper extends Contract {
        @Override
        default BackendFixture newFixture() {
            return ZookeeperFixture.shared();
        }
    }

    @Nested
    class Acquire extends AcquireContract implements OnZookeeper {}

    @Nested
    class AsyncOwner extends AsyncOwnerContract implements OnZookeeper {}

    @Nested
    class Async extends AsyncContract implements OnZookeeper {}

    @Nested
    class Downgrade extends DowngradeContract implements OnZookeeper {}

    @Nested
    class Exchange extends ExchangeContract implements OnZookeeper {}

    @Nested
    class Extend extends ExtendContract implements OnZookeeper {}

    @Nested
    class RequestLocks extends RequestLocksContract implements OnZookeeper {}

    @Nested
    class Fair extends FairContract implements OnZookeeper {}

    @Nested
    class Fencing extends FencingContract implements OnZookeeper {}

    @Nested
    class FixedLease extends FixedLeaseContract implements OnZookeeper {}

    @Nested
    class HandOff extends HandOffContract implements OnZookeeper {}

    @Nested
    class Isolation extends IsolationContract implements OnZookeeper {}

    @Nested
    class Keeper extends KeeperContract implements OnZookeeper {}

    @Nested
    class Latch extends LatchContract implements OnZookeeper {}

    @Nested
    class LatchFault extends LatchFaultContract implements OnZookeeper {}

    @Nested
    class LeaderElection extends LeaderElectionContract implements OnZookeeper {}

    @Nested
    class LeaderLoss extends LeaderLossContract implements OnZookeeper {}

    @Nested
    class LeaderTask extends LeaderTaskContract implements OnZookeeper {}

    @Nested
    class Leak extends LeakContract implements OnZookeeper {}

    @Nested
    class Lease extends LeaseContract implements OnZookeeper {}

    @Nested
    class Listener extends ListenerContract implements OnZookeeper {}

    @Nested
    class ListenerFault extends ListenerFaultContract implements OnZookeeper {}

    @Nested
    class Loss extends LossContract implements OnZookeeper {}

    @Nested
    class LostOwner extends LostOwnerContract implements OnZookeeper {}

    @Nested
    class LostReplies extends LostRepliesContract implements OnZookeeper {}

    @Nested
    class MultiLockAsMutex extends MultiLockAsMutexContract implements OnZookeeper {}

    @Nested
    class MajorityLock extends MajorityLockContract implements OnZookeeper {}

    @Nested
    class MultiLock extends MultiLockContract implements OnZookeeper {}

    @Nested
    class MultiLockLoss extends MultiLockLossContract implements OnZookeeper {}

    @Nested
    class MultiLockOwnership extends MultiLockOwnershipContract implements OnZookeeper {}

    @Nested
    class View extends ViewContract implements OnZookeeper {}

    @Nested
    class Names extends NamesContract implements OnZookeeper {}

    @Nested
    class Ownership extends OwnershipContract implements OnZookeeper {}

    @Nested
    class PermitLease extends PermitLeaseContract implements OnZookeeper {}

    @Nested
    class PortablePermit extends PortablePermitContract implements OnZookeeper {}

    @Nested
    class ReadWrite extends ReadWriteContract implements OnZookeeper {}

    @Nested
    class ReaderFairness extends ReaderFairnessContract implements OnZookeeper {}

    @Nested
    class LazyKeeper extends LazyKeeperContract implements OnZookeeper {}

    @Nested
    class Timeout extends TimeoutContract implements OnZookeeper {}

    @Nested
    class Refusal extends RefusalContract implements OnZookeeper {}

    @Nested
    class Release extends ReleaseContract implements OnZookeeper {}

    @Nested
    class SegmentedLockAsMutex extends SegmentedLockAsMutexContract implements OnZookeeper {}

    @Nested
    class SegmentedLock extends SegmentedLockContract implements OnZookeeper {}

    @Nested
    class SemaphoreAsMutex extends SemaphoreAsMutexContract implements OnZookeeper {}

    @Nested
    class Semaphore extends SemaphoreContract implements OnZookeeper {}

    @Nested
    class SemaphoreWaiting extends SemaphoreWaitingContract implements OnZookeeper {}

    @Nested
    class SemaphoreSize extends SemaphoreSizeContract implements OnZookeeper {}

    @Nested
    class ServerFault extends ServerFaultContract {
        @Override
        public BackendFixture newFixture() {
            return ZookeeperFixture.alone();
        }
    }

    @Nested
    class Sticky extends StickyContract implements OnZookeeper {}

    @Nested
    class StickyFault extends StickyFaultContract implements OnZookeeper {}

    @Nested
    class Session extends SessionContract implements OnZookeeper {}

    @Nested
    class Store extends StoreContract implements OnZookeeper {}

    @Nested
    class StoreModes extends StoreModesContract implements OnZookeeper {}

    @Nested
    class Token extends TokenContract implements OnZookeeper {}

    @Nested
    class Unavailable extends UnavailableContract implements OnZookeeper {}

    @Nested
    class Waiting extends WaitingContract implements OnZookeeper {}

    @Nested
    class WriteLockAsMutex extends WriteLockAsMutexContract implements OnZookeeper {}
}
