package io.lockkeeper.etcd;

import io.lockkeeper.testkit.BackendFixture;
import io.lockkeeper.testkit.contract.AboutTime;
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
import org.junit.jupiter.api.Tag;

/** Every contract on one server of etcd. */
final class EtcdContractTest {

    /** What the keeper decides about time in a session, it decides on ZooKeeper. */
    @Tag(AboutTime.OF_STORE)
    interface OnEtcd extends Contract {
        @Override
        default BackendFixture newFixture() {
            return EtcdFixture.shared();
        }
    }

    @Nested
    class Acquire extends AcquireContract implements OnEtcd {}

    @Nested
    class AsyncOwner extends AsyncOwnerContract implements OnEtcd {}

    @Nested
    class Async extends AsyncContract implements OnEtcd {}

    @Nested
    class Downgrade extends DowngradeContract implements OnEtcd {}

    @Nested
    class Exchange extends ExchangeContract implements OnEtcd {}

    @Nested
    class Extend extends ExtendContract implements OnEtcd {}

    @Nested
    class RequestLocks extends RequestLocksContract implements OnEtcd {}

    @Nested
    class Fair extends FairContract implements OnEtcd {}

    @Nested
    class Fencing extends FencingContract implements OnEtcd {}

    @Nested
    class FixedLease extends FixedLeaseContract implements OnEtcd {}

    @Nested
    class HandOff extends HandOffContract implements OnEtcd {}

    @Nested
    class Isolation extends IsolationContract implements OnEtcd {}

    @Nested
    class Keeper extends KeeperContract implements OnEtcd {}

    @Nested
    class Latch extends LatchContract implements OnEtcd {}

    @Nested
    class LatchFault extends LatchFaultContract implements OnEtcd {}

    @Nested
    class LeaderElection extends LeaderElectionContract implements OnEtcd {}

    @Nested
    class LeaderLoss extends LeaderLossContract implements OnEtcd {}

    @Nested
    class LeaderTask extends LeaderTaskContract implements OnEtcd {}

    @Nested
    class Leak extends LeakContract implements OnEtcd {}

    @Nested
    class Lease extends LeaseContract implements OnEtcd {}

    @Nested
    class Listener extends ListenerContract implements OnEtcd {}

    @Nested
    class ListenerFault extends ListenerFaultContract implements OnEtcd {}

    @Nested
    class Loss extends LossContract implements OnEtcd {}

    @Nested
    class LostOwner extends LostOwnerContract implements OnEtcd {}

    @Nested
    class LostReplies extends LostRepliesContract implements OnEtcd {}

    @Nested
    class MultiLockAsMutex extends MultiLockAsMutexContract implements OnEtcd {}

    @Nested
    class MajorityLock extends MajorityLockContract implements OnEtcd {}

    @Nested
    class MultiLock extends MultiLockContract implements OnEtcd {}

    @Nested
    class MultiLockLoss extends MultiLockLossContract implements OnEtcd {}

    @Nested
    class MultiLockOwnership extends MultiLockOwnershipContract implements OnEtcd {}

    @Nested
    class View extends ViewContract implements OnEtcd {}

    @Nested
    class Names extends NamesContract implements OnEtcd {}

    @Nested
    class Ownership extends OwnershipContract implements OnEtcd {}

    @Nested
    class PermitLease extends PermitLeaseContract implements OnEtcd {}

    @Nested
    class PortablePermit extends PortablePermitContract implements OnEtcd {}

    @Nested
    class ReadWrite extends ReadWriteContract implements OnEtcd {}

    @Nested
    class ReaderFairness extends ReaderFairnessContract implements OnEtcd {}

    @Nested
    class LazyKeeper extends LazyKeeperContract implements OnEtcd {}

    @Nested
    class Timeout extends TimeoutContract implements OnEtcd {}

    @Nested
    class Refusal extends RefusalContract implements OnEtcd {}

    @Nested
    class Release extends ReleaseContract implements OnEtcd {}

    @Nested
    class SegmentedLockAsMutex extends SegmentedLockAsMutexContract implements OnEtcd {}

    @Nested
    class SegmentedLock extends SegmentedLockContract implements OnEtcd {}

    @Nested
    class SemaphoreAsMutex extends SemaphoreAsMutexContract implements OnEtcd {}

    @Nested
    class Semaphore extends SemaphoreContract implements OnEtcd {}

    @Nested
    class SemaphoreWaiting extends SemaphoreWaitingContract implements OnEtcd {}

    @Nested
    class SemaphoreSize extends SemaphoreSizeContract implements OnEtcd {}

    @Nested
    class ServerFault extends ServerFaultContract {
        @Override
        public BackendFixture newFixture() {
            return EtcdFixture.alone();
        }
    }

    @Nested
    class Sticky extends StickyContract implements OnEtcd {}

    @Nested
    class StickyFault extends StickyFaultContract implements OnEtcd {}

    @Nested
    class Session extends SessionContract implements OnEtcd {}

    @Nested
    class Store extends StoreContract implements OnEtcd {}

    @Nested
    class StoreModes extends StoreModesContract implements OnEtcd {}

    @Nested
    class Token extends TokenContract implements OnEtcd {}

    @Nested
    class Unavailable extends UnavailableContract implements OnEtcd {}

    @Nested
    class Waiting extends WaitingContract implements OnEtcd {}

    @Nested
    class WriteLockAsMutex extends WriteLockAsMutexContract implements OnEtcd {}
}
