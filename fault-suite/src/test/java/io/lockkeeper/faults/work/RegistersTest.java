package io.lockkeeper.faults.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.faults.history.Access;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RegistersTest {

    private final List<Access> log = new ArrayList<>();
    private long now = 100;
    private final Registers registers = new Registers(log::add, () -> now++);

    private String ask(String request) {
        return registers.answer("1.0", request.split(" "));
    }

    @Test
    void uTakesEveryWrite() {
        assertThat(ask("put quay 5 five 0")).isEqualTo("ok");
        assertThat(ask("look quay")).isEqualTo("1");
        assertThat(ask("put quay 4 four 0")).isEqualTo("ok");
        assertThat(ask("look quay")).isEqualTo("1");
        assertThat(log).extracting(Access::before).containsExactly(0L, 1L);
    }

    @Test
    void fAdmitsGreaterTokensAndTheSameHoldAgain() {
        assertThat(ask("read quay 5 five")).isEqualTo("0");
        assertThat(ask("write quay 5 five 0")).isEqualTo("0");
        assertThat(ask("read quay 9 nine")).isEqualTo("1");
        assertThat(log).extracting(Access::admitted).containsOnly(true);
    }

    @Test
    void fRefusesASmallerTokenAndTheSameTokenOfAnotherHold() {
        ask("read quay 5 five");
        assertThat(ask("write quay 4 four 0")).isEqualTo("refused");
        assertThat(ask("write quay 5 other 0")).isEqualTo("refused");
        assertThat(ask("read quay 5 five")).isEqualTo("0");
        assertThat(log).extracting(Access::admitted).containsExactly(true, false, false, true);
    }

    @Test
    void aReadKeepsOutWhoReadBefore() {
        ask("read quay 5 five");
        ask("read quay 6 six");
        assertThat(ask("write quay 5 five 0")).isEqualTo("refused");
        assertThat(ask("write quay 6 six 0")).isEqualTo("0");
    }

    @Test
    void namesAreApart() {
        ask("write quay 5 five 0");
        assertThat(ask("read pier 1 one")).isEqualTo("0");
        assertThat(ask("touched quay")).isEqualTo("100 1.0");
        assertThat(ask("touched mole")).isEqualTo("0 -");
    }

    @Test
    void onlyANewHoldTouches() {
        ask("read quay 5 five");
        String first = ask("touched quay");
        ask("write quay 5 five 0");
        ask("write quay 4 four 0");
        assertThat(ask("touched quay")).isEqualTo(first);
        ask("read quay 6 six");
        assertThat(ask("touched quay")).isNotEqualTo(first);
    }
}
