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

/**
 * Every contract behind a pooler of transactions, where keepers do not hear each other and so no lock is sticky. It needs a PgBouncer,
 * so it is no part of the default build: the profile {@code pgbouncer} runs it.
 */
final class PoolerContractCheck {

    @Tag(AboutTime.ELSEWHERE)
    interface BehindPooler extends Contract {
        @Override
        default BackendFixture newFixture() {
            return SqlFixture.pooled();
        }
    }

    @Test
    void noContractIsLeftOut() {
        assertThat(Contracts.missingFrom(PoolerContractCheck.class)).isEmpty();
    }

    @Nested
    class Acquire extends AcquireContract implements BehindPooler {}

    @Nested
    class AsyncOwner extends AsyncOwnerContract implements BehindPooler {}

    @Nested
    class Async extends AsyncContract implements BehindPooler {}

    @Nested
    class Downgrade extends DowngradeContract implements BehindPooler {}

    @Nested
    class Exchange extends ExchangeContract implements BehindPooler {}

    @Nested
    class Extend extends ExtendContract implements BehindPooler {}

    @Nested
    class Fair extends FairContract implements BehindPooler {}

    @Nested
    class Fencing extends FencingContract implements BehindPooler {}

    @Nested
    class FixedLease extends FixedLeaseContract implements BehindPooler {}

    @Nested
    class HandOff extends HandOffContract implements BehindPooler {}

    @Nested
    class Isolation extends IsolationContract implements BehindPooler {}

    @Nested
    class Keeper extends KeeperContract implements BehindPooler {}

    @Nested
    class Latch extends LatchContract implements BehindPooler {}

    @Nested
    class LatchFault extends LatchFaultContract implements BehindPooler {}

    @Nested
    class LeaderElection extends LeaderElectionContract implements BehindPooler {}

    @Nested
    class LeaderLoss extends LeaderLossContract implements BehindPooler {}

    @Nested
    class LeaderTask extends LeaderTaskContract implements BehindPooler {}

    @Nested
    class Leak extends LeakContract implements BehindPooler {}

    @Nested
    class Lease extends LeaseContract implements BehindPooler {}

    @Nested
    class Listener extends ListenerContract implements BehindPooler {}

    @Nested
    class ListenerFault extends ListenerFaultContract implements BehindPooler {}

    @Nested
    class Loss extends LossContract implements BehindPooler {}

    @Nested
    class LostOwner extends LostOwnerContract implements BehindPooler {}

    @Nested
    class LostReplies extends LostRepliesContract implements BehindPooler {}

    @Nested
    class MultiLockAsMutex extends MultiLockAsMutexContract implements BehindPooler {}

    @Nested
    class MajorityLock extends MajorityLockContract implements BehindPooler {}

    @Nested
    class MultiLock extends MultiLockContract implements BehindPooler {}

    @Nested
    class MultiLockLoss extends MultiLockLossContract implements BehindPooler {}

    @Nested
    class MultiLockOwnership extends MultiLockOwnershipContract implements BehindPooler {}

    @Nested
    class View extends ViewContract implements BehindPooler {}

    @Nested
    class Names extends NamesContract implements BehindPooler {}

    @Nested
    class Ownership extends OwnershipContract implements BehindPooler {}

    @Nested
    class PermitLease extends PermitLeaseContract implements BehindPooler {}

    @Nested
    class PortablePermit extends PortablePermitContract implements BehindPooler {}

    @Nested
    class ReadWrite extends ReadWriteContract implements BehindPooler {}

    @Nested
    class ReaderFairness extends ReaderFairnessContract implements BehindPooler {}

    @Nested
    class RequestLocks extends RequestLocksContract implements BehindPooler {}

    @Nested
    class LazyKeeper extends LazyKeeperContract implements BehindPooler {}

    @Nested
    class Timeout extends TimeoutContract implements BehindPooler {}

    @Nested
    class Refusal extends RefusalContract implements BehindPooler {}

    @Nested
    class Release extends ReleaseContract implements BehindPooler {}

    @Nested
    class SegmentedLockAsMutex extends SegmentedLockAsMutexContract implements BehindPooler {}

    @Nested
    class SegmentedLock extends SegmentedLockContract implements BehindPooler {}

    @Nested
    class SemaphoreAsMutex extends SemaphoreAsMutexContract implements BehindPooler {}

    @Nested
    class Semaphore extends SemaphoreContract implements BehindPooler {}

    @Nested
    class SemaphoreWaiting extends SemaphoreWaitingContract implements BehindPooler {}

    @Nested
    class SemaphoreSize extends SemaphoreSizeContract implements BehindPooler {}

    @Nested
    class ServerFault extends ServerFaultContract {
        @Override
        public BackendFixture newFixture() {
            return SqlFixture.pooledAlone();
        }
    }

    @Nested
    class Store extends StoreContract implements BehindPooler {}

    @Nested
    class StoreModes extends StoreModesContract implements BehindPooler {}

    @Nested
    class Token extends TokenContract implements BehindPooler {}

    @Nested
    class Unavailable extends UnavailableContract implements BehindPooler {}

    @Nested
    class Waiting extends WaitingContract implements BehindPooler {}

    @Nested
    class WriteLockAsMutex extends WriteLockAsMutexContract implements BehindPooler {}
}
