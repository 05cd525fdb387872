package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.testkit.BackendFixture;
import io.lockkeeper.testkit.contract.AcquireContract;
import io.lockkeeper.testkit.contract.AsyncContract;
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
import io.lockkeeper.testkit.contract.LeakContract;
import io.lockkeeper.testkit.contract.LeaseContract;
import io.lockkeeper.testkit.contract.ListenerContract;
import io.lockkeeper.testkit.contract.ListenerFaultContract;
import io.lockkeeper.testkit.contract.LossContract;
import io.lockkeeper.testkit.contract.LostOwnerContract;
import io.lockkeeper.testkit.contract.LostRepliesContract;
import io.lockkeeper.testkit.contract.MultiLockAsMutexContract;
import io.lockkeeper.testkit.contract.MultiLockContract;
import io.lockkeeper.testkit.contract.MultiLockLossContract;
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
import io.lockkeeper.testkit.contract.SemaphoreWaitingContract;
import io.lockkeeper.testkit.contract.ServerFaultContract;
import io.lockkeeper.testkit.contract.StoreContract;
import io.lockkeeper.testkit.contract.StoreModesContract;
import io.lockkeeper.testkit.contract.TimeoutContract;
import io.lockkeeper.testkit.contract.TokenContract;
import io.lockkeeper.testkit.contract.UnavailableContract;
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

/** Every contract on five independent Redis servers that vote. What stops servers has servers of its own. */
@Tag("once")
final class RedlockContractTest {

    interface OnRedlock extends Contract {
        @Override
        default BackendFixture newFixture() {
            return RedlockFixture.sharing(SERVERS);
        }
    }

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
    class Acquire extends AcquireContract implements OnRedlock {}

    @Nested
    class Async extends AsyncContract implements OnRedlock {}

    @Nested
    class Downgrade extends DowngradeContract implements OnRedlock {}

    @Nested
    class Extend extends ExtendContract implements OnRedlock {}

    @Nested
    class Fencing extends FencingContract implements OnRedlock {}

    @Nested
    class FixedLease extends FixedLeaseContract implements OnRedlock {}

    @Nested
    class HandOff extends HandOffContract implements OnRedlock {}

    @Nested
    class Isolation extends IsolationContract implements OnRedlock {}

    @Nested
    class Keeper extends KeeperContract implements OnRedlock {}

    @Nested
    class LeaderElection extends LeaderElectionContract implements OnRedlock {}

    @Nested
    class LeaderLoss extends LeaderLossContract implements OnRedlock {}

    @Nested
    class Leak extends LeakContract implements OnRedlock {}

    @Nested
    class Lease extends LeaseContract implements OnRedlock {}

    @Nested
    class Listener extends ListenerContract implements OnRedlock {}

    @Nested
    class ListenerFault extends ListenerFaultContract implements OnRedlock {}

    @Nested
    class Loss extends LossContract implements OnRedlock {}

    @Nested
    class LostOwner extends LostOwnerContract implements OnRedlock {}

    @Nested
    class LostReplies extends LostRepliesContract implements OnRedlock {}

    @Nested
    class MultiLockAsMutex extends MultiLockAsMutexContract implements OnRedlock {}

    @Nested
    class MultiLock extends MultiLockContract implements OnRedlock {}

    @Nested
    class MultiLockLoss extends MultiLockLossContract implements OnRedlock {}

    @Nested
    class Names extends NamesContract implements OnRedlock {}

    @Nested
    class Ownership extends OwnershipContract implements OnRedlock {}

    @Nested
    class PermitLease extends PermitLeaseContract implements OnRedlock {}

    @Nested
    class PortablePermit extends PortablePermitContract implements OnRedlock {}

    @Nested
    class ReadWrite extends ReadWriteContract implements OnRedlock {}

    @Nested
    class ReaderFairness extends ReaderFairnessContract implements OnRedlock {}

    @Nested
    class RequestLocks extends RequestLocksContract implements OnRedlock {}

    @Nested
    class LazyKeeper extends LazyKeeperContract implements OnRedlock {}

    @Nested
    class Timeout extends TimeoutContract implements OnRedlock {}

    @Nested
    class Refusal extends RefusalContract implements OnRedlock {}

    @Nested
    class Release extends ReleaseContract implements OnRedlock {}

    @Nested
    class SegmentedLockAsMutex extends SegmentedLockAsMutexContract implements OnRedlock {}

    @Nested
    class SegmentedLock extends SegmentedLockContract implements OnRedlock {}

    @Nested
    class SemaphoreAsMutex extends SemaphoreAsMutexContract implements OnRedlock {}

    @Nested
    class Semaphore extends SemaphoreContract implements OnRedlock {}

    @Nested
    class SemaphoreWaiting extends SemaphoreWaitingContract implements OnRedlock {}

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
    class StoreModes extends StoreModesContract implements OnRedlock {}

    @Nested
    class Token extends TokenContract implements OnRedlock {}

    @Nested
    class Unavailable extends UnavailableContract implements OnRedlock {}

    @Nested
    class Waiting extends WaitingContract implements OnRedlock {}

    @Nested
    class WriteLockAsMutex extends WriteLockAsMutexContract implements OnRedlock {}
}
