package io.lockkeeper.jdbc;

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

/** Every contract on an H2 database in memory. On JDK 25 PostgreSQL stands for it: the same rules in Java, other statements. */
@Tag("once")
final class H2ContractTest {

    @Tag(AboutTime.ELSEWHERE)
    interface OnH2 extends Contract {
        @Override
        default BackendFixture newFixture() {
            return SqlFixture.h2();
        }
    }

    @Test
    void noContractIsLeftOut() {
        assertThat(Contracts.missingFrom(H2ContractTest.class)).isEmpty();
    }

    @Nested
    class Acquire extends AcquireContract implements OnH2 {}

    @Nested
    class AsyncOwner extends AsyncOwnerContract implements OnH2 {}

    @Nested
    class Async extends AsyncContract implements OnH2 {}

    @Nested
    class Downgrade extends DowngradeContract implements OnH2 {}

    @Nested
    class Exchange extends ExchangeContract implements OnH2 {}

    @Nested
    class Extend extends ExtendContract implements OnH2 {}

    @Nested
    class Fair extends FairContract implements OnH2 {}

    @Nested
    class Fencing extends FencingContract implements OnH2 {}

    @Nested
    class FixedLease extends FixedLeaseContract implements OnH2 {}

    @Nested
    class HandOff extends HandOffContract implements OnH2 {}

    @Nested
    class Isolation extends IsolationContract implements OnH2 {}

    @Nested
    class Keeper extends KeeperContract implements OnH2 {}

    @Nested
    class Latch extends LatchContract implements OnH2 {}

    @Nested
    class LatchFault extends LatchFaultContract implements OnH2 {}

    @Nested
    class LeaderElection extends LeaderElectionContract implements OnH2 {}

    @Nested
    class LeaderLoss extends LeaderLossContract implements OnH2 {}

    @Nested
    class LeaderTask extends LeaderTaskContract implements OnH2 {}

    @Nested
    class Leak extends LeakContract implements OnH2 {}

    @Nested
    class Lease extends LeaseContract implements OnH2 {}

    @Nested
    class Listener extends ListenerContract implements OnH2 {}

    @Nested
    class ListenerFault extends ListenerFaultContract implements OnH2 {}

    @Nested
    class Loss extends LossContract implements OnH2 {}

    @Nested
    class LostOwner extends LostOwnerContract implements OnH2 {}

    @Nested
    class LostReplies extends LostRepliesContract implements OnH2 {}

    @Nested
    class MultiLockAsMutex extends MultiLockAsMutexContract implements OnH2 {}

    @Nested
    class MajorityLock extends MajorityLockContract implements OnH2 {}

    @Nested
    class MultiLock extends MultiLockContract implements OnH2 {}

    @Nested
    class MultiLockLoss extends MultiLockLossContract implements OnH2 {}

    @Nested
    class MultiLockOwnership extends MultiLockOwnershipContract implements OnH2 {}

    @Nested
    class View extends ViewContract implements OnH2 {}

    @Nested
    class Names extends NamesContract implements OnH2 {}

    @Nested
    class Ownership extends OwnershipContract implements OnH2 {}

    @Nested
    class PermitLease extends PermitLeaseContract implements OnH2 {}

    @Nested
    class PortablePermit extends PortablePermitContract implements OnH2 {}

    @Nested
    class ReadWrite extends ReadWriteContract implements OnH2 {}

    @Nested
    class ReaderFairness extends ReaderFairnessContract implements OnH2 {}

    @Nested
    class RequestLocks extends RequestLocksContract implements OnH2 {}

    @Nested
    class LazyKeeper extends LazyKeeperContract implements OnH2 {}

    @Nested
    class Timeout extends TimeoutContract implements OnH2 {}

    @Nested
    class Refusal extends RefusalContract implements OnH2 {}

    @Nested
    class Release extends ReleaseContract implements OnH2 {}

    @Nested
    class SegmentedLockAsMutex extends SegmentedLockAsMutexContract implements OnH2 {}

    @Nested
    class SegmentedLock extends SegmentedLockContract implements OnH2 {}

    @Nested
    class SemaphoreAsMutex extends SemaphoreAsMutexContract implements OnH2 {}

    @Nested
    class Semaphore extends SemaphoreContract implements OnH2 {}

    @Nested
    class SemaphoreWaiting extends SemaphoreWaitingContract implements OnH2 {}

    @Nested
    class SemaphoreSize extends SemaphoreSizeContract implements OnH2 {}

    @Nested
    class ServerFault extends ServerFaultContract implements OnH2 {}

    @Nested
    class Store extends StoreContract implements OnH2 {}

    @Nested
    class StoreModes extends StoreModesContract implements OnH2 {}

    @Nested
    class Token extends TokenContract implements OnH2 {}

    @Nested
    class Unavailable extends UnavailableContract implements OnH2 {}

    @Nested
    class Waiting extends WaitingContract implements OnH2 {}

    @Nested
    class WriteLockAsMutex extends WriteLockAsMutexContract implements OnH2 {}
}
