package io.lockkeeper.testkit;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.Isolated;

/** Every contract on a quorum of three. */
@Isolated
final class QuorumContractTest {

    @Execution(ExecutionMode.SAME_THREAD)
    interface OnQuorum extends Contract {
        @Override
        default BackendFixture newFixture() {
            return QuorumFixture.ofThree();
        }
    }

    @Test
    void noContractIsLeftOut() {
        assertThat(Contracts.missingFrom(QuorumContractTest.class)).isEmpty();
    }

    @Nested
    class Acquire extends AcquireContract implements OnQuorum {}

    @Nested
    class AsyncOwner extends AsyncOwnerContract implements OnQuorum {}

    @Nested
    class Async extends AsyncContract implements OnQuorum {}

    @Nested
    class Downgrade extends DowngradeContract implements OnQuorum {}

    @Nested
    class Extend extends ExtendContract implements OnQuorum {}

    @Nested
    class Fencing extends FencingContract implements OnQuorum {}

    @Nested
    class FixedLease extends FixedLeaseContract implements OnQuorum {}

    @Nested
    class HandOff extends HandOffContract implements OnQuorum {}

    @Nested
    class Isolation extends IsolationContract implements OnQuorum {}

    @Nested
    class Keeper extends KeeperContract implements OnQuorum {}

    @Nested
    class LeaderElection extends LeaderElectionContract implements OnQuorum {}

    @Nested
    class LeaderLoss extends LeaderLossContract implements OnQuorum {}

    @Nested
    class LeaderTask extends LeaderTaskContract implements OnQuorum {}

    @Nested
    class Leak extends LeakContract implements OnQuorum {}

    @Nested
    class Lease extends LeaseContract implements OnQuorum {}

    @Nested
    class Listener extends ListenerContract implements OnQuorum {}

    @Nested
    class ListenerFault extends ListenerFaultContract implements OnQuorum {}

    @Nested
    class Loss extends LossContract implements OnQuorum {}

    @Nested
    class LostOwner extends LostOwnerContract implements OnQuorum {}

    @Nested
    class LostReplies extends LostRepliesContract implements OnQuorum {}

    @Nested
    class MultiLockAsMutex extends MultiLockAsMutexContract implements OnQuorum {}

    @Nested
    class MajorityLock extends MajorityLockContract implements OnQuorum {}

    @Nested
    class MultiLock extends MultiLockContract implements OnQuorum {}

    @Nested
    class MultiLockLoss extends MultiLockLossContract implements OnQuorum {}

    @Nested
    class MultiLockOwnership extends MultiLockOwnershipContract implements OnQuorum {}

    @Nested
    class View extends ViewContract implements OnQuorum {}

    @Nested
    class Names extends NamesContract implements OnQuorum {}

    @Nested
    class Ownership extends OwnershipContract implements OnQuorum {}

    @Nested
    class PermitLease extends PermitLeaseContract implements OnQuorum {}

    @Nested
    class PortablePermit extends PortablePermitContract implements OnQuorum {}

    @Nested
    class ReadWrite extends ReadWriteContract implements OnQuorum {}

    @Nested
    class ReaderFairness extends ReaderFairnessContract implements OnQuorum {}

    @Nested
    class LazyKeeper extends LazyKeeperContract implements OnQuorum {}

    @Nested
    class Timeout extends TimeoutContract implements OnQuorum {}

    @Nested
    class Refusal extends RefusalContract implements OnQuorum {}

    @Nested
    class Release extends ReleaseContract implements OnQuorum {}

    @Nested
    class SegmentedLockAsMutex extends SegmentedLockAsMutexContract implements OnQuorum {}

    @Nested
    class SegmentedLock extends SegmentedLockContract implements OnQuorum {}

    @Nested
    class SemaphoreAsMutex extends SemaphoreAsMutexContract implements OnQuorum {}

    @Nested
    class Semaphore extends SemaphoreContract implements OnQuorum {}

    @Nested
    class SemaphoreWaiting extends SemaphoreWaitingContract implements OnQuorum {}

    @Nested
    class ServerFault extends ServerFaultContract implements OnQuorum {}

    @Nested
    class Store extends StoreContract implements OnQuorum {}

    @Nested
    class StoreModes extends StoreModesContract implements OnQuorum {}

    @Nested
    class Token extends TokenContract implements OnQuorum {}

    @Nested
    class Unavailable extends UnavailableContract implements OnQuorum {}

    @Nested
    class Waiting extends WaitingContract implements OnQuorum {}

    @Nested
    class WriteLockAsMutex extends WriteLockAsMutexContract implements OnQuorum {}
}
