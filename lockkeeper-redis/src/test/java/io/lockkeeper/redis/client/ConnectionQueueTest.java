package io.lockkeeper.redis.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.redis.client.ConnectionRequest.Kind;
import io.lockkeeper.redis.client.ConnectionRequest.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which request gets a connection and which one waits. No connection is opened here. */
class ConnectionQueueTest {

    private final ConnectionQueue places = new ConnectionQueue(8);

    private static ConnectionRequest request(Kind kind) {
        Deadline until = Deadline.in(Duration.ofMinutes(1));
        return kind == Kind.SCRIPT
                ? ConnectionRequest.script(TestScripts.count("n"), false, until)
                : ConnectionRequest.connection(kind, until);
    }

    private ConnectionRequest enter(Kind kind) {
        ConnectionRequest request = request(kind);
        assertThat(places.enter(request)).isTrue();
        return request;
    }

    private List<ConnectionRequest> enter(Kind kind, int times) {
        List<ConnectionRequest> all = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            all.add(enter(kind));
        }
        return all;
    }

    private static long served(List<ConnectionRequest> requests) {
        return requests.stream().filter(one -> one.state() == State.SERVED).count();
    }

    @Test
    void halfOfTheConnectionsCarryScripts() {
        assertThat(served(enter(Kind.SCRIPT, 20))).isEqualTo(4);
        assertThat(served(enter(Kind.ALONE, 20))).isEqualTo(3);
        assertThat(served(enter(Kind.URGENT, 20))).isEqualTo(1);
    }

    @Test
    void oneConnectionIsLeftForUrgentRequests() {
        assertThat(served(enter(Kind.ALONE, 20))).isEqualTo(7);
        assertThat(enter(Kind.SCRIPT).state()).isEqualTo(State.QUEUED);
        assertThat(enter(Kind.URGENT).state()).isEqualTo(State.SERVED);
    }

    @Test
    void aSingleConnectionServesUrgentRequestsFirst() {
        ConnectionQueue one = new ConnectionQueue(1);
        List<ConnectionRequest> line = new ArrayList<>();
        for (Kind kind : List.of(Kind.SCRIPT, Kind.ALONE, Kind.SCRIPT, Kind.URGENT)) {
            ConnectionRequest request = request(kind);
            one.enter(request);
            line.add(request);
        }
        assertThat(served(line)).isEqualTo(1);

        one.gone(Kind.SCRIPT);
        assertThat(one.next()).isSameAs(line.get(3));
        one.gone(Kind.URGENT);
        assertThat(one.next()).isSameAs(line.get(1));
        one.gone(Kind.ALONE);
        // A script is called, and comes by itself.
        assertThat(one.next()).isSameAs(line.get(2));
        assertThat(line.get(2).state()).isEqualTo(State.QUEUED);
        one.enterFromQueue(line.get(2));
        assertThat(line.get(2).state()).isEqualTo(State.SERVED);
        assertThat(one.next()).isNull();
    }

    @Test
    void requestsAreServedInTheOrderOfArrival() {
        enter(Kind.SCRIPT, 4);
        enter(Kind.ALONE, 3);
        ConnectionRequest first = enter(Kind.SCRIPT);
        ConnectionRequest second = enter(Kind.ALONE);
        ConnectionRequest third = enter(Kind.SCRIPT);

        places.gone(Kind.SCRIPT);
        assertThat(places.next()).isSameAs(first);
        places.enterFromQueue(first);
        places.gone(Kind.SCRIPT);
        assertThat(places.next()).isSameAs(second);
        assertThat(second.state()).isEqualTo(State.SERVED);
        assertThat(places.next()).isNull();
        places.gone(Kind.ALONE);
        assertThat(places.next()).isSameAs(third);
    }

    /** A request that has waited with a script is called before one that comes now and needs a connection alone. */
    @Test
    void aNewRequestDoesNotTakeAScriptsConnection() {
        enter(Kind.SCRIPT, 4);
        enter(Kind.ALONE, 3);
        ConnectionRequest called = enter(Kind.SCRIPT);
        places.gone(Kind.SCRIPT);
        assertThat(places.next()).isSameAs(called);

        assertThat(enter(Kind.ALONE).state()).isEqualTo(State.QUEUED);
        places.enterFromQueue(called);
        assertThat(called.state()).isEqualTo(State.SERVED);
    }

    @Test
    void aRequestThatGaveUpIsPassedOver() {
        enter(Kind.ALONE, 7);
        ConnectionRequest left = enter(Kind.ALONE);
        ConnectionRequest next = enter(Kind.ALONE);
        assertThat(left.move(State.QUEUED, State.LEFT)).isTrue();

        places.gone(Kind.ALONE);

        assertThat(places.next()).isSameAs(next);
        assertThat(places.next()).isNull();
    }

    @Test
    void nobodyIsServedWhenItIsClosed() {
        enter(Kind.ALONE, 7);
        ConnectionRequest waits = enter(Kind.ALONE);

        assertThat(places.close()).containsExactly(waits);
        places.gone(Kind.ALONE);

        assertThat(places.next()).isNull();
        assertThat(places.enter(request(Kind.SCRIPT))).isFalse();
    }
}
