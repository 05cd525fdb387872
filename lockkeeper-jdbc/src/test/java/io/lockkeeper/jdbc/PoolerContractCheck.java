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

    /**
     * Contracts in which a pooler cannot matter: what they are about is decided in core, or by the rules of the line in Java, above
     * the statements that the other contracts send through it. They run without one in every build, and here with {@code -Pfull}.
     */
    @Tag("full")
    interface BehindPoolerInFull extends BehindPooler {}

    @Test
    void noContractIsLeftOut() {
        assertThat(Contracts.missingFrom(PoolerContractCheck.class)).isEmpty();
    }

    @Nested
    class Acquire extends AcquireContract implements BehindPooler {}

    @Nested
    class AsyncOwner extends AsyncOwnerContract implements BehindPoolerInFull {}

    @Nested
    class Async extends AsyncContract implements BehindPoolerInFull {}

    @Nested
    class Downgrade extends DowngradeContract implements BehindPoolerInFull {}

    @Nested
    class Exchange extends ExchangeContract implements BehindPooler {}

    @Nested
    class Extend extends ExtendContract implements BehindPoolerInFull {}

    @Nested
    class Fair extends FairContract implements BehindPooler {}

    @Nested
    class Fencing extends FencingContract implements BehindPoolerInFull {}

    @Nested
    class FixedLease extends FixedLeaseContract implements BehindPoolerInFull {}

    @Nested
    class HandOff extends HandOffContract implements BehindPoolerInFull {}

    @Nested
    class Isolation extends IsolationContract implements BehindPoolerInFull {}

    @Nested
    class Keeper extends KeeperContract implements BehindPoolerInFull {}

    @Nested
    class Latch extends LatchContract implements BehindPooler {}

    @Nested
    class LatchFault extends LatchFaultContract implements BehindPooler {}

    @Nested
    class LeaderElection extends LeaderElectionContract implements BehindPoolerInFull {}

    @Nested
    class LeaderLoss extends LeaderLossContract implements BehindPooler {}

    @Nested
    class LeaderTask extends LeaderTaskContract implements BehindPoolerInFull {}

    @Nested
    class Leak extends LeakContract implements BehindPoolerInFull {}

    @Nested
    class Lease extends LeaseContract implements BehindPooler {}

    @Nested
    class Listener extends ListenerContract implements BehindPoolerInFull {}

    @Nested
    class ListenerFault extends ListenerFaultContract implements BehindPoolerInFull {}

    @Nested
    class Loss extends LossContract implements BehindPooler {}

    @Nested
    class LostOwner extends LostOwnerContract implements BehindPoolerInFull {}

    @Nested
    class LostReplies extends LostRepliesContract implements BehindPooler {}

    @Nested
    class MultiLockAsMutex extends MultiLockAsMutexContract implements BehindPoolerInFull {}

    @Nested
    class MajorityLock extends MajorityLockContract implements BehindPoolerInFull {}

    @Nested
    class MultiLock extends MultiLockContract implements BehindPoolerInFull {}

    @Nested
    class MultiLockLoss extends MultiLockLossContract implements BehindPoolerInFull {}

    @Nested
    class MultiLockOwnership extends MultiLockOwnershipContract implements BehindPoolerInFull {}

    @Nested
    class View extends ViewContract implements BehindPoolerInFull {}

    @Nested
    class Names extends NamesContract implements BehindPooler {}

    @Nested
    class Ownership extends OwnershipContract implements BehindPoolerInFull {}

    @Nested
    class PermitLease extends PermitLeaseContract implements BehindPoolerInFull {}

    @Nested
    class PortablePermit extends PortablePermitContract implements BehindPoolerInFull {}

    @Nested
    class ReadWrite extends ReadWriteContract implements BehindPoolerInFull {}

    @Nested
    class ReaderFairness extends ReaderFairnessContract implements BehindPoolerInFull {}

    @Nested
    class RequestLocks extends RequestLocksContract implements BehindPoolerInFull {}

    @Nested
    class LazyKeeper extends LazyKeeperContract implements BehindPoolerInFull {}

    @Nested
    class Timeout extends TimeoutContract implements BehindPoolerInFull {}

    @Nested
    class Refusal extends RefusalContract implements BehindPooler {}

    @Nested
    class Release extends ReleaseContract implements BehindPoolerInFull {}

    @Nested
    class SegmentedLockAsMutex extends SegmentedLockAsMutexContract implements BehindPoolerInFull {}

    @Nested
    class SegmentedLock extends SegmentedLockContract implements BehindPoolerInFull {}

    @Nested
    class SemaphoreAsMutex extends SemaphoreAsMutexContract implements BehindPoolerInFull {}

    @Nested
    class Semaphore extends SemaphoreContract implements BehindPoolerInFull {}

    @Nested
    class SemaphoreWaiting extends SemaphoreWaitingContract implements BehindPoolerInFull {}

    @Nested
    class SemaphoreSize extends SemaphoreSizeContract implements BehindPoolerInFull {}

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
    class WriteLockAsMutex extends WriteLockAsMutexContract implements BehindPoolerInFull {}
}
