package io.lockkeeper.testkit;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.Isolated;

/** Every contract on the memory backend. */
@Isolated
final class MemoryContractTest {

    @Execution(ExecutionMode.SAME_THREAD)
    interface OnMemory extends Contract {
        @Override
        default BackendFixture newFixture() {
            return new MemoryFixture();
        }
    }

    @Test
    void noContractIsLeftOut() {
        assertThat(Contracts.missingFrom(MemoryContractTest.class)).isEmpty();
    }

    @Nested
    class Acquire extends AcquireContract implements OnMemory {}

    @Nested
    class AsyncOwner extends AsyncOwnerContract implements OnMemory {}

    @Nested
    class Async extends AsyncContract implements OnMemory {}

    @Nested
    class Downgrade extends DowngradeContract implements OnMemory {}

    @Nested
    class Exchange extends ExchangeContract implements OnMemory {}

    @Nested
    class Extend extends ExtendContract implements OnMemory {}

    @Nested
    class Fair extends FairContract implements OnMemory {}

    @Nested
    class Fencing extends FencingContract implements OnMemory {}

    @Nested
    class FixedLease extends FixedLeaseContract implements OnMemory {}

    @Nested
    class HandOff extends HandOffContract implements OnMemory {}

    @Nested
    class Isolation extends IsolationContract implements OnMemory {}

    @Nested
    class Keeper extends KeeperContract implements OnMemory {}

    @Nested
    class Latch extends LatchContract implements OnMemory {}

    @Nested
    class LatchFault extends LatchFaultContract implements OnMemory {}

    @Nested
    class LeaderElection extends LeaderElectionContract implements OnMemory {}

    @Nested
    class LeaderLoss extends LeaderLossContract implements OnMemory {}

    @Nested
    class LeaderTask extends LeaderTaskContract implements OnMemory {}

    @Nested
    class Leak extends LeakContract implements OnMemory {}

    @Nested
    class Lease extends LeaseContract implements OnMemory {}

    @Nested
    class Listener extends ListenerContract implements OnMemory {}

    @Nested
    class ListenerFault extends ListenerFaultContract implements OnMemory {}

    @Nested
    class Loss extends LossContract implements OnMemory {}

    @Nested
    class LostOwner extends LostOwnerContract implements OnMemory {}

    @Nested
    class LostReplies extends LostRepliesContract implements OnMemory {}

    @Nested
    class MultiLockAsMutex extends MultiLockAsMutexContract implements OnMemory {}

    @Nested
    class MajorityLock extends MajorityLockContract implements OnMemory {}

    @Nested
    class MultiLock extends MultiLockContract implements OnMemory {}

    @Nested
    class MultiLockLoss extends MultiLockLossContract implements OnMemory {}

    @Nested
    class MultiLockOwnership extends MultiLockOwnershipContract implements OnMemory {}

    @Nested
    class View extends ViewContract implements OnMemory {}

    @Nested
    class Names extends NamesContract implements OnMemory {}

    @Nested
    class Ownership extends OwnershipContract implements OnMemory {}

    @Nested
    class PermitLease extends PermitLeaseContract implements OnMemory {}

    @Nested
    class PortablePermit extends PortablePermitContract implements OnMemory {}

    @Nested
    class ReadWrite extends ReadWriteContract implements OnMemory {}

    @Nested
    class ReaderFairness extends ReaderFairnessContract implements OnMemory {}

    @Nested
    class RequestLocks extends RequestLocksContract implements OnMemory {}

    @Nested
    class LazyKeeper extends LazyKeeperContract implements OnMemory {}

    @Nested
    class Timeout extends TimeoutContract implements OnMemory {}

    @Nested
    class Refusal extends RefusalContract implements OnMemory {}

    @Nested
    class Release extends ReleaseContract implements OnMemory {}

    @Nested
    class SegmentedLockAsMutex extends SegmentedLockAsMutexContract implements OnMemory {}

    @Nested
    class SegmentedLock extends SegmentedLockContract implements OnMemory {}

    @Nested
    class SemaphoreAsMutex extends SemaphoreAsMutexContract implements OnMemory {}

    @Nested
    class Semaphore extends SemaphoreContract implements OnMemory {}

    @Nested
    class SemaphoreWaiting extends SemaphoreWaitingContract implements OnMemory {}

    @Nested
    class SemaphoreSize extends SemaphoreSizeContract implements OnMemory {}

    @Nested
    class ServerFault extends ServerFaultContract implements OnMemory {}

    @Nested
    class Sticky extends StickyContract implements OnMemory {}

    @Nested
    class StickyFault extends StickyFaultContract implements OnMemory {}

    @Nested
    class Store extends StoreContract implements OnMemory {}

    @Nested
    class StoreModes extends StoreModesContract implements OnMemory {}

    @Nested
    class Token extends TokenContract implements OnMemory {}

    @Nested
    class Unavailable extends UnavailableContract implements OnMemory {}

    @Nested
    class Waiting extends WaitingContract implements OnMemory {}

    @Nested
    class WriteLockAsMutex extends WriteLockAsMutexContract implements OnMemory {}
}
