package io.lockkeeper.redis.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.redis.client.Request.Kind;
import io.lockkeeper.redis.client.Request.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who gets a connection, and who waits. No connection is opened here: those who are served would open theirs. */
class PlacesTest {

    private final Places places = new Places(8);

    private static Request request(Kind kind) {
        Deadline until = Deadline.in(Duration.ofMinutes(1));
        return kind == Kind.SCRIPT ? Request.script(Calls.count("n"), false, until) : Request.connection(kind, until);
    }

    private Request enter(Kind kind) {
        Request request = request(kind);
        assertThat(places.enter(request)).isTrue();
        return request;
    }

    private List<Request> enter(Kind kind, int times) {
        List<Request> all = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            all.add(enter(kind));
        }
        return all;
    }

    private static long served(List<Request> requests) {
        return requests.stream().filter(one -> one.state() == State.SERVED).count();
    }

    @Test
    void halfOfThemHaveScripts() {
        assertThat(served(enter(Kind.SCRIPT, 20))).isEqualTo(4);
        assertThat(served(enter(Kind.ALONE, 20))).isEqualTo(3);
        assertThat(served(enter(Kind.URGENT, 20))).isEqualTo(1);
    }

    @Test
    void oneIsLeftForRenewals() {
        assertThat(served(enter(Kind.ALONE, 20))).isEqualTo(7);
        assertThat(enter(Kind.SCRIPT).state()).isEqualTo(State.IN_LINE);
        assertThat(enter(Kind.URGENT).state()).isEqualTo(State.SERVED);
    }

    @Test
    void anOnlyOneIsForAllAndRenewalsComeFirst() {
        Places one = new Places(1);
        List<Request> line = new ArrayList<>();
        for (Kind kind : List.of(Kind.SCRIPT, Kind.ALONE, Kind.SCRIPT, Kind.URGENT)) {
            Request request = request(kind);
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
        assertThat(line.get(2).state()).isEqualTo(State.IN_LINE);
        one.enterFromLine(line.get(2));
        assertThat(line.get(2).state()).isEqualTo(State.SERVED);
        assertThat(one.next()).isNull();
    }

    @Test
    void whoNeedsOneAloneAndScriptsAreServedInTheOrderTheyCame() {
        enter(Kind.SCRIPT, 4);
        enter(Kind.ALONE, 3);
        Request first = enter(Kind.SCRIPT);
        Request second = enter(Kind.ALONE);
        Request third = enter(Kind.SCRIPT);

        places.gone(Kind.SCRIPT);
        assertThat(places.next()).isSameAs(first);
        places.enterFromLine(first);
        places.gone(Kind.SCRIPT);
        assertThat(places.next()).isSameAs(second);
        assertThat(second.state()).isEqualTo(State.SERVED);
        assertThat(places.next()).isNull();
        places.gone(Kind.ALONE);
        assertThat(places.next()).isSameAs(third);
    }

    /** Whoever has waited with a script is called before one that comes now and needs a connection alone. */
    @Test
    void aNewcomerDoesNotTakeWhatAScriptWasCalledFor() {
        enter(Kind.SCRIPT, 4);
        enter(Kind.ALONE, 3);
        Request called = enter(Kind.SCRIPT);
        places.gone(Kind.SCRIPT);
        assertThat(places.next()).isSameAs(called);

        assertThat(enter(Kind.ALONE).state()).isEqualTo(State.IN_LINE);
        places.enterFromLine(called);
        assertThat(called.state()).isEqualTo(State.SERVED);
    }

    @Test
    void whoLeftIsPassedOver() {
        enter(Kind.ALONE, 7);
        Request left = enter(Kind.ALONE);
        Request next = enter(Kind.ALONE);
        assertThat(left.move(State.IN_LINE, State.LEFT)).isTrue();

        places.gone(Kind.ALONE);

        assertThat(places.next()).isSameAs(next);
        assertThat(places.next()).isNull();
    }

    @Test
    void nobodyIsServedWhenItIsClosed() {
        enter(Kind.ALONE, 7);
        Request waits = enter(Kind.ALONE);

        assertThat(places.close()).containsExactly(waits);
        places.gone(Kind.ALONE);

        assertThat(places.next()).isNull();
        assertThat(places.enter(request(Kind.SCRIPT))).isFalse();
    }
}
