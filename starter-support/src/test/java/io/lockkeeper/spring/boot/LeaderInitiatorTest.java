package io.lockkeeper.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.leader.event.LeaderEventPublisher;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/** Leader initiators of Spring Integration on a registry of Lockkeeper, each with a keeper of its own on one Redis server. */
class LeaderInitiatorTest {

    private static RedisServer redis;

    private final String role = "role-" + System.nanoTime();
    private final List<Node> nodes = new ArrayList<>();

    @BeforeAll
    static void startRedis() {
        redis = RedisServer.start();
    }

    @AfterAll
    static void stopRedis() {
        redis.close();
    }

    @AfterEach
    void stop() {
        nodes.forEach(Node::close);
    }

    /** One process that wants to lead. */
    private final class Node implements LeaderEventPublisher, AutoCloseable {

        final Lockkeeper keeper = Lockkeeper.connect(redis.url());
        final List<String> events = new CopyOnWriteArrayList<>();
        final LockRegistryLeaderInitiator initiator;

        Node(String id) {
            nodes.add(this);
            initiator = BootLine.initiator(keeper, new DefaultCandidate(id, role));
            initiator.setHeartBeatMillis(20);
            initiator.setBusyWaitMillis(20);
            initiator.setLeaderEventPublisher(this);
        }

        Node started() {
            initiator.start();
            return this;
        }

        boolean leads() {
            return initiator.getContext() != null && initiator.getContext().isLeader();
        }

        @Override
        public void publishOnGranted(Object source, Context context, String of) {
            events.add("granted");
        }

        @Override
        public void publishOnRevoked(Object source, Context context, String of) {
            events.add("revoked");
        }

        @Override
        public void publishOnFailedToAcquire(Object source, Context context, String of) {
            events.add("failed");
        }

        @Override
        public void close() {
            initiator.stop();
            keeper.close();
        }
    }

    private static void eventually(BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited for 30 s").isLessThan(deadline);
            LockSupport.parkNanos(5_000_000);
        }
    }

    @Test
    void aLonelyCandidateIsGrantedLeadershipUntilItStops() {
        Node node = new Node("a").started();
        eventually(() -> node.events.equals(List.of("granted")));
        assertThat(node.leads()).isTrue();
        assertThat(node.initiator.getContext().getRole()).isEqualTo(role);
        node.initiator.stop();
        eventually(() -> node.events.equals(List.of("granted", "revoked")));
        assertThat(node.leads()).isFalse();
        node.initiator.start();
        eventually(() -> node.events.equals(List.of("granted", "revoked", "granted")));
    }

    @Test
    void theNextLeadsWhenTheLeaderStops() {
        Node first = new Node("a").started();
        eventually(first::leads);
        Node second = new Node("b");
        second.initiator.setPublishFailedEvents(true);
        second.started();
        eventually(() -> second.events.contains("failed"));
        assertThat(second.leads()).isFalse();
        first.initiator.stop();
        eventually(second::leads);
        assertThat(first.events).containsExactly("granted", "revoked");
        assertThat(second.events).contains("granted");
    }

    @Test
    void theNextLeadsWhenTheLeaderYields() {
        Node first = new Node("a").started();
        eventually(first::leads);
        Node second = new Node("b").started();
        eventually(() -> first.keeper.inspect("registry/" + role).orElseThrow().waiting() > 0);
        first.initiator.getContext().yield();
        eventually(() -> first.events.contains("revoked"));
        // The one that yielded may be the faster one to ask again.
        eventually(() -> {
            if (first.leads()) {
                first.initiator.getContext().yield();
            }
            return second.leads();
        });
    }

    @Test
    void aLeaderThatLosesItsLockIsRevokedAndMayLeadAgain() {
        Node node = new Node("a").started();
        eventually(node::leads);
        try (Lockkeeper operator = Lockkeeper.connect(redis.url())) {
            assertThat(operator.forceRelease("registry/" + role)).isTrue();
        }
        eventually(() -> node.events.size() >= 3);
        assertThat(node.events).startsWith("granted", "revoked", "granted");
        eventually(() -> node.leads() && node.keeper.inspect("registry/" + role).isPresent());
    }

    @Test
    void aLeaderWhoseKeeperIsClosedIsRevokedAndAnotherLeads() {
        Node first = new Node("a").started();
        eventually(first::leads);
        Node second = new Node("b").started();
        first.keeper.close();
        eventually(second::leads);
        eventually(() -> first.events.contains("revoked"));
        assertThat(first.leads()).isFalse();
    }
}
