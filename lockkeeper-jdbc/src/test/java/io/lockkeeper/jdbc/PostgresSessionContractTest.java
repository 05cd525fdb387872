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
import io.lockkeeper.testkit.contract.ReadWriteContract;
import io.lockkeeper.testkit.contract.ReaderFairnessContract;
import io.lockkeeper.testkit.contract.RefusalContract;
import io.lockkeeper.testkit.contract.ReleaseContract;
import io.lockkeeper.testkit.contract.SegmentedLockAsMutexContract;
import io.lockkeeper.testkit.contract.SegmentedLockContract;
import io.lockkeeper.testkit.contract.ServerFaultContract;
import io.lockkeeper.testkit.contract.SessionContract;
import io.lockkeeper.testkit.contract.StoreContract;
import io.lockkeeper.testkit.contract.StoreModesContract;
import io.lockkeeper.testkit.contract.TokenContract;
import io.lockkeeper.testkit.contract.UnavailableContract;
import io.lockkeeper.testkit.contract.ViewContract;
import io.lockkeeper.testkit.contract.WaitingContract;
import io.lockkeeper.testkit.contract.WriteLockAsMutexContract;
import io.lockkeeper.testkit.sql.PostgresServer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Session locks of PostgreSQL keep every contract about what they offer. */
final class PostgresSessionContractTest {

    /** What the keeper decides about time in a session, it decides on ZooKeeper. */
    @Tag(AboutTime.OF_STORE)
    interface InSession extends Contract {
        @Override
        default BackendFixture newFixture() {
            return SessionFixture.postgres();
        }
    }

    @Test
    void noContractIsLeftOut() {
        assertThat(Contracts.missingFrom(PostgresSessionContractTest.class)).isEmpty();
    }

    @Nested
    class Acquire extends AcquireContract implements InSession {}

    @Nested
    class AsyncOwner extends AsyncOwnerContract implements InSession {}

    @Nested
    class Async extends AsyncContract implements InSession {}

    @Nested
    class Downgrade extends DowngradeContract implements InSession {}

    @Nested
    class Fencing extends FencingContract implements InSession {}

    @Nested
    class FixedLease extends FixedLeaseContract implements InSession {}

    @Nested
    class HandOff extends HandOffContract implements InSession {}

    @Nested
    class Isolation extends IsolationContract implements InSession {}

    @Nested
    class Keeper extends KeeperContract implements InSession {}

    @Nested
    class LeaderElection extends LeaderElectionContract implements InSession {}

    @Nested
    class LeaderLoss extends LeaderLossContract implements InSession {}

    @Nested
    class LeaderTask extends LeaderTaskContract implements InSession {}

    @Nested
    class Leak extends LeakContract implements InSession {}

    @Nested
    class Lease extends LeaseContract implements InSession {}

    @Nested
    class Listener extends ListenerContract implements InSession {}

    @Nested
    class ListenerFault extends ListenerFaultContract implements InSession {}

    @Nested
    class Loss extends LossContract implements InSession {}

    @Nested
    class LostOwner extends LostOwnerContract implements InSession {}

    @Nested
    class LostReplies extends LostRepliesContract implements InSession {}

    @Nested
    class MultiLockAsMutex extends MultiLockAsMutexContract implements InSession {}

    @Nested
    class MajorityLock extends MajorityLockContract implements InSession {}

    @Nested
    class MultiLock extends MultiLockContract implements InSession {}

    @Nested
    class MultiLockLoss extends MultiLockLossContract implements InSession {}

    @Nested
    class MultiLockOwnership extends MultiLockOwnershipContract implements InSession {}

    @Nested
    class View extends ViewContract implements InSession {}

    @Nested
    class Names extends NamesContract implements InSession {}

    @Nested
    class Ownership extends OwnershipContract implements InSession {}

    @Nested
    class ReadWrite extends ReadWriteContract implements InSession {}

    @Nested
    class ReaderFairness extends ReaderFairnessContract implements InSession {}

    @Nested
    class LazyKeeper extends LazyKeeperContract implements InSession {}

    @Nested
    class Refusal extends RefusalContract implements InSession {}

    @Nested
    class Release extends ReleaseContract implements InSession {}

    @Nested
    class SegmentedLockAsMutex extends SegmentedLockAsMutexContract implements InSession {}

    @Nested
    class SegmentedLock extends SegmentedLockContract implements InSession {}

    @Nested
    class ServerFault extends ServerFaultContract {
        @Override
        public BackendFixture newFixture() {
            return SessionFixture.alone(PostgresServer.start());
        }
    }

    @Nested
    class Session extends SessionContract implements InSession {}

    @Nested
    class Store extends StoreContract implements InSession {}

    @Nested
    class StoreModes extends StoreModesContract implements InSession {}

    @Nested
    class Token extends TokenContract implements InSession {}

    @Nested
    class Unavailable extends UnavailableContract implements InSession {}

    @Nested
    class Waiting extends WaitingContract implements InSession {}

    @Nested
    class WriteLockAsMutex extends WriteLockAsMutexContract implements InSession {}
}
