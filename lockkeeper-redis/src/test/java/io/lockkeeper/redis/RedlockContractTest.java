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
import io.lockkeeper.testkit.contract.ExtendContract;
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
import io.lockkeeper.testkit.redis.RedisServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every contract on five independent Redis servers that vote. Cases that stop servers have servers of their own. */
@Tag("once")
final class RedlockContractTest {

    /** What the keeper decides about time, it decides on a single server. */
    @Tag(AboutTime.OF_STORE)
    interface OnRedlock extends Contract {
        @Override
        default BackendFixture newFixture() {
            return RedlockFixture.sharing(SERVERS);
        }
    }

    /** Contracts whose cases about time are left to {@code QuorumContractTest, in virtual time}. */
    @Tag(AboutTime.ELSEWHERE)
    interface OnRedlockUnhurried extends OnRedlock {}

    private static final List<RedisServer> SERVERS = new ArrayList<>();

    @BeforeAll
    static void start() {
        SERVERS.addAll(RedlockFixture.startServers());
    }

    @AfterAll
    static void stop() {
        SERVERS.forEach(RedisServer::close);
        SERVERS.clear();
    }

    @Test
    void noContractIsLeftOut() {
        assertThat(Contracts.missingFrom(RedlockContractTest.class)).isEmpty();
    }

    @Nested
    class Acquire extends AcquireContract implements OnRedlockUnhurried {}

    @Nested
    class AsyncOwner extends AsyncOwnerContract implements OnRedlockUnhurried {}

    @Nested
    class Async extends AsyncContract implements OnRedlockUnhurried {}

    @Nested
    class Downgrade extends DowngradeContract implements OnRedlockUnhurried {}

    @Nested
    class Extend extends ExtendContract implements OnRedlockUnhurried {}

    @Nested
    class Fencing extends FencingContract implements OnRedlockUnhurried {}

    @Nested
    class FixedLease extends FixedLeaseContract implements OnRedlockUnhurried {}

    @Nested
    class HandOff extends HandOffContract implements OnRedlockUnhurried {}

    @Nested
    class Isolation extends IsolationContract implements OnRedlockUnhurried {}

    @Nested
    class Keeper extends KeeperContract implements OnRedlockUnhurried {}

    @Nested
    class LeaderElection extends LeaderElectionContract implements OnRedlockUnhurried {}

    @Nested
    class LeaderLoss extends LeaderLossContract implements OnRedlockUnhurried {}

    @Nested
    class LeaderTask extends LeaderTaskContract implements OnRedlockUnhurried {}

    @Nested
    class Leak extends LeakContract implements OnRedlockUnhurried {}

    @Nested
    class Lease extends LeaseContract implements OnRedlock {}

    @Nested
    class Listener extends ListenerContract implements OnRedlockUnhurried {}

    @Nested
    class ListenerFault extends ListenerFaultContract implements OnRedlockUnhurried {}

    @Nested
    class Loss extends LossContract implements OnRedlock {}

    @Nested
    class LostOwner extends LostOwnerContract implements OnRedlockUnhurried {}

    @Nested
    class LostReplies extends LostRepliesContract implements OnRedlockUnhurried {}

    @Nested
    class MultiLockAsMutex extends MultiLockAsMutexContract implements OnRedlockUnhurried {}

    @Nested
    class MajorityLock extends MajorityLockContract implements OnRedlockUnhurried {}

    @Nested
    class MultiLock extends MultiLockContract implements OnRedlockUnhurried {}

    @Nested
    class MultiLockLoss extends MultiLockLossContract implements OnRedlockUnhurried {}

    @Nested
    class MultiLockOwnership extends MultiLockOwnershipContract implements OnRedlockUnhurried {}

    @Nested
    class View extends ViewContract implements OnRedlockUnhurried {}

    @Nested
    class Names extends NamesContract implements OnRedlockUnhurried {}

    @Nested
    class Ownership extends OwnershipContract implements OnRedlockUnhurried {}

    @Nested
    class PermitLease extends PermitLeaseContract implements OnRedlockUnhurried {}

    @Nested
    class PortablePermit extends PortablePermitContract implements OnRedlockUnhurried {}

    @Nested
    class ReadWrite extends ReadWriteContract implements OnRedlockUnhurried {}

    @Nested
    class ReaderFairness extends ReaderFairnessContract implements OnRedlockUnhurried {}

    @Nested
    class LazyKeeper extends LazyKeeperContract implements OnRedlockUnhurried {}

    @Nested
    class Timeout extends TimeoutContract implements OnRedlockUnhurried {}

    @Nested
    class Refusal extends RefusalContract implements OnRedlockUnhurried {}

    @Nested
    class Release extends ReleaseContract implements OnRedlockUnhurried {}

    @Nested
    class SegmentedLockAsMutex extends SegmentedLockAsMutexContract implements OnRedlockUnhurried {}

    @Nested
    class SegmentedLock extends SegmentedLockContract implements OnRedlockUnhurried {}

    @Nested
    class SemaphoreAsMutex extends SemaphoreAsMutexContract implements OnRedlockUnhurried {}

    @Nested
    class Semaphore extends SemaphoreContract implements OnRedlockUnhurried {}

    @Nested
    class SemaphoreWaiting extends SemaphoreWaitingContract implements OnRedlockUnhurried {}

    @Nested
    class ServerFault extends ServerFaultContract {
        @Override
        public BackendFixture newFixture() {
            return RedlockFixture.alone();
        }
    }

    @Nested
    class Store extends StoreContract implements OnRedlock {}

    @Nested
    class StoreModes extends StoreModesContract implements OnRedlockUnhurried {}

    @Nested
    class Token extends TokenContract implements OnRedlock {}

    @Nested
    class Unavailable extends UnavailableContract implements OnRedlockUnhurried {}

    @Nested
    class Waiting extends WaitingContract implements OnRedlockUnhurried {}

    @Nested
    class WriteLockAsMutex extends WriteLockAsMutexContract implements OnRedlockUnhurried {}
}
