package io.lockkeeper.redis;

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
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every contract on a Sentinel group. Cases that stop servers have servers of their own. */
@Tag("once")
final class RedisSentinelContractTest {

    /** Its cases about time are those of {@link RedisContractTest}: the same scripts and clocks. */
    @Tag(AboutTime.ELSEWHERE)
    interface OnSentinels extends Contract {
        @Override
        default BackendFixture newFixture() {
            return RedisFixture.sharing(Objects.requireNonNull(servers));
        }
    }

    private static @Nullable Servers servers;

    @BeforeAll
    static void start() {
        servers = new SentinelServers();
    }

    @AfterAll
    static void stop() {
        Objects.requireNonNull(servers).close();
    }

    @Test
    void noContractIsLeftOut() {
        assertThat(Contracts.missingFrom(RedisSentinelContractTest.class)).isEmpty();
    }

    @Nested
    class Acquire extends AcquireContract implements OnSentinels {}

    @Nested
    class AsyncOwner extends AsyncOwnerContract implements OnSentinels {}

    @Nested
    class Async extends AsyncContract implements OnSentinels {}

    @Nested
    class Downgrade extends DowngradeContract implements OnSentinels {}

    @Nested
    class Exchange extends ExchangeContract implements OnSentinels {}

    @Nested
    class Extend extends ExtendContract implements OnSentinels {}

    @Nested
    class Fair extends FairContract implements OnSentinels {}

    @Nested
    class Fencing extends FencingContract implements OnSentinels {}

    @Nested
    class FixedLease extends FixedLeaseContract implements OnSentinels {}

    @Nested
    class HandOff extends HandOffContract implements OnSentinels {}

    @Nested
    class Isolation extends IsolationContract implements OnSentinels {}

    @Nested
    class Keeper extends KeeperContract implements OnSentinels {}

    @Nested
    class Latch extends LatchContract implements OnSentinels {}

    @Nested
    class LatchFault extends LatchFaultContract implements OnSentinels {}

    @Nested
    class LeaderElection extends LeaderElectionContract implements OnSentinels {}

    @Nested
    class LeaderLoss extends LeaderLossContract implements OnSentinels {}

    @Nested
    class LeaderTask extends LeaderTaskContract implements OnSentinels {}

    @Nested
    class Leak extends LeakContract implements OnSentinels {}

    @Nested
    class Lease extends LeaseContract implements OnSentinels {}

    @Nested
    class Listener extends ListenerContract implements OnSentinels {}

    @Nested
    class ListenerFault extends ListenerFaultContract implements OnSentinels {}

    @Nested
    class Loss extends LossContract implements OnSentinels {}

    @Nested
    class LostOwner extends LostOwnerContract implements OnSentinels {}

    @Nested
    class LostReplies extends LostRepliesContract implements OnSentinels {}

    @Nested
    class MultiLockAsMutex extends MultiLockAsMutexContract implements OnSentinels {}

    @Nested
    class MajorityLock extends MajorityLockContract implements OnSentinels {}

    @Nested
    class MultiLock extends MultiLockContract implements OnSentinels {}

    @Nested
    class MultiLockLoss extends MultiLockLossContract implements OnSentinels {}

    @Nested
    class MultiLockOwnership extends MultiLockOwnershipContract implements OnSentinels {}

    @Nested
    class View extends ViewContract implements OnSentinels {}

    @Nested
    class Names extends NamesContract implements OnSentinels {}

    @Nested
    class Ownership extends OwnershipContract implements OnSentinels {}

    @Nested
    class PermitLease extends PermitLeaseContract implements OnSentinels {}

    @Nested
    class PortablePermit extends PortablePermitContract implements OnSentinels {}

    @Nested
    class ReadWrite extends ReadWriteContract implements OnSentinels {}

    @Nested
    class ReaderFairness extends ReaderFairnessContract implements OnSentinels {}

    @Nested
    class RequestLocks extends RequestLocksContract implements OnSentinels {}

    @Nested
    class LazyKeeper extends LazyKeeperContract implements OnSentinels {}

    @Nested
    class Timeout extends TimeoutContract implements OnSentinels {}

    @Nested
    class Refusal extends RefusalContract implements OnSentinels {}

    @Nested
    class Release extends ReleaseContract implements OnSentinels {}

    @Nested
    class SegmentedLockAsMutex extends SegmentedLockAsMutexContract implements OnSentinels {}

    @Nested
    class SegmentedLock extends SegmentedLockContract implements OnSentinels {}

    @Nested
    class SemaphoreAsMutex extends SemaphoreAsMutexContract implements OnSentinels {}

    @Nested
    class Semaphore extends SemaphoreContract implements OnSentinels {}

    @Nested
    class SemaphoreWaiting extends SemaphoreWaitingContract implements OnSentinels {}

    @Nested
    class SemaphoreSize extends SemaphoreSizeContract implements OnSentinels {}

    @Nested
    class ServerFault extends ServerFaultContract {
        @Override
        public BackendFixture newFixture() {
            return RedisFixture.alone(new SentinelServers());
        }
    }

    @Nested
    class Sticky extends StickyContract implements OnSentinels {}

    @Nested
    class StickyFault extends StickyFaultContract implements OnSentinels {}

    @Nested
    class Store extends StoreContract implements OnSentinels {}

    @Nested
    class StoreModes extends StoreModesContract implements OnSentinels {}

    @Nested
    class Token extends TokenContract implements OnSentinels {}

    @Nested
    class Unavailable extends UnavailableContract implements OnSentinels {}

    @Nested
    class Waiting extends WaitingContract implements OnSentinels {}

    @Nested
    class WriteLockAsMutex extends WriteLockAsMutexContract implements OnSentinels {}
}
