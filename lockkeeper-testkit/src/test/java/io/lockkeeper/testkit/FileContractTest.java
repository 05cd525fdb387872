package io.lockkeeper.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.testkit.contract.AboutTime;
import io.lockkeeper.testkit.contract.AcquireContract;
import io.lockkeeper.testkit.contract.AsyncContract;
import io.lockkeeper.testkit.contract.AsyncOwnerContract;
import io.lockkeeper.testkit.contract.Contract;
import io.lockkeeper.testkit.contract.Contracts;
import io.lockkeeper.testkit.contract.DowngradeContract;
import io.lockkeeper.testkit.contract.ExtendContract;
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
import io.lockkeeper.testkit.contract.SegmentedLockAsMutexContract;
import io.lockkeeper.testkit.contract.SegmentedLockContract;
import io.lockkeeper.testkit.contract.SemaphoreAsMutexContract;
import io.lockkeeper.testkit.contract.SemaphoreContract;
import io.lockkeeper.testkit.contract.SemaphoreSizeContract;
import io.lockkeeper.testkit.contract.SemaphoreWaitingContract;
import io.lockkeeper.testkit.contract.ServerFaultContract;
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
import org.junit.jupiter.api.Test;

/** Every contract on the file backend. */
final class FileContractTest {

    /** What the keeper decides about time, it decides on memory and on Redis. */
    @Tag(AboutTime.OF_STORE)
    interface OnFile extends Contract {
        @Override
        default BackendFixture newFixture() throws Exception {
            return new FileFixture();
        }
    }

    /** Contracts whose cases about time are left to {@code MemoryContractTest, in virtual time}. */
    @Tag(AboutTime.ELSEWHERE)
    interface OnFileUnhurried extends OnFile {}

    @Test
    void noContractIsLeftOut() {
        assertThat(Contracts.missingFrom(FileContractTest.class)).isEmpty();
    }

    @Nested
    class Acquire extends AcquireContract implements OnFileUnhurried {}

    @Nested
    class AsyncOwner extends AsyncOwnerContract implements OnFileUnhurried {}

    @Nested
    class Async extends AsyncContract implements OnFileUnhurried {}

    @Nested
    class Downgrade extends DowngradeContract implements OnFileUnhurried {}

    @Nested
    class Extend extends ExtendContract implements OnFileUnhurried {}

    @Nested
    class Fencing extends FencingContract implements OnFileUnhurried {}

    @Nested
    class FixedLease extends FixedLeaseContract implements OnFileUnhurried {}

    @Nested
    class HandOff extends HandOffContract implements OnFileUnhurried {}

    @Nested
    class Isolation extends IsolationContract implements OnFileUnhurried {}

    @Nested
    class Keeper extends KeeperContract implements OnFileUnhurried {}

    @Nested
    class Latch extends LatchContract implements OnFileUnhurried {}

    @Nested
    class LatchFault extends LatchFaultContract implements OnFileUnhurried {}

    @Nested
    class LeaderElection extends LeaderElectionContract implements OnFileUnhurried {}

    @Nested
    class LeaderLoss extends LeaderLossContract implements OnFileUnhurried {}

    @Nested
    class LeaderTask extends LeaderTaskContract implements OnFileUnhurried {}

    @Nested
    class Leak extends LeakContract implements OnFileUnhurried {}

    @Nested
    class Lease extends LeaseContract implements OnFile {}

    @Nested
    class Listener extends ListenerContract implements OnFileUnhurried {}

    @Nested
    class ListenerFault extends ListenerFaultContract implements OnFileUnhurried {}

    @Nested
    class Loss extends LossContract implements OnFile {}

    @Nested
    class LostOwner extends LostOwnerContract implements OnFileUnhurried {}

    @Nested
    class LostReplies extends LostRepliesContract implements OnFileUnhurried {}

    @Nested
    class MultiLockAsMutex extends MultiLockAsMutexContract implements OnFileUnhurried {}

    @Nested
    class MajorityLock extends MajorityLockContract implements OnFileUnhurried {}

    @Nested
    class MultiLock extends MultiLockContract implements OnFileUnhurried {}

    @Nested
    class MultiLockLoss extends MultiLockLossContract implements OnFileUnhurried {}

    @Nested
    class MultiLockOwnership extends MultiLockOwnershipContract implements OnFileUnhurried {}

    @Nested
    class View extends ViewContract implements OnFileUnhurried {}

    @Nested
    class Names extends NamesContract implements OnFileUnhurried {}

    @Nested
    class Ownership extends OwnershipContract implements OnFileUnhurried {}

    @Nested
    class PermitLease extends PermitLeaseContract implements OnFileUnhurried {}

    @Nested
    class PortablePermit extends PortablePermitContract implements OnFileUnhurried {}

    @Nested
    class ReadWrite extends ReadWriteContract implements OnFileUnhurried {}

    @Nested
    class ReaderFairness extends ReaderFairnessContract implements OnFileUnhurried {}

    @Nested
    class LazyKeeper extends LazyKeeperContract implements OnFileUnhurried {}

    @Nested
    class Timeout extends TimeoutContract implements OnFileUnhurried {}

    @Nested
    class Refusal extends RefusalContract implements OnFileUnhurried {}

    @Nested
    class Release extends ReleaseContract implements OnFileUnhurried {}

    @Nested
    class SegmentedLockAsMutex extends SegmentedLockAsMutexContract implements OnFileUnhurried {}

    @Nested
    class SegmentedLock extends SegmentedLockContract implements OnFileUnhurried {}

    @Nested
    class SemaphoreAsMutex extends SemaphoreAsMutexContract implements OnFileUnhurried {}

    @Nested
    class Semaphore extends SemaphoreContract implements OnFileUnhurried {}

    @Nested
    class SemaphoreWaiting extends SemaphoreWaitingContract implements OnFileUnhurried {}

    @Nested
    class SemaphoreSize extends SemaphoreSizeContract implements OnFileUnhurried {}

    @Nested
    class ServerFault extends ServerFaultContract implements OnFile {}

    @Nested
    class Store extends StoreContract implements OnFile {}

    @Nested
    class StoreModes extends StoreModesContract implements OnFileUnhurried {}

    @Nested
    class Token extends TokenContract implements OnFile {}

    @Nested
    class Unavailable extends UnavailableContract implements OnFileUnhurried {}

    @Nested
    class Waiting extends WaitingContract implements OnFileUnhurried {}

    @Nested
    class WriteLockAsMutex extends WriteLockAsMutexContract implements OnFileUnhurried {}
}
