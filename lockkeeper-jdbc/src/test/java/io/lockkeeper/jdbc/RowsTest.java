package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Resource;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.ExchangeStore;
import io.lockkeeper.spi.Exchanged;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a row says of its holder: grants that ended, rows that vanished, claims that are repeated. */
@Timeout(120)
class RowsTest {

    @ParameterizedTest
    @EnumSource(Place.class)
    void anExpiredHolderCannotFreeItsSuccessor(Place place) throws Exception {
        try (SqlScene scene = place.scene()) {
            Claim old = SqlScene.exclusive(SqlScene.lock());
            Claim next = SqlScene.exclusive(old.resource());
            long first = scene.granted("a", old).token();
            scene.refused("b", next);
            scene.expireAll();
            long second = scene.granted("b", next).token();

            assertThat(second).isGreaterThan(first);
            assertThat(scene.release("a", old)).isEqualTo(Release.Outcome.NOT_HELD);
            assertThat(scene.renew("a", old)).isInstanceOf(Renewal.Gone.class);
            Exchanged exchanged = ((ExchangeStore) scene.store("a"))
                    .exchange(
                            new Release(old.resource(), old.id(), old.lease(), false, SqlScene.TIMEOUT),
                            SqlScene.exclusive(old.resource()));
            assertThat(exchanged.outcome()).isEqualTo(Release.Outcome.NOT_HELD);
            assertThat(exchanged.answer()).isInstanceOf(Answer.Wait.class);
            assertThat(scene.release("a", old, true)).isEqualTo(Release.Outcome.NOT_HELD);
            assertThat(scene.token(old.resource())).isEqualTo(second);
            assertThat(scene.renew("b", next)).isInstanceOf(Renewal.Kept.class);
            assertThat(scene.release("b", next)).isEqualTo(Release.Outcome.RELEASED);
        }
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void aGrantThatHasEndedIsNeitherRenewedNorReleased(Place place) throws Exception {
        try (SqlScene scene = place.scene()) {
            Claim first = SqlScene.exclusive(SqlScene.lock());
            Claim second = SqlScene.exclusive(SqlScene.lock());
            Claim third = SqlScene.exclusive(SqlScene.lock());
            for (Claim claim : List.of(first, second, third)) {
                scene.granted("a", claim);
            }
            scene.expireAll();
            assertThat(scene.token(first.resource())).isZero();
            assertThat(scene.renew("a", first)).isInstanceOf(Renewal.Gone.class);
            assertThat(scene.token(first.resource())).as("nothing came back").isZero();
            assertThat(scene.release("a", second)).isEqualTo(Release.Outcome.NOT_HELD);
            Exchanged exchanged = ((ExchangeStore) scene.store("a"))
                    .exchange(
                            new Release(third.resource(), third.id(), third.lease(), false, SqlScene.TIMEOUT),
                            SqlScene.exclusive(third.resource()));
            assertThat(exchanged.outcome()).isEqualTo(Release.Outcome.NOT_HELD);
            assertThat(exchanged.answer()).isInstanceOf(Answer.Granted.class);
        }
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void aRepeatedAttemptHasItsOldTokensAndNoShorterLease(Place place) throws Exception {
        try (SqlScene scene = place.scene()) {
            Claim claim = SqlScene.exclusive(SqlScene.lock()).withTokens(100);
            // Of a row that was just made, tokens do not run ahead of the clock.
            Claim before = SqlScene.exclusive(claim.resource());
            scene.granted("a", before);
            scene.release("a", before);
            scene.sql("UPDATE {lock} SET last_token = last_token - 1000000");
            Answer.Granted once = scene.granted("a", claim);
            assertThat(once.tokens()).isEqualTo(100);
            for (int i = 0; i < 3; i++) {
                Answer.Granted again = scene.granted("a", claim.withRepeat(true));
                assertThat(again.token()).isEqualTo(once.token());
                assertThat(again.tokens()).isEqualTo(once.tokens());
            }
            scene.refused("b", SqlScene.exclusive(claim.resource()));
            assertThat(scene.release("a", claim)).isEqualTo(Release.Outcome.RELEASED);
            Answer.Granted next = scene.granted("b", SqlScene.exclusive(claim.resource()));
            assertThat(next.token()).isGreaterThan(once.token() + once.tokens() - 1);
        }
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void aDeletedRowHeals(Place place) throws Exception {
        try (SqlScene scene = place.scene()) {
            Resource lock = SqlScene.lock();
            long highest = 0;
            for (int i = 0; i < 5; i++) {
                Claim claim = SqlScene.exclusive(lock);
                Answer.Granted granted = scene.granted("a", claim);
                assertThat(granted.token()).as("tokens do not go down").isGreaterThan(highest);
                highest = granted.token() + granted.tokens() - 1;
                Claim waiting = SqlScene.claim(lock, Mode.EXCLUSIVE, Claim.Queueing.FAIR);
                if (i % 2 == 1) {
                    scene.refused("b", waiting);
                }
                scene.sql("DELETE FROM {lock}");
                assertThat(scene.renew("a", claim)).isInstanceOf(Renewal.Gone.class);
                assertThat(scene.release("a", claim)).isEqualTo(Release.Outcome.NOT_HELD);
                if (i % 2 == 1) {
                    Answer.Granted waited = scene.granted("b", waiting);
                    assertThat(waited.token()).isGreaterThan(highest);
                    highest = waited.token() + waited.tokens() - 1;
                    assertThat(scene.release("b", waiting)).isEqualTo(Release.Outcome.RELEASED);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void noStatementGrantsPastAQueueOrATombstone(Place place) throws Exception {
        try (SqlScene scene = place.scene()) {
            Resource lock = SqlScene.lock();
            Claim first = SqlScene.exclusive(lock);
            scene.granted("a", first);
            Claim fair = SqlScene.claim(lock, Mode.EXCLUSIVE, Claim.Queueing.FAIR);
            scene.refused("b", fair);
            Exchanged exchanged = ((ExchangeStore) scene.store("a"))
                    .exchange(
                            new Release(lock, first.id(), first.lease(), false, SqlScene.TIMEOUT),
                            SqlScene.exclusive(lock));
            assertThat(exchanged.outcome()).isEqualTo(Release.Outcome.RELEASED);
            assertThat(exchanged.answer()).isInstanceOf(Answer.Wait.class);
            scene.refused("a", SqlScene.exclusive(lock));
            scene.granted("b", fair);
            assertThat(scene.release("b", fair)).isEqualTo(Release.Outcome.RELEASED);

            Claim late = SqlScene.exclusive(lock);
            scene.release("a", late, true);
            Answer refused = scene.store("a").attempt(late.withRepeat(true));
            assertThat(refused).as("its release was sent before").isNotInstanceOf(Answer.Granted.class);
            scene.granted("b", SqlScene.exclusive(lock));
        }
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void aReaderKeepsWritersOutOfTheColumns(Place place) throws Exception {
        try (SqlScene scene = place.scene()) {
            Resource lock = SqlScene.lock();
            Claim reader = SqlScene.claim(lock, Mode.SHARED, Claim.Queueing.NEVER);
            scene.granted("a", reader);
            scene.refused("b", SqlScene.exclusive(lock));
            scene.sql("UPDATE {lock} SET expires_at = 1");
            scene.refused("b", SqlScene.exclusive(lock));
            scene.granted("b", SqlScene.claim(lock, Mode.SHARED, Claim.Queueing.NEVER));
            assertThat(scene.renew("a", reader)).isInstanceOf(Renewal.Kept.class);
        }
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void namesAreCaseSensitiveAndNeverTruncated(Place place) throws Exception {
        String most = "x".repeat(254);
        List<String> names = List.of(
                "A",
                "a",
                "ä",
                "a\u0308",
                "Ä",
                "a ",
                " a",
                "a\t",
                "a\n",
                "a\0",
                "a\0b",
                "a\\0",
                "a\\",
                "\\a",
                "a%",
                "a_",
                "a'",
                "a\"",
                "a`",
                "a;--",
                "a?",
                "a:b",
                "ß",
                "ss",
                "SS",
                "ı",
                "i",
                "I",
                "İ",
                "é",
                "e",
                "ﬁ",
                "fi",
                "\uD83D\uDD12",
                "\uD83D\uDD13",
                "\uD83D\uDD12 ",
                "{x}",
                most + "a",
                most + "A",
                most + "b",
                most,
                "\uD83D\uDD12".repeat(63) + "abc",
                "\uD83D\uDD12".repeat(63) + "abC",
                "\\".repeat(255),
                "\\".repeat(254),
                "\0".repeat(255),
                "\0".repeat(254));
        try (SqlScene scene = place.scene()) {
            Set<Long> tokens = new HashSet<>();
            for (String name : names) {
                Claim claim = SqlScene.exclusive(Resource.lock(name));
                tokens.add(scene.granted("a", claim).token());
                scene.refused("b", SqlScene.exclusive(claim.resource()));
            }
            assertThat(scene.number("SELECT COUNT(*) FROM {lock}")).isEqualTo(names.size());
            assertThat(scene.store("b").list(""))
                    .extracting(state -> state.resource().name())
                    .containsExactlyInAnyOrderElementsOf(names);
            assertThat(scene.store("b").list("a\\"))
                    .extracting(state -> state.resource().name())
                    .containsExactlyInAnyOrder("a\\", "a\\0");
            assertThat(scene.store("b").list("\uD83D\uDD12"))
                    .allMatch(state -> state.resource().name().startsWith("\uD83D\uDD12"))
                    .hasSize(4);
        }
    }
}
