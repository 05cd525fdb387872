package io.lockkeeper.examples;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Fencing;
import io.lockkeeper.Lockkeeper;
import java.util.UUID;

/** What the guide says that its examples use. */
@SuppressWarnings("unused")
final class GuideSetUp {

    private GuideSetUp() {}

    /** What the examples of the guide use. */
    static void open(String url) throws InterruptedException {
        interface Ledger {
            void append(String entry, long token);
        }

        Lockkeeper keeper = Lockkeeper.connect(url);
        Lockkeeper other = Lockkeeper.connect(url); // what another process would have
        DistributedLock lock = keeper.lock("orders/42");
        String requestId = UUID.randomUUID().toString();
        Runnable work = () -> System.out.println("working");
        Runnable meanwhile = () -> System.out.println("doing something else");
        Ledger ledger = (entry, token) -> System.out.println(entry + " under token " + token);
        Fencing guard = Fencing.inMemory();
        lock.run(hold -> {
            guard.admit("ledger", hold);
            ledger.append("tried by " + requestId, hold.token());
            work.run();
        });
        meanwhile.run();
        keeper.close();
        other.close();
    }
}
