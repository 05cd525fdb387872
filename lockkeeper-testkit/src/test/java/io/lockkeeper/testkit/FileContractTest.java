package io.lockkeeper.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.testkit.contract.AcquireContract;
import io.lockkeeper.testkit.contract.AsyncContract;
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
import io.lockkeeper.testkit.contract.LeakContract;
import io.lockkeeper.testkit.contract.LeaseContract;
import io.lockkeeper.testkit.contract.ListenerContract;
import io.lockkeeper.testkit.contract.ListenerFaultContract;
import io.lockkeeper.testkit.contract.LossContract;
import io.lockkeeper.testkit.contract.LostOwnerContract;
import io.lockkeeper.testkit.contract.LostRepliesContract;
import io.lockkeeper.testkit.contract.MultiLockAsMutexContract;
import io.lockkeeper.testkit.contract.MultiLockContract;
import io.lockkeeper.testkit.contract.MultiLockLossContract;
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
import io.lockkeeper.testkit.contract.SemaphoreWaitingContract;
import io.lockkeeper.testkit.contract.ServerFaultContract;
import io.lockkeeper.testkit.contract.StoreContract;
import io.lockkeeper.testkit.contract.StoreModesContract;
import io.lockkeeper.testkit.contract.TimeoutContract;
import io.lockkeeper.testkit.contract.TokenContract;
import io.lockkeeper.testkit.contract.UnavailableContract;
import io.lockkeeper.testkit.contract.WaitingContract;
import io.lockkeeper.testkit.contract.WriteLockAsMutexContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Every contract on the file backend. */
final class FileContractTest {

    interface OnFile extends Contract {
        @Override
        default BackendFixture newFixture() throws Exception {
            return new FileFixture();
        }
    }

    @Test
    void noContractIsLeftOut() {
        assertThat(Contracts.missingFrom(FileContractTest.class)).isEmpty();
    }

    @Nested
    class Acquire extends AcquireContract implements OnFile {}

    @Nested
    class Async extends AsyncContract implements OnFile {}

    @Nested
    class Downgrade extends DowngradeContract implements OnFile {}

    @Nested
    class Extend extends ExtendContract implements OnFile {}

    @Nested
    class Fencing extends FencingContract implements OnFile {}

    @Nested
    class FixedLease extends FixedLeaseContract implements OnFile {}

    @Nested
    class HandOff extends HandOffContract implements OnFile {}

    @Nested
    class Isolation extends IsolationContract implements OnFile {}

    @Nested
    class Keeper extends KeeperContract implements OnFile {}

    @Nested
    class Latch extends LatchContract implements OnFile {}

    @Nested
    class LatchFault extends LatchFaultContract implements OnFile {}

    @Nested
    class LeaderElection extends LeaderElectionContract implements OnFile {}

    @Nested
    class LeaderLoss extends LeaderLossContract implements OnFile {}

    @Nested
    class Leak extends LeakContract implements OnFile {}

    @Nested
    class Lease extends LeaseContract implements OnFile {}

    @Nested
    class Listener extends ListenerContract implements OnFile {}

    @Nested
    class ListenerFault extends ListenerFaultContract implements OnFile {}

    @Nested
    class Loss extends LossContract implements OnFile {}

    @Nested
    class LostOwner extends LostOwnerContract implements OnFile {}

    @Nested
    class LostReplies extends LostRepliesContract implements OnFile {}

    @Nested
    class MultiLockAsMutex extends MultiLockAsMutexContract implements OnFile {}

    @Nested
    class MultiLock extends MultiLockContract implements OnFile {}

    @Nested
    class MultiLockLoss extends MultiLockLossContract implements OnFile {}

    @Nested
    class Names extends NamesContract implements OnFile {}

    @Nested
    class Ownership extends OwnershipContract implements OnFile {}

    @Nested
    class PermitLease extends PermitLeaseContract implements OnFile {}

    @Nested
    class PortablePermit extends PortablePermitContract implements OnFile {}

    @Nested
    class ReadWrite extends ReadWriteContract implements OnFile {}

    @Nested
    class ReaderFairness extends ReaderFairnessContract implements OnFile {}

    @Nested
    class RequestLocks extends RequestLocksContract implements OnFile {}

    @Nested
    class LazyKeeper extends LazyKeeperContract implements OnFile {}

    @Nested
    class Timeout extends TimeoutContract implements OnFile {}

    @Nested
    class Refusal extends RefusalContract implements OnFile {}

    @Nested
    class Release extends ReleaseContract implements OnFile {}

    @Nested
    class SegmentedLockAsMutex extends SegmentedLockAsMutexContract implements OnFile {}

    @Nested
    class SegmentedLock extends SegmentedLockContract implements OnFile {}

    @Nested
    class SemaphoreAsMutex extends SemaphoreAsMutexContract implements OnFile {}

    @Nested
    class Semaphore extends SemaphoreContract implements OnFile {}

    @Nested
    class SemaphoreWaiting extends SemaphoreWaitingContract implements OnFile {}

    @Nested
    class ServerFault extends ServerFaultContract implements OnFile {}

    @Nested
    class Store extends StoreContract implements OnFile {}

    @Nested
    class StoreModes extends StoreModesContract implements OnFile {}

    @Nested
    class Token extends TokenContract implements OnFile {}

    @Nested
    class Unavailable extends UnavailableContract implements OnFile {}

    @Nested
    class Waiting extends WaitingContract implements OnFile {}

    @Nested
    class WriteLockAsMutex extends WriteLockAsMutexContract implements OnFile {}
}
