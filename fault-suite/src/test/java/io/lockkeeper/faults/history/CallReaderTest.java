package io.lockkeeper.faults.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class CallReaderTest {

    @Test
    void whatAClientWroteIsReadAsCalls() {
        List<Call> calls = CallReader.parse("""
                ask 1 100 quay 9223372036854775807 PLAIN ACQUIRE
                ask 2 110 quay 5000 FAIR TIMED
                got 1 120 77 c0ffee
                held 1 150
                none 2 160
                held 1 190
                seen 1 200
                told 1 205 EXPIRED
                end 1 210 NOT_HELD
                ask 3 220 pier 0 WRITE ONCE
                fail 3 230 io.lockkeeper.StoreUnavailableException: no answer
                """, "4.1");
        assertThat(calls)
                .containsExactly(
                        new Call(
                                "4.1",
                                "quay",
                                "PLAIN ACQUIRE",
                                Call.UNTIMED,
                                100,
                                new Answer.Granted(120, 77, "c0ffee", 190, true, true, true)),
                        new Call("4.1", "quay", "FAIR TIMED", 5000, 110, new Answer.Nothing(160)),
                        new Call(
                                "4.1",
                                "pier",
                                "WRITE ONCE",
                                0,
                                220,
                                new Answer.Failed(230, "io.lockkeeper.StoreUnavailableException: no answer")));
    }

    @Test
    void aLineThatWasCutShortByAKillSaysNothing() {
        List<Call> calls = CallReader.parse("ask 1 100 quay 0 PLAIN ONCE\ngot 1 120 7", "1.0");
        assertThat(calls).extracting(Call::answer).containsExactly(new Answer.Open());
    }

    @Test
    void aHoldThatWasNeverLookedAtIsBelievedForAnInstant() {
        List<Call> calls = CallReader.parse("ask 1 100 quay 0 PLAIN ONCE\ngot 1 120 7 id\n", "1.0");
        assertThat(calls)
                .extracting(Call::answer)
                .containsExactly(new Answer.Granted(120, 7, "id", 120, false, false, false));
    }

    @Test
    void nonsenseIsRefused() {
        assertThatThrownBy(() -> CallReader.parse("got 1 120 7 id\n", "1.0"))
                .hasMessageContaining("answers a call that it does not know");
        assertThatThrownBy(() -> CallReader.parse("ask 1 1 q 0 W\nwent 1 120\n", "1.0"))
                .hasMessageContaining("unknown kind");
    }
}
