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
import io.lockkeeper.testkit.sql.MariaDbServer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every contract on MariaDB; most of them only with {@code -Pfull}. */
@Tag("once")
final class MariaDbContractTest {

    @Tag(AboutTime.ELSEWHERE)
    interface OnMariaDb extends Contract {
        @Override
        default BackendFixture newFixture() {
            return SqlFixture.mariaDb();
        }
    }

    /**
     * Contracts in which a dialect cannot differ: what they are about is decided in core, or by the rules of the line in Java, above
     * the statements that the other contracts use. PostgreSQL and H2 run them in every build, this suite with {@code -Pfull}.
     */
    @Tag("full")
    interface OnMariaDbInFull extends OnMariaDb {}

    @Test
    void noContractIsLeftOut() {
        assertThat(Contracts.missingFrom(MariaDbContractTest.class)).isEmpty();
    }

    @Nested
    class Acquire extends AcquireContract implements OnMariaDb {}

    @Nested
    class AsyncOwner extends AsyncOwnerContract implements OnMariaDbInFull {}

    @Nested
    class Async extends AsyncContract implements OnMariaDbInFull {}

    @Nested
    class Downgrade extends DowngradeContract implements OnMariaDbInFull {}

    @Nested
    class Exchange extends ExchangeContract implements OnMariaDb {}

    @Nested
    class Extend extends ExtendContract implements OnMariaDbInFull {}

    @Nested
    class Fair extends FairContract implements OnMariaDb {}

    @Nested
    class Fencing extends FencingContract implements OnMariaDbInFull {}

    @Nested
    class FixedLease extends FixedLeaseContract implements OnMariaDbInFull {}

    @Nested
    class HandOff extends HandOffContract implements OnMariaDbInFull {}

    @Nested
    class Isolation extends IsolationContract implements OnMariaDbInFull {}

    @Nested
    class Keeper extends KeeperContract implements OnMariaDbInFull {}

    @Nested
    class Latch extends LatchContract implements OnMariaDb {}

    @Nested
    class LatchFault extends LatchFaultContract implements OnMariaDb {}

    @Nested
    class LeaderElection extends LeaderElectionContract implements OnMariaDbInFull {}

    @Nested
    class LeaderLoss extends LeaderLossContract implements OnMariaDb {}

    @Nested
    class LeaderTask extends LeaderTaskContract implements OnMariaDbInFull {}

    @Nested
    class Leak extends LeakContract implements OnMariaDbInFull {}

    @Nested
    class Lease extends LeaseContract implements OnMariaDb {}

    @Nested
    class Listener extends ListenerContract implements OnMariaDbInFull {}

    @Nested
    class ListenerFault extends ListenerFaultContract implements OnMariaDbInFull {}

    @Nested
    class Loss extends LossContract implements OnMariaDb {}

    @Nested
    class LostOwner extends LostOwnerContract implements OnMariaDbInFull {}

    @Nested
    class LostReplies extends LostRepliesContract implements OnMariaDb {}

    @Nested
    class MultiLockAsMutex extends MultiLockAsMutexContract implements OnMariaDbInFull {}

    @Nested
    class MajorityLock extends MajorityLockContract implements OnMariaDbInFull {}

    @Nested
    class MultiLock extends MultiLockContract implements OnMariaDbInFull {}

    @Nested
    class MultiLockLoss extends MultiLockLossContract implements OnMariaDbInFull {}

    @Nested
    class MultiLockOwnership extends MultiLockOwnershipContract implements OnMariaDbInFull {}

    @Nested
    class View extends ViewContract implements OnMariaDbInFull {}

    @Nested
    class Names extends NamesContract implements OnMariaDb {}

    @Nested
    class Ownership extends OwnershipContract implements OnMariaDbInFull {}

    @Nested
    class PermitLease extends PermitLeaseContract implements OnMariaDbInFull {}

    @Nested
    class PortablePermit extends PortablePermitContract implements OnMariaDbInFull {}

    @Nested
    class ReadWrite extends ReadWriteContract implements OnMariaDbInFull {}

    @Nested
    class ReaderFairness extends ReaderFairnessContract implements OnMariaDbInFull {}

    @Nested
    class RequestLocks extends RequestLocksContract implements OnMariaDbInFull {}

    @Nested
    class LazyKeeper extends LazyKeeperContract implements OnMariaDbInFull {}

    @Nested
    class Timeout extends TimeoutContract implements OnMariaDbInFull {}

    @Nested
    class Refusal extends RefusalContract implements OnMariaDb {}

    @Nested
    class Release extends ReleaseContract implements OnMariaDbInFull {}

    @Nested
    class SegmentedLockAsMutex extends SegmentedLockAsMutexContract implements OnMariaDbInFull {}

    @Nested
    class SegmentedLock extends SegmentedLockContract implements OnMariaDbInFull {}

    @Nested
    class SemaphoreAsMutex extends SemaphoreAsMutexContract implements OnMariaDbInFull {}

    @Nested
    class Semaphore extends SemaphoreContract implements OnMariaDbInFull {}

    @Nested
    class SemaphoreWaiting extends SemaphoreWaitingContract implements OnMariaDbInFull {}

    @Nested
    class SemaphoreSize extends SemaphoreSizeContract implements OnMariaDbInFull {}

    @Nested
    class ServerFault extends ServerFaultContract {
        @Override
        public BackendFixture newFixture() {
            return SqlFixture.alone(MariaDbServer.start());
        }
    }

    @Nested
    class Store extends StoreContract implements OnMariaDb {}

    @Nested
    class StoreModes extends StoreModesContract implements OnMariaDb {}

    @Nested
    class Token extends TokenContract implements OnMariaDb {}

    @Nested
    class Unavailable extends UnavailableContract implements OnMariaDb {}

    @Nested
    class Waiting extends WaitingContract implements OnMariaDb {}

    @Nested
    class WriteLockAsMutex extends WriteLockAsMutexContract implements OnMariaDbInFull {}
}
