package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.testkit.BackendFixture;
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
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Every contract on a single Redis server. */
final class RedisContractTest {

    interface OnRedis extends Contract {
        @Override
        default BackendFixture newFixture() {
            return RedisFixture.alone(SingleServer.start());
        }
    }

    @Test
    void noContractIsLeftOut() {
        assertThat(Contracts.missingFrom(RedisContractTest.class)).isEmpty();
    }

    @Nested
    class Acquire extends AcquireContract implements OnRedis {}

    @Nested
    class AsyncOwner extends AsyncOwnerContract implements OnRedis {}

    @Nested
    class Async extends AsyncContract implements OnRedis {}

    @Nested
    class Downgrade extends DowngradeContract implements OnRedis {}

    @Nested
    class Exchange extends ExchangeContract implements OnRedis {}

    @Nested
    class Extend extends ExtendContract implements OnRedis {}

    @Nested
    class Fair extends FairContract implements OnRedis {}

    @Nested
    class Fencing extends FencingContract implements OnRedis {}

    @Nested
    class FixedLease extends FixedLeaseContract implements OnRedis {}

    @Nested
    class HandOff extends HandOffContract implements OnRedis {}

    @Nested
    class Isolation extends IsolationContract implements OnRedis {}

    @Nested
    class Keeper extends KeeperContract implements OnRedis {}

    @Nested
    class Latch extends LatchContract implements OnRedis {}

    @Nested
    class LatchFault extends LatchFaultContract implements OnRedis {}

    @Nested
    class LeaderElection extends LeaderElectionContract implements OnRedis {}

    @Nested
    class LeaderLoss extends LeaderLossContract implements OnRedis {}

    @Nested
    class LeaderTask extends LeaderTaskContract implements OnRedis {}

    @Nested
    class Leak extends LeakContract implements OnRedis {}

    @Nested
    class Lease extends LeaseContract implements OnRedis {}

    @Nested
    class Listener extends ListenerContract implements OnRedis {}

    @Nested
    class ListenerFault extends ListenerFaultContract implements OnRedis {}

    @Nested
    class Loss extends LossContract implements OnRedis {}

    @Nested
    class LostOwner extends LostOwnerContract implements OnRedis {}

    @Nested
    class LostReplies extends LostRepliesContract implements OnRedis {}

    @Nested
    class MultiLockAsMutex extends MultiLockAsMutexContract implements OnRedis {}

    @Nested
    class MajorityLock extends MajorityLockContract implements OnRedis {}

    @Nested
    class MultiLock extends MultiLockContract implements OnRedis {}

    @Nested
    class MultiLockLoss extends MultiLockLossContract implements OnRedis {}

    @Nested
    class MultiLockOwnership extends MultiLockOwnershipContract implements OnRedis {}

    @Nested
    class View extends ViewContract implements OnRedis {}

    @Nested
    class Names extends NamesContract implements OnRedis {}

    @Nested
    class Ownership extends OwnershipContract implements OnRedis {}

    @Nested
    class PermitLease extends PermitLeaseContract implements OnRedis {}

    @Nested
    class PortablePermit extends PortablePermitContract implements OnRedis {}

    @Nested
    class ReadWrite extends ReadWriteContract implements OnRedis {}

    @Nested
    class ReaderFairness extends ReaderFairnessContract implements OnRedis {}

    @Nested
    class RequestLocks extends RequestLocksContract implements OnRedis {}

    @Nested
    class LazyKeeper extends LazyKeeperContract implements OnRedis {}

    @Nested
    class Timeout extends TimeoutContract implements OnRedis {}

    @Nested
    class Refusal extends RefusalContract implements OnRedis {}

    @Nested
    class Release extends ReleaseContract implements OnRedis {}

    @Nested
    class SegmentedLockAsMutex extends SegmentedLockAsMutexContract implements OnRedis {}

    @Nested
    class SegmentedLock extends SegmentedLockContract implements OnRedis {}

    @Nested
    class SemaphoreAsMutex extends SemaphoreAsMutexContract implements OnRedis {}

    @Nested
    class Semaphore extends SemaphoreContract implements OnRedis {}

    @Nested
    class SemaphoreWaiting extends SemaphoreWaitingContract implements OnRedis {}

    @Nested
    class SemaphoreSize extends SemaphoreSizeContract implements OnRedis {}

    @Nested
    class ServerFault extends ServerFaultContract implements OnRedis {}

    @Nested
    class Sticky extends StickyContract implements OnRedis {}

    @Nested
    class StickyFault extends StickyFaultContract implements OnRedis {}

    @Nested
    class Store extends StoreContract implements OnRedis {}

    @Nested
    class StoreModes extends StoreModesContract implements OnRedis {}

    @Nested
    class Token extends TokenContract implements OnRedis {}

    @Nested
    class Unavailable extends UnavailableContract implements OnRedis {}

    @Nested
    class Waiting extends WaitingContract implements OnRedis {}

    @Nested
    class WriteLockAsMutex extends WriteLockAsMutexContract implements OnRedis {}
}
