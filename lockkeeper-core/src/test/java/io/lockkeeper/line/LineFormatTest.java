package io.lockkeeper.line;

import static io.lockkeeper.line.Claims.LOCK;
import static io.lockkeeper.line.Claims.SEMAPHORE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineFormatTest {

    private static final long SECOND = 1_000_000_000L;

    private static final String GOLDEN = "lk1;t,5;k,K1;k,keeper;k,K2;k,K3;n,5,;"
            + "g,a,0,2,3,s,x2qxvk,ep7z20w,1,1,host,1,,;g,b,2,5,1,s,x2qxvk,ep7z20w,0,1,host,1,,;"
            + "q,c,2,x,1dm4etc;q,d,3,s,1dm4etc;b,dead,sxwkn40;e,expired,e;x06301325";

    /** A line with all kinds of records but a size. */
    private static LeasedStore busyStore() {
        LeasedStore store = new LeasedStore("s", TokenPolicy.COUNTER);
        store.attempt("K1", Claims.exclusive("expired").withLease(Duration.ofSeconds(1)), 0);
        store.attempt("K1", Claims.shared("a").withSticky(true).withTokens(3), 2 * SECOND);
        store.attempt("K2", Claims.shared("b"), 2 * SECOND);
        store.attempt("K2", Claims.exclusive("c"), 3 * SECOND);
        store.attempt("K3", Claims.shared("d"), 3 * SECOND);
        store.release("K4", Claims.release(Claims.exclusive("dead"), true), 3 * SECOND);
        return store;
    }

    private static LeasedStore read(String text, Resource resource) {
        LeasedStore store = new LeasedStore("s", TokenPolicy.COUNTER);
        LineFormat.read(text, resource, store);
        return store;
    }

    /** Version 1 stays readable: this text lies in rows of tables. */
    @Test
    void versionOneIsWrittenAndReadAsEver() {
        LeasedStore store = busyStore();

        String written = LineFormat.write(store, LOCK);

        assertThat(written).isEqualTo(GOLDEN);
        assertThat(LineFormat.write(read(written, LOCK), LOCK)).isEqualTo(written);
    }

    @Test
    void aSemaphoreKeepsItsSize() {
        LeasedStore store = new LeasedStore("s", TokenPolicy.COUNTER);
        store.attempt("K1", Claims.permits("a", 2, 3), 0);

        String text = LineFormat.write(store, SEMAPHORE);

        assertThat(LineTexts.records(text)).contains("s,3,0,0");
        assertThat(read(text, SEMAPHORE).inspect(SEMAPHORE, 0)).isEqualTo(store.inspect(SEMAPHORE, 0));
    }

    @Test
    void aResourceOfWhichNothingIsKnownKeepsTheLastToken() {
        LeasedStore store = new LeasedStore("s", TokenPolicy.COUNTER);
        store.attempt("K1", Claims.exclusive("a"), 0);
        store.release("K1", Claims.release(Claims.exclusive("a"), false), 0);

        String text = LineFormat.write(store, LOCK);

        assertThat(LineTexts.records(text)).containsExactly("t,1");
        LeasedStore next = read(text, LOCK);
        assertThat(next.names()).isZero();
        next.attempt("K1", Claims.exclusive("b"), 0);
        assertThat(LineTexts.lastToken(next, LOCK)).isEqualTo(2);
    }

    @Test
    void anyTextOfAHolderComesBackAndTheLineIsAscii() {
        String odd = "a,b;c%d\0\n\u007f\u00e4\ud83d\ude00\ud800 ~";
        HolderInfo holder = new HolderInfo(odd, odd, -5, odd, odd);
        Claim claim = Claim.of(odd, LOCK, Mode.EXCLUSIVE, Duration.ofSeconds(30), holder, Duration.ofSeconds(1));
        LeasedStore store = new LeasedStore("s", TokenPolicy.COUNTER);
        store.attempt(odd, claim, 0);

        String text = LineFormat.write(store, LOCK);

        assertThat(text.chars()).allMatch(c -> c >= ' ' && c <= '~');
        assertThat(read(text, LOCK).inspect(LOCK, 1)).isEqualTo(store.inspect(LOCK, 1));
        assertThat(read(text, LOCK).renew(List.of(claim), 1)).isEqualTo(store.renew(List.of(claim), 1));
    }

    @Test
    void readingReplacesTheLineAndNeverTakesTokensBack() {
        LeasedStore store = busyStore();
        store.attempt("K1", Claims.permits("p", 1, 3), 3 * SECOND);
        String empty = LineFormat.write(new LeasedStore("s", TokenPolicy.COUNTER), LOCK);

        LineFormat.read(empty, LOCK, store);

        assertThat(store.inspect(LOCK, 3 * SECOND)).isEmpty();
        assertThat(store.inspect(SEMAPHORE, 3 * SECOND)).isPresent();
        assertThat(LineTexts.lastToken(store, LOCK)).isGreaterThan(5);
    }

    // ------------------------------------------------------------------------------------------------- what is refused

    @Test
    void anUnknownVersionIsRefused() {
        String text = LineFormat.write(busyStore(), LOCK).replace("lk1;", "lk2;");

        assertThatThrownBy(() -> read(text, LOCK))
                .isInstanceOf(LineFormatException.class)
                .hasMessage("The line of lock 'orders/42' is of version 2, this library reads version 1; use the same"
                        + " version of Lockkeeper in all processes");
    }

    @Test
    void aDamagedTextIsRefusedWithOneSentence() {
        String text = LineFormat.write(busyStore(), LOCK).replace("K1", "K9");

        assertThatThrownBy(() -> read(text, LOCK))
                .isInstanceOf(LineFormatException.class)
                .hasMessageMatching("The line of lock 'orders/42' is damaged at character \\d+ \\(another checksum\\);"
                        + " delete it if nothing is held, and all claims are made anew");
    }

    @Test
    void theLineOfAnotherResourceIsRefused() {
        String text = LineFormat.write(busyStore(), LOCK);

        assertThatThrownBy(() -> read(text, Resource.lock("orders/43"))).isInstanceOf(LineFormatException.class);
        assertThatThrownBy(() -> read(text, Resource.election("orders/42"))).isInstanceOf(LineFormatException.class);
    }

    @Test
    void everyChangeOfOneCharacterIsRefusedAndChangesNothing() {
        String text = LineFormat.write(busyStore(), LOCK);
        LeasedStore into = busyStore();
        for (int i = 0; i < text.length(); i++) {
            for (char c : new char[] {'0', 'a', ',', ';', '%', ' ', '\0', '\u00e4'}) {
                String changed = text.substring(0, i) + c + text.substring(i + 1);
                if (!changed.equals(text)) {
                    assertThatThrownBy(() -> LineFormat.read(changed, LOCK, into))
                            .as(changed)
                            .isInstanceOf(LineFormatException.class);
                }
            }
            String shorter = text.substring(0, i);
            assertThatThrownBy(() -> LineFormat.read(shorter, LOCK, into))
                    .as(shorter)
                    .isInstanceOf(LineFormatException.class);
        }
        assertThat(LineFormat.write(into, LOCK)).isEqualTo(text);
    }

    /** With a checksum that is right, as anybody who knows the format can make it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "lk1;x",
                "lk1;",
                "lk1;t,0",
                "lk1;t,0;",
                "lk1;t,0;t,0;x",
                "lk1;t;x",
                "lk1;t,;x",
                "lk1;t,-1;x",
                "lk1;t,+1;x",
                "lk1;t,01;x",
                "lk1;t,A;x",
                "lk1;t,1y2p0ij32e8e8;x",
                "lk1;t,0,0;x",
                "lk1;t,0;y,0;x",
                "lk1;t,0;xx",
                "lk1;t,0;k,K;k,K;x",
                "lk1;t,0;k,%0041;x",
                "lk1;t,0;k,%00G0;x",
                "lk1;t,0;k,%00E4;x",
                "lk1;t,0;k,%00;x",
                "lk1;t,0;k,%;x",
                "lk1;t,0;n,1,;x",
                "lk1;t,0;n,0,c;x",
                "lk1;t,0;n,0,;n,0,;x",
                "lk1;t,0;b,c,0;x",
                "lk1;t,0;n,0,;b,c,0;b,c,0;x",
                "lk1;t,0;n,0,;b,c,1y2p0ij32e8e7;x",
                "lk1;t,0;n,0,;q,c,0,x,0;x",
                "lk1;t,0;k,K;n,0,;q,c,-1,x,0;x",
                "lk1;t,0;k,K;n,0,;q,c,1,x,0;x",
                "lk1;t,0;k,K;n,0,;q,c,0,y,0;x",
                "lk1;t,0;k,K;n,0,;q,c,0,p,0;x",
                "lk1;t,0;k,K;n,0,;q,c,0,p0.1,0;x",
                "lk1;t,0;k,K;n,0,;q,c,0,p1.,0;x",
                "lk1;t,0;k,K;n,0,;q,c,0,x,0;q,c,0,x,0;x",
                "lk1;t,9;k,K;n,1,;g,c,0,2,1,x,0,0,0,0,h,1,,;x",
                "lk1;t,1;k,K;n,1,;g,c,0,1,2,x,0,0,0,0,h,1,,;x",
                "lk1;t,1;k,K;n,1,;g,c,0,1,0,x,0,0,0,0,h,1,,;x",
                "lk1;t,1;k,K;n,1,;g,c,0,1,zik0zj,x,0,0,0,0,h,1,,;x",
                "lk1;t,1;k,K;n,1,;g,c,0,1,1,x,0,0,2,0,h,1,,;x",
                "lk1;t,1;k,K;n,1,;g,c,0,1,1,x,0,0,0,0,h,1,;x",
                "lk1;t,2;k,K;n,2,;g,c,0,1,1,x,0,0,0,0,h,1,,;g,d,0,2,1,x,0,0,0,0,h,1,,;x",
                "lk1;t,2;k,K;n,2,;g,c,0,1,1,s,0,0,0,0,h,1,,;g,d,0,2,1,p1.2,0,0,0,0,h,1,,;x",
                "lk1;t,2;k,K;n,2,;g,c,0,1,1,s,0,0,0,0,h,1,,;q,c,0,s,0;x",
                "lk1;t,0;s,0,0,0;x",
                "lk1;t,0;s,zik0zk,0,0;x",
                "lk1;t,0;s,1,0,0;s,1,0,0;x",
                "lk1;t,0;s,1,0,2;x",
                "lk1;t,0;o,a;x",
                "lk1;t,0;s,1,0,1;o,a;o,a;x",
                "lk1;t,0;e,c,y;x",
                "lk1;t,0;e,c,;x",
                "lk1;t,0;e,c,e;e,c,e;x",
                "lk1;t,0;e,c,e;s,1,0,0;x",
                "lk;t,0;x",
                "lk01;t,0;x",
                "lk-1;t,0;x",
                "lk99999999999999999999;t,0;x",
                "LK1;t,0;x",
                ";t,0;x",
            })
    void aTextThatNoWriterMakesIsRefused(String body) {
        String text = LineTexts.seal(LOCK, body);

        assertThatThrownBy(() -> read(text, LOCK)).isInstanceOf(LineFormatException.class);
    }

    @Test
    void aTextThatIsTooLongIsRefusedBeforeItIsRead() {
        String text = LineTexts.seal(LOCK, "lk1;t,0;k," + "K".repeat(LineFormat.LONGEST) + ";x");

        assertThatThrownBy(() -> read(text, LOCK))
                .isInstanceOf(LineFormatException.class)
                .hasMessageContaining("at most 1000000 are read");
    }

    @Test
    void aLineThatIsTooLongIsNotWritten() {
        LeasedStore store = new LeasedStore("s", TokenPolicy.COUNTER);
        store.attempt("K1", Claims.exclusive("a"), 0);
        for (int i = 0; i < 1_000; i++) {
            store.attempt("K1", Claims.exclusive(i + "-".repeat(1_000)), 0);
        }

        assertThatThrownBy(() -> LineFormat.write(store, LOCK))
                .isInstanceOf(LineFormatException.class)
                .hasMessageContaining("let fewer claims wait for it");
    }

    /** What is not refused must be a line that works: random changes, sealed with the right checksum. */
    @Test
    void hostileTextIsRefusedOrWorks() {
        SplittableRandom random = new SplittableRandom(7);
        String text = LineFormat.write(busyStore(), LOCK);
        String body = text.substring(0, text.length() - LineFormat.CHECKSUM);
        String alphabet = "0123zxspK,;;,,%-.tkngqbse";
        int accepted = 0;
        for (int i = 0; i < 50_000; i++) {
            StringBuilder changed = new StringBuilder(body);
            for (int changes = random.nextInt(4); changes >= 0; changes--) {
                int at = 4 + random.nextInt(changed.length() - 4);
                char c = alphabet.charAt(random.nextInt(alphabet.length()));
                switch (random.nextInt(3)) {
                    case 0 -> changed.setCharAt(at, c);
                    case 1 -> changed.insert(at, c);
                    default -> changed.deleteCharAt(at);
                }
            }
            String sealed = LineTexts.seal(LOCK, changed.toString());
            LeasedStore store;
            try {
                store = read(sealed, LOCK);
            } catch (LineFormatException refused) {
                continue;
            }
            accepted++;
            assertThat(LineFormat.write(store, LOCK)).isNotEmpty();
            for (long now : new long[] {-SECOND, 3 * SECOND, 40 * SECOND}) {
                store.attempt("K3", Claims.exclusive("c"), now);
                store.attempt("K3", Claims.shared("d"), now);
                store.renew(List.of(Claims.shared("a")), now);
                store.raise(Claims.shared("b"), 9, now);
                store.list("", now);
                store.release("K1", Claims.release(Claims.shared("a"), true), now);
                store.forceRelease(LOCK, now);
            }
        }
        assertThat(accepted).as("changed texts that are lines").isGreaterThan(100);
    }
}
