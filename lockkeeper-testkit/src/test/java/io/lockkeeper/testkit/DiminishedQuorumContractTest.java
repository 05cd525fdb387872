package io.lockkeeper.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.testkit.contract.AcquireContract;
import io.lockkeeper.testkit.contract.AsyncContract;
import io.lockkeeper.testkit.contract.AsyncOwnerContract;
import io.lockkeeper.testkit.contract.Contract;
import io.lockkeeper.testkit.contract.Contracts;
import io.lockkeeper.testkit.contract.DowngradeContract;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.Isolated;

/** Every contract on a quorum of five of which two are down all the time. */
@Tag("full")
@Isolated
final class DiminishedQuorumContractTest {

    @Execution(ExecutionMode.SAME_THREAD)
    interface OnTheRest extends Contract {
        @Override
        default BackendFixture newFixture() {
            return QuorumFixture.ofFiveWithTwoDown();
        }
    }

    @Test
    void noContractIsLeftOut() {
        assertThat(Contracts.missingFrom(DiminishedQuorumContractTest.class)).isEmpty();
    }

    @Nested
    class Acquire extends AcquireContract implements OnTheRest {}

    @Nested
    class AsyncOwner extends AsyncOwnerContract implements OnTheRest {}

    @Nested
    class Async extends AsyncContract implements OnTheRest {}

    @Nested
    class Downgrade extends DowngradeContract implements OnTheRest {}

    @Nested
    class Fencing extends FencingContract implements OnTheRest {}

    @Nested
    class FixedLease extends FixedLeaseContract implements OnTheRest {}

    @Nested
    class HandOff extends HandOffContract implements OnTheRest {}

    @Nested
    class Isolation extends IsolationContract implements OnTheRest {}

    @Nested
    class Keeper extends KeeperContract implements OnTheRest {}

    @Nested
    class LeaderElection extends LeaderElectionContract implements OnTheRest {}

    @Nested
    class LeaderLoss extends LeaderLossContract implements OnTheRest {}

    @Nested
    class LeaderTask extends LeaderTaskContract implements OnTheRest {}

    @Nested
    class Leak extends LeakContract implements OnTheRest {}

    @Nested
    class Lease extends LeaseContract implements OnTheRest {}

    @Nested
    class Listener extends ListenerContract implements OnTheRest {}

    @Nested
    class ListenerFault extends ListenerFaultContract implements OnTheRest {}

    @Nested
    class Loss extends LossContract implements OnTheRest {}

    @Nested
    class LostOwner extends LostOwnerContract implements OnTheRest {}

    @Nested
    class LostReplies extends LostRepliesContract implements OnTheRest {}

    @Nested
    class MultiLockAsMutex extends MultiLockAsMutexContract implements OnTheRest {}

    @Nested
    class MajorityLock extends MajorityLockContract implements OnTheRest {}

    @Nested
    class MultiLock extends MultiLockContract implements OnTheRest {}

    @Nested
    class MultiLockLoss extends MultiLockLossContract implements OnTheRest {}

    @Nested
    class MultiLockOwnership extends MultiLockOwnershipContract implements OnTheRest {}

    @Nested
    class View extends ViewContract implements OnTheRest {}

    @Nested
    class Names extends NamesContract implements OnTheRest {}

    @Nested
    class Ownership extends OwnershipContract implements OnTheRest {}

    @Nested
    class PermitLease extends PermitLeaseContract implements OnTheRest {}

    @Nested
    class PortablePermit extends PortablePermitContract implements OnTheRest {}

    @Nested
    class ReadWrite extends ReadWriteContract implements OnTheRest {}

    @Nested
    class ReaderFairness extends ReaderFairnessContract implements OnTheRest {}

    @Nested
    class LazyKeeper extends LazyKeeperContract implements OnTheRest {}

    @Nested
    class Timeout extends TimeoutContract implements OnTheRest {}

    @Nested
    class Refusal extends RefusalContract implements OnTheRest {}

    @Nested
    class Release extends ReleaseContract implements OnTheRest {}

    @Nested
    class SegmentedLockAsMutex extends SegmentedLockAsMutexContract implements OnTheRest {}

    @Nested
    class SegmentedLock extends SegmentedLockContract implements OnTheRest {}

    @Nested
    class SemaphoreAsMutex extends SemaphoreAsMutexContract implements OnTheRest {}

    @Nested
    class Semaphore extends SemaphoreContract implements OnTheRest {}

    @Nested
    class SemaphoreWaiting extends SemaphoreWaitingContract implements OnTheRest {}

    @Nested
    class ServerFault extends ServerFaultContract implements OnTheRest {}

    @Nested
    class Store extends StoreContract implements OnTheRest {}

    @Nested
    class StoreModes extends StoreModesContract implements OnTheRest {}

    @Nested
    class Token extends TokenContract implements OnTheRest {}

    @Nested
    class Unavailable extends UnavailableContract implements OnTheRest {}

    @Nested
    class Waiting extends WaitingContract implements OnTheRest {}

    @Nested
    class WriteLockAsMutex extends WriteLockAsMutexContract implements OnTheRest {}
}
