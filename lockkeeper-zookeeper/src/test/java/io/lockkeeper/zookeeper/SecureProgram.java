package io.lockkeeper.zookeeper;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import java.time.Duration;
import org.apache.zookeeper.ZooDefs;

/**
 * A process that takes the lock {@code a} with settings of its own JVM, for {@link SecurityTest}: {@code URL} or {@code URL creator}. It
 * says {@code held}, or {@code failed} and the message, and ends with its standard input.
 */
final class SecureProgram {

    private SecureProgram() {}

    public static void main(String[] args) throws Exception {
        ZookeeperBackendBuilder builder = ZookeeperBackend.builder().url(args[0]);
        if (args.length > 1) {
            builder.acl(ZooDefs.Ids.CREATOR_ALL_ACL);
        }
        try (Lockkeeper keeper = Lockkeeper.builder()
                        .commandTimeout(Duration.ofSeconds(10))
                        .open(builder.build());
                ExclusiveHold hold = keeper.lock("a").acquire()) {
            System.out.println("held " + hold.token());
            System.in.read();
        } catch (RuntimeException failure) {
            System.out.println("failed " + failure.getMessage());
        }
    }
}
