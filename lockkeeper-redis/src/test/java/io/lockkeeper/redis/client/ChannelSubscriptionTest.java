package io.lockkeeper.redis.client;

import static io.lockkeeper.redis.client.TestScripts.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.testkit.FaultProxy;
import io.lockkeeper.testkit.FaultProxy.Rule;
import io.lockkeeper.testkit.TestTimeouts;
import io.lockkeeper.testkit.redis.RedisServer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A subscription survives all that can happen to its connection. */
class ChannelSubscriptionTest {

    private static final String CHANNEL = "channel";

    private final RedisServer server = RedisServer.start();
    private final FaultProxy proxy = FaultProxy.to(server.port());
    private final Redis redis = TestClients.single("127.0.0.1", proxy.port());
    private final RecordingListener heard = new RecordingListener();

    @AfterEach
    void end() {
        redis.close();
        proxy.close();
        server.close();
    }

    private Redis.Subscription subscribe() {
        Redis.Subscription subscription = redis.subscribe(bytes(CHANNEL), heard);
        TestTimeouts.until("it is acknowledged", subscription::isActive);
        return subscription;
    }

    @Test
    void hearsWhatIsPublished() {
        try (Redis.Subscription subscription = subscribe()) {
            assertThat(server.command("PUBLISH", CHANNEL, "one")).isEqualTo(1L);
            server.command("PUBLISH", CHANNEL, "two");
            server.command("PUBLISH", "another channel", "three");
            server.command("PUBLISH", CHANNEL, "four");

            TestTimeouts.until("all is heard", () -> heard.messages.size() == 3);
            assertThat(heard.messages).containsExactly("one", "two", "four");
            assertThat(heard.subscribed).hasValue(1);
            assertThat(subscription.isActive()).isTrue();
        }
    }

    @Test
    void tellsOfEachNewSubscriptionAfterItsConnectionBroke() {
        try (Redis.Subscription subscription = subscribe()) {
            TestTimeouts.until("it has subscribed", () -> heard.subscribed.get() >= 1);
            proxy.closeAll();
            TestTimeouts.until("it has subscribed again", () -> heard.subscribed.get() >= 2);
            server.kill();
            TestTimeouts.until("it knows", () -> !subscription.isActive());
            int before = heard.subscribed.get();
            server.restart();
            TestTimeouts.until("it has subscribed again", () -> heard.subscribed.get() > before);

            TestTimeouts.until("it hears", () -> {
                server.command("PUBLISH", CHANNEL, "again");
                return heard.messages.contains("again");
            });
        }
    }

    @Test
    void aConnectionThatDiedWithoutAWordIsFoundOut() {
        try (Redis.Subscription subscription = subscribe()) {
            proxy.both(Rule.swallow());
            TestTimeouts.until("it knows", () -> !subscription.isActive());
            proxy.heal();
            TestTimeouts.until("it has subscribed again", () -> heard.subscribed.get() >= 2);
        }
    }

    @Test
    void aQuietOneStaysOnItsConnection() {
        try (Redis.Subscription subscription = subscribe()) {
            heard.untilItMadeSure(2, subscription, server);
        }
    }

    @Test
    void beginsBeforeTheServerIsThere() {
        server.kill();
        try (Redis.Subscription subscription = redis.subscribe(bytes(CHANNEL), heard)) {
            assertThat(subscription.isActive()).isFalse();
            server.restart();
            TestTimeouts.until("it is acknowledged", subscription::isActive);
        }
    }

    @Test
    void aMissingPermissionIsReportedOnce() {
        try (RedisServer strict = RedisServer.options()
                        .user("app", "on", ">secret", "~*", "resetchannels", "+@all")
                        .start();
                Redis asApp = TestClients.connect("redis://app:secret@127.0.0.1:" + strict.port());
                Redis.Subscription subscription = asApp.subscribe(bytes(CHANNEL), heard)) {
            strict.resetStats();
            TestTimeouts.until("it has been refused several times", () -> rejected(strict) >= 3);
            assertThat(heard.refusals).singleElement().asString().contains("127.0.0.1:" + strict.port(), "ACL");

            strict.command("ACL", "SETUSER", "app", "&*");
            TestTimeouts.until("it is acknowledged", subscription::isActive);
        }
    }

    private static long rejected(RedisServer server) {
        String line = server.info("commandstats").getOrDefault("cmdstat_subscribe", "rejected_calls=0");
        return Long.parseLong(line.replaceAll(".*rejected_calls=([0-9]+).*", "$1"));
    }

    @Test
    void aListenerThatThrowsDoesNotEndIt() {
        Redis.Listener careless = new Redis.Listener() {
            @Override
            public void message(byte[] payload) {
                heard.message(payload);
                throw new IllegalStateException("A fault of the listener");
            }

            @Override
            public void subscribed() {
                heard.subscribed();
            }
        };
        try (Redis.Subscription subscription = redis.subscribe(bytes(CHANNEL), careless)) {
            TestTimeouts.until("it is acknowledged", subscription::isActive);
            server.command("PUBLISH", CHANNEL, "one");
            TestTimeouts.until("it hears more", () -> {
                server.command("PUBLISH", CHANNEL, "two");
                return heard.messages.contains("two");
            });
            assertThat(heard.messages).startsWith("one");
            assertThat(heard.subscribed).hasValue(1);
        }
    }

    /** Without its thread a keeper would hear nothing for the rest of its life. */
    @Test
    void anErrorDoesNotEndIt() {
        AtomicInteger dialled = new AtomicInteger();
        Redis.Listener careless = new Redis.Listener() {
            @Override
            public void message(byte[] payload) {
                heard.message(payload);
                throw new StackOverflowError("In the listener");
            }

            @Override
            public void subscribed() {
                heard.subscribed();
            }
        };
        ChannelSubscription.Connector dial = new ChannelSubscription.Connector() {
            @Override
            public SocketConnection open(Deadline until) {
                if (dialled.incrementAndGet() <= 2) {
                    throw new OutOfMemoryError("While connecting");
                }
                return SocketConnection.open(TestScripts.address(server), TestScripts.open(), until);
            }

            @Override
            public boolean isCurrent(SocketConnection connection, Deadline until) {
                return true;
            }
        };
        try (Redis.Subscription subscription = ChannelSubscription.open(bytes(CHANNEL), careless, dial)) {
            TestTimeouts.until("it is acknowledged", subscription::isActive);
            server.command("PUBLISH", CHANNEL, "one");
            server.command("PUBLISH", CHANNEL, "two");
            TestTimeouts.until("it hears more", () -> heard.messages.size() == 2);
            assertThat(heard.subscribed).as("the connection stays").hasValue(1);
        }
    }

    @Test
    void closingEndsItsThreadAndConnection() {
        Redis.Subscription subscription = subscribe();
        TestTimeouts.until("it has told so", () -> heard.thread != null);
        Thread thread = Objects.requireNonNull(heard.thread);
        assertThat(thread.isDaemon()).isTrue();

        subscription.close();

        TestTimeouts.until("the thread has ended", () -> !thread.isAlive());
        TestTimeouts.until(
                "the connection is closed",
                () -> server.command("PUBLISH", CHANNEL, "?").equals(0L));
        assertThat(subscription.isActive()).isFalse();
    }
}
