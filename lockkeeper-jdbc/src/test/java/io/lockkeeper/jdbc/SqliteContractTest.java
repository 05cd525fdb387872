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

/** Every contract on a SQLite file; most of them only with {@code -Pfull}. */
@Tag("once")
final class SqliteContractTest {

    @Tag(AboutTime.ELSEWHERE)
    interface OnSqlite extends Contract {
        @Override
        default BackendFixture newFixture() {
            return SqlFixture.sqlite();
        }
    }

    /**
     * Contracts in which a dialect cannot differ: what they are about is decided in core, or by the rules of the line in Java, above
     * the statements that the other contracts use. PostgreSQL and H2 run them in every build, this suite with {@code -Pfull}.
     */
    @Tag("full")
    interface OnSqliteInFull extends OnSqlite {}

    @Test
    void noContractIsLeftOut() {
        assertThat(Contracts.missingFrom(SqliteContractTest.class)).isEmpty();
    }

    @Nested
    class Acquire extends AcquireContract implements OnSqlite {}

    @Nested
    class AsyncOwner extends AsyncOwnerContract implements OnSqliteInFull {}

    @Nested
    class Async extends AsyncContract implements OnSqliteInFull {}

    @Nested
    class Downgrade extends DowngradeContract implements OnSqliteInFull {}

    @Nested
    class Exchange extends ExchangeContract implements OnSqlite {}

    @Nested
    class Extend extends ExtendContract implements OnSqliteInFull {}

    @Nested
    class Fair extends FairContract implements OnSqlite {}

    @Nested
    class Fencing extends FencingContract implements OnSqliteInFull {}

    @Nested
    class FixedLease extends FixedLeaseContract implements OnSqliteInFull {}

    @Nested
    class HandOff extends HandOffContract implements OnSqliteInFull {}

    @Nested
    class Isolation extends IsolationContract implements OnSqliteInFull {}

    @Nested
    class Keeper extends KeeperContract implements OnSqliteInFull {}

    @Nested
    class Latch extends LatchContract implements OnSqlite {}

    @Nested
    class LatchFault extends LatchFaultContract implements OnSqlite {}

    @Nested
    class LeaderElection extends LeaderElectionContract implements OnSqliteInFull {}

    @Nested
    class LeaderLoss extends LeaderLossContract implements OnSqlite {}

    @Nested
    class LeaderTask extends LeaderTaskContract implements OnSqliteInFull {}

    @Nested
    class Leak extends LeakContract implements OnSqliteInFull {}

    @Nested
    class Lease extends LeaseContract implements OnSqlite {}

    @Nested
    class Listener extends ListenerContract implements OnSqliteInFull {}

    @Nested
    class ListenerFault extends ListenerFaultContract implements OnSqliteInFull {}

    @Nested
    class Loss extends LossContract implements OnSqlite {}

    @Nested
    class LostOwner extends LostOwnerContract implements OnSqliteInFull {}

    @Nested
    class LostReplies extends LostRepliesContract implements OnSqlite {}

    @Nested
    class MultiLockAsMutex extends MultiLockAsMutexContract implements OnSqliteInFull {}

    @Nested
    class MajorityLock extends MajorityLockContract implements OnSqliteInFull {}

    @Nested
    class MultiLock extends MultiLockContract implements OnSqliteInFull {}

    @Nested
    class MultiLockLoss extends MultiLockLossContract implements OnSqliteInFull {}

    @Nested
    class MultiLockOwnership extends MultiLockOwnershipContract implements OnSqliteInFull {}

    @Nested
    class View extends ViewContract implements OnSqliteInFull {}

    @Nested
    class Names extends NamesContract implements OnSqlite {}

    @Nested
    class Ownership extends OwnershipContract implements OnSqliteInFull {}

    @Nested
    class PermitLease extends PermitLeaseContract implements OnSqliteInFull {}

    @Nested
    class PortablePermit extends PortablePermitContract implements OnSqliteInFull {}

    @Nested
    class ReadWrite extends ReadWriteContract implements OnSqliteInFull {}

    @Nested
    class ReaderFairness extends ReaderFairnessContract implements OnSqliteInFull {}

    @Nested
    class RequestLocks extends RequestLocksContract implements OnSqliteInFull {}

    @Nested
    class LazyKeeper extends LazyKeeperContract implements OnSqliteInFull {}

    @Nested
    class Timeout extends TimeoutContract implements OnSqliteInFull {}

    @Nested
    class Refusal extends RefusalContract implements OnSqlite {}

    @Nested
    class Release extends ReleaseContract implements OnSqliteInFull {}

    @Nested
    class SegmentedLockAsMutex extends SegmentedLockAsMutexContract implements OnSqliteInFull {}

    @Nested
    class SegmentedLock extends SegmentedLockContract implements OnSqliteInFull {}

    @Nested
    class SemaphoreAsMutex extends SemaphoreAsMutexContract implements OnSqliteInFull {}

    @Nested
    class Semaphore extends SemaphoreContract implements OnSqliteInFull {}

    @Nested
    class SemaphoreWaiting extends SemaphoreWaitingContract implements OnSqliteInFull {}

    @Nested
    class SemaphoreSize extends SemaphoreSizeContract implements OnSqliteInFull {}

    @Nested
    class ServerFault extends ServerFaultContract implements OnSqlite {}

    @Nested
    class Store extends StoreContract implements OnSqlite {}

    @Nested
    class StoreModes extends StoreModesContract implements OnSqlite {}

    @Nested
    class Token extends TokenContract implements OnSqlite {}

    @Nested
    class Unavailable extends UnavailableContract implements OnSqlite {}

    @Nested
    class Waiting extends WaitingContract implements OnSqlite {}

    @Nested
    class WriteLockAsMutex extends WriteLockAsMutexContract implements OnSqliteInFull {}
}
