package io.lockkeeper.etcd;

import io.lockkeeper.Resource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Who is to be told that a claim of its holds now. */
final class WakeUps {

    private WakeUps() {}

    /** Tells the keepers of those that hold now and did not before, each once. */
    static void tell(Mail mail, Resource resource, List<Queue.Entry> before, List<Queue.Entry> now) {
        Set<Long> held = new HashSet<>();
        before.forEach(entry -> held.add(entry.createdAt()));
        Set<String> keepers = new HashSet<>();
        for (Queue.Entry entry : now) {
            if (!held.contains(entry.createdAt()) && keepers.add(entry.data().keeper())) {
                mail.signal(entry.data().keeper(), resource);
            }
        }
    }
}
