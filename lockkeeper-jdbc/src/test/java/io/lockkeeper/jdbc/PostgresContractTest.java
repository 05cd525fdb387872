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
import io.lockkeeper.testkit.sql.PostgresServer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every contract on PostgreSQL. */
final class PostgresContractTest {

    /** What the keeper decides about time, it decides on Redis. */
    @Tag(AboutTime.OF_STORE)
    interface OnPostgres extends Contract {
        @Override
        default BackendFixture newFixture() {
            return SqlFixture.postgres();
        }
    }

    @Test
    void noContractIsLeftOut() {
        assertThat(Contracts.missingFrom(PostgresContractTest.class)).isEmpty();
    }

    @Nested
    class Acquire extends AcquireContract implements OnPostgres {}

    @Nested
    class AsyncOwner extends AsyncOwnerContract implements OnPostgres {}

    @Nested
    class Async extends AsyncContract implements OnPostgres {}

    @Nested
    class Downgrade extends DowngradeContract implements OnPostgres {}

    @Nested
    class Exchange extends ExchangeContract implements OnPostgres {}

    @Nested
    class Extend extends ExtendContract implements OnPostgres {}

    @Nested
    class Fair extends FairContract implements OnPostgres {}

    @Nested
    class Fencing extends FencingContract implements OnPostgres {}

    @Nested
    class FixedLease extends FixedLeaseContract implements OnPostgres {}

    @Nested
    class HandOff extends HandOffContract implements OnPostgres {}

    @Nested
    class Isolation extends IsolationContract implements OnPostgres {}

    @Nested
    class Keeper extends KeeperContract implements OnPostgres {}

    @Nested
    class Latch extends LatchContract implements OnPostgres {}

    @Nested
    class LatchFault extends LatchFaultContract implements OnPostgres {}

    @Nested
    class LeaderElection extends LeaderElectionContract implements OnPostgres {}

    @Nested
    class LeaderLoss extends LeaderLossContract implements OnPostgres {}

    @Nested
    class LeaderTask extends LeaderTaskContract implements OnPostgres {}

    @Nested
    class Leak extends LeakContract implements OnPostgres {}

    @Nested
    class Lease extends LeaseContract implements OnPostgres {}

    @Nested
    class Listener extends ListenerContract implements OnPostgres {}

    @Nested
    class ListenerFault extends ListenerFaultContract implements OnPostgres {}

    @Nested
    class Loss extends LossContract implements OnPostgres {}

    @Nested
    class LostOwner extends LostOwnerContract implements OnPostgres {}

    @Nested
    class LostReplies extends LostRepliesContract implements OnPostgres {}

    @Nested
    class MultiLockAsMutex extends MultiLockAsMutexContract implements OnPostgres {}

    @Nested
    class MajorityLock extends MajorityLockContract implements OnPostgres {}

    @Nested
    class MultiLock extends MultiLockContract implements OnPostgres {}

    @Nested
    class MultiLockLoss extends MultiLockLossContract implements OnPostgres {}

    @Nested
    class MultiLockOwnership extends MultiLockOwnershipContract implements OnPostgres {}

    @Nested
    class View extends ViewContract implements OnPostgres {}

    @Nested
    class Names extends NamesContract implements OnPostgres {}

    @Nested
    class Ownership extends OwnershipContract implements OnPostgres {}

    @Nested
    class PermitLease extends PermitLeaseContract implements OnPostgres {}

    @Nested
    class PortablePermit extends PortablePermitContract implements OnPostgres {}

    @Nested
    class ReadWrite extends ReadWriteContract implements OnPostgres {}

    @Nested
    class ReaderFairness extends ReaderFairnessContract implements OnPostgres {}

    @Nested
    class RequestLocks extends RequestLocksContract implements OnPostgres {}

    @Nested
    class LazyKeeper extends LazyKeeperContract implements OnPostgres {}

    @Nested
    class Timeout extends TimeoutContract implements OnPostgres {}

    @Nested
    class Refusal extends RefusalContract implements OnPostgres {}

    @Nested
    class Release extends ReleaseContract implements OnPostgres {}

    @Nested
    class SegmentedLockAsMutex extends SegmentedLockAsMutexContract implements OnPostgres {}

    @Nested
    class SegmentedLock extends SegmentedLockContract implements OnPostgres {}

    @Nested
    class SemaphoreAsMutex extends SemaphoreAsMutexContract implements OnPostgres {}

    @Nested
    class Semaphore extends SemaphoreContract implements OnPostgres {}

    @Nested
    class SemaphoreWaiting extends SemaphoreWaitingContract implements OnPostgres {}

    @Nested
    class SemaphoreSize extends SemaphoreSizeContract implements OnPostgres {}

    @Nested
    class ServerFault extends ServerFaultContract {
        @Override
        public BackendFixture newFixture() {
            return SqlFixture.alone(PostgresServer.start());
        }
    }

    @Nested
    class Sticky extends StickyContract implements OnPostgres {}

    @Nested
    class StickyFault extends StickyFaultContract implements OnPostgres {}

    @Nested
    class Store extends StoreContract implements OnPostgres {}

    @Nested
    class StoreModes extends StoreModesContract implements OnPostgres {}

    @Nested
    class Token extends TokenContract implements OnPostgres {}

    @Nested
    class Unavailable extends UnavailableContract implements OnPostgres {}

    @Nested
    class Waiting extends WaitingContract implements OnPostgres {}

    @Nested
    class WriteLockAsMutex extends WriteLockAsMutexContract implements OnPostgres {}
}
