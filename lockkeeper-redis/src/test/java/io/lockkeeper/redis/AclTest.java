package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ClaimRefusedException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.ResourceState;
import io.lockkeeper.SingleHold;
import io.lockkeeper.testkit.redis.RedisServer;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The documented user has the permissions that are needed and no others; and two prefixes are two stores. */
final class AclTest {

    private static final Pattern CALL = Pattern.compile("redis\\.call\\('([A-Z]+)'");

    /** What is sent outside of scripts. */
    private static final Set<String> SENT =
            Set.of("evalsha", "eval", "wait", "subscribe", "ping", "info", "role", "select", "client|setname");

    @Test
    void eachDocumentedRightIsUsedAndEachUsedOneDocumented() throws Exception {
        Set<String> used = new TreeSet<>(SENT);
        try (Stream<Path> scripts = Files.list(scripts())) {
            for (Path script :
                    scripts.filter(file -> file.toString().endsWith(".lua")).toList()) {
                Matcher call = CALL.matcher(Files.readString(script));
                while (call.find()) {
                    used.add(call.group(1).toLowerCase(Locale.ROOT));
                }
            }
        }
        Set<String> granted = new TreeSet<>();
        for (String rule : AppUser.rules()) {
            if (rule.startsWith("+")) {
                granted.add(rule.substring(1));
            }
        }
        assertThat(granted).isEqualTo(used);
    }

    private static Path scripts() throws URISyntaxException {
        Path attempt = Path.of(
                Objects.requireNonNull(Scripts.class.getResource("attempt.lua")).toURI());
        return Objects.requireNonNull(attempt.getParent());
    }

    /** As a person does it: copied from the page, one line of redis-cli after the other. */
    @Test
    void theDocumentedLinesMakeTheUser() {
        try (RedisServer server = RedisServer.start()) {
            for (String line : AppUser.commands()) {
                assertThat(server.command(line.split(" "))).hasToString("OK");
            }
            try (Lockkeeper keeper = Lockkeeper.connect(server.url(AppUser.NAME, AppUser.PASSWORD));
                    SingleHold hold = keeper.lock("a").tryAcquire()) {
                assertThat(hold).isNotNull();
            }
        }
    }

    @Test
    void lockingNeedsNoPermissionToInspect() {
        try (RedisServer server = RedisServer.options()
                        .user(AppUser.NAME, AppUser.rules())
                        .start();
                Lockkeeper keeper = Lockkeeper.connect(server.url(AppUser.NAME, AppUser.PASSWORD))) {
            SingleHold hold = Objects.requireNonNull(keeper.lock("a").tryAcquire());
            assertThat(keeper.inspect("a")).isPresent();
            assertThatThrownBy(() -> keeper.list(""))
                    .isInstanceOf(LockkeeperException.class)
                    .hasMessageContaining("scan");
            hold.close();
        }
    }

    @Test
    void aScriptRefusedHalfwayLeavesNothing() {
        try (RedisServer server = RedisServer.options()
                .user(
                        AppUser.NAME,
                        Stream.concat(Stream.of(AppUser.rules()), Stream.of("-hset"))
                                .toArray(String[]::new))
                .start()) {
            // What keepers write when they open is there already.
            Lockkeeper.connect(server.url()).close();
            try (Lockkeeper keeper = Lockkeeper.connect(server.url(AppUser.NAME, AppUser.PASSWORD))) {
                assertThatThrownBy(() -> keeper.lock("a").tryAcquire())
                        .isInstanceOf(ClaimRefusedException.class)
                        .hasMessageContaining("ACL")
                        .hasMessageContaining("docs/redis.md");
                assertThat(server.command("EXISTS", "lockkeeper:{lock:a}")).isEqualTo(0L);
            }
        }
    }

    @Test
    void twoPrefixesOnOneServerAreTwoStores() {
        try (RedisServer server = AppUser.on(RedisServer.options()).start();
                Lockkeeper shop = open(server, "lockkeeper-shop");
                Lockkeeper bank = open(server, "lockkeeper-bank");
                SingleHold ofShop = shop.lock("a").tryAcquire();
                SingleHold ofBank = bank.lock("a").tryAcquire()) {
            assertThat(ofShop).isNotNull();
            assertThat(ofBank).isNotNull();
            assertThat(shop.list("")).extracting(ResourceState::resource).hasSize(1);
            assertThat(bank.forceRelease("a")).isTrue();
            assertThat(shop.inspect("a")).isPresent();
        }
    }

    @Test
    void rightsOnOnePrefixGiveNoneOnAnother() {
        try (RedisServer server = AppUser.on(RedisServer.options()).start()) {
            assertThatThrownBy(() -> open(server, "other"))
                    .isInstanceOf(LockkeeperException.class)
                    .hasMessageContaining("ACL")
                    .hasMessageNotContaining(AppUser.PASSWORD);
            assertThat(server.command("DBSIZE")).isEqualTo(0L);
        }
    }

    private static Lockkeeper open(RedisServer server, String prefix) {
        return Lockkeeper.connect(server.url(AppUser.NAME, AppUser.PASSWORD) + "?prefix=" + prefix);
    }

    @Test
    void theScriptsAreFound() throws IOException, URISyntaxException {
        try (Stream<Path> files = Files.list(scripts())) {
            assertThat(files.filter(file -> file.toString().endsWith(".lua"))).hasSizeGreaterThan(8);
        }
    }
}
