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
import io.lockkeeper.testkit.sql.MySqlServer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every contract on MySQL 8. It needs a MySQL, so it is no part of the default build: the profile {@code mysql} runs it. */
final class MySqlContractCheck {

    @Tag(AboutTime.ELSEWHERE)
    interface OnMySql extends Contract {
        @Override
        default BackendFixture newFixture() {
            return SqlFixture.mySql();
        }
    }

    @Test
    void noContractIsLeftOut() {
        assertThat(Contracts.missingFrom(MySqlContractCheck.class)).isEmpty();
    }

    @Nested
    class Acquire extends AcquireContract implements OnMySql {}

    @Nested
    class AsyncOwner extends AsyncOwnerContract implements OnMySql {}

    @Nested
    class Async extends AsyncContract implements OnMySql {}

    @Nested
    class Downgrade extends DowngradeContract implements OnMySql {}

    @Nested
    class Exchange extends ExchangeContract implements OnMySql {}

    @Nested
    class Extend extends ExtendContract implements OnMySql {}

    @Nested
    class Fair extends FairContract implements OnMySql {}

    @Nested
    class Fencing extends FencingContract implements OnMySql {}

    @Nested
    class FixedLease extends FixedLeaseContract implements OnMySql {}

    @Nested
    class HandOff extends HandOffContract implements OnMySql {}

    @Nested
    class Isolation extends IsolationContract implements OnMySql {}

    @Nested
    class Keeper extends KeeperContract implements OnMySql {}

    @Nested
    class Latch extends LatchContract implements OnMySql {}

    @Nested
    class LatchFault extends LatchFaultContract implements OnMySql {}

    @Nested
    class LeaderElection extends LeaderElectionContract implements OnMySql {}

    @Nested
    class LeaderLoss extends LeaderLossContract implements OnMySql {}

    @Nested
    class LeaderTask extends LeaderTaskContract implements OnMySql {}

    @Nested
    class Leak extends LeakContract implements OnMySql {}

    @Nested
    class Lease extends LeaseContract implements OnMySql {}

    @Nested
    class Listener extends ListenerContract implements OnMySql {}

    @Nested
    class ListenerFault extends ListenerFaultContract implements OnMySql {}

    @Nested
    class Loss extends LossContract implements OnMySql {}

    @Nested
    class LostOwner extends LostOwnerContract implements OnMySql {}

    @Nested
    class LostReplies extends LostRepliesContract implements OnMySql {}

    @Nested
    class MultiLockAsMutex extends MultiLockAsMutexContract implements OnMySql {}

    @Nested
    class MajorityLock extends MajorityLockContract implements OnMySql {}

    @Nested
    class MultiLock extends MultiLockContract implements OnMySql {}

    @Nested
    class MultiLockLoss extends MultiLockLossContract implements OnMySql {}

    @Nested
    class MultiLockOwnership extends MultiLockOwnershipContract implements OnMySql {}

    @Nested
    class View extends ViewContract implements OnMySql {}

    @Nested
    class Names extends NamesContract implements OnMySql {}

    @Nested
    class Ownership extends OwnershipContract implements OnMySql {}

    @Nested
    class PermitLease extends PermitLeaseContract implements OnMySql {}

    @Nested
    class PortablePermit extends PortablePermitContract implements OnMySql {}

    @Nested
    class ReadWrite extends ReadWriteContract implements OnMySql {}

    @Nested
    class ReaderFairness extends ReaderFairnessContract implements OnMySql {}

    @Nested
    class RequestLocks extends RequestLocksContract implements OnMySql {}

    @Nested
    class LazyKeeper extends LazyKeeperContract implements OnMySql {}

    @Nested
    class Timeout extends TimeoutContract implements OnMySql {}

    @Nested
    class Refusal extends RefusalContract implements OnMySql {}

    @Nested
    class Release extends ReleaseContract implements OnMySql {}

    @Nested
    class SegmentedLockAsMutex extends SegmentedLockAsMutexContract implements OnMySql {}

    @Nested
    class SegmentedLock extends SegmentedLockContract implements OnMySql {}

    @Nested
    class SemaphoreAsMutex extends SemaphoreAsMutexContract implements OnMySql {}

    @Nested
    class Semaphore extends SemaphoreContract implements OnMySql {}

    @Nested
    class SemaphoreWaiting extends SemaphoreWaitingContract implements OnMySql {}

    @Nested
    class SemaphoreSize extends SemaphoreSizeContract implements OnMySql {}

    @Nested
    class ServerFault extends ServerFaultContract {
        @Override
        public BackendFixture newFixture() {
            return SqlFixture.alone(MySqlServer.start());
        }
    }

    @Nested
    class Store extends StoreContract implements OnMySql {}

    @Nested
    class StoreModes extends StoreModesContract implements OnMySql {}

    @Nested
    class Token extends TokenContract implements OnMySql {}

    @Nested
    class Unavailable extends UnavailableContract implements OnMySql {}

    @Nested
    class Waiting extends WaitingContract implements OnMySql {}

    @Nested
    class WriteLockAsMutex extends WriteLockAsMutexContract implements OnMySql {}
}
