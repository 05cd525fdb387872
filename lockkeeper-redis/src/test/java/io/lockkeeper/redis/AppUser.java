package io.lockkeeper.redis;

import io.lockkeeper.testkit.redis.RedisOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The user that docs/redis.md tells people to create, read from there, so that the page names exactly the permissions that are
 * needed. It may also list locks.
 */
final class AppUser {

    static final String NAME = "app";
    static final String PASSWORD = "secret";

    private static final String BEGIN = "ACL SETUSER " + NAME + " ";
    private static final String CLUSTER = "+cluster|slots +asking";

    private AppUser() {}

    /** With rights on the prefix {@code lockkeeper}, and on others that begin so. */
    static RedisOptions on(RedisOptions options) {
        return options.user(NAME, wider("+scan"));
    }

    /** The same in a cluster. */
    static RedisOptions onCluster(RedisOptions options) {
        return options.user(NAME, wider("+scan " + CLUSTER));
    }

    /** On all prefixes that begin with {@code lockkeeper}, with further rights. */
    private static String[] wider(String rights) {
        Stream<String> rules = Arrays.stream(rules()).map(rule -> rule.replace("lockkeeper:", "lockkeeper*:"));
        return Stream.concat(rules, Arrays.stream(rights.split(" "))).toArray(String[]::new);
    }

    /** As they stand in the documentation. */
    static String[] rules() {
        String rules = String.join(" ", commands()).replace(BEGIN, "");
        if (!rules.contains(">" + PASSWORD) || !documentation().contains(CLUSTER)) {
            throw new IllegalStateException("docs/redis.md no longer tells the rights as this test reads them");
        }
        return rules.strip().split("\\s+");
    }

    /** The lines to be given to redis-cli, one after the other. */
    static List<String> commands() {
        String text = documentation();
        int begin = text.indexOf(BEGIN);
        return text.substring(begin, text.indexOf("```", begin)).lines().toList();
    }

    private static String documentation() {
        try {
            return Files.readString(Path.of("..", "docs", "redis.md"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
