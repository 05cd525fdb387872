package io.lockkeeper.redis;

import io.lockkeeper.testkit.TestTimeouts;
import io.lockkeeper.testkit.redis.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A failure of a server. */
enum ServerFailure {
    LOADING("is loading its data", "INFO persistence") {
        @Override
        void begin(RedisServer server) {
            server.restartLoading();
        }

        @Override
        void end(RedisServer server) {
            server.endLoading();
        }
    },

    READONLY("is a replica and cannot be written to", "connect to its primary") {
        @Override
        void begin(RedisServer server) {
            // Nobody is there to follow, so it keeps what it has.
            server.command("REPLICAOF", "127.0.0.1", "1");
        }

        @Override
        void end(RedisServer server) {
            server.command("REPLICAOF", "NO", "ONE");
        }
    },

    MISCONF("cannot save to its disk", "free space there") {
        @Override
        void begin(RedisServer server) {
            blockSaving(server);
        }

        @Override
        void end(RedisServer server) {
            server.command("CONFIG", "SET", "save", "");
        }
    },

    OOM("has no memory left", "give it more") {
        @Override
        void begin(RedisServer server) {
            server.command("CONFIG", "SET", "maxmemory", "1");
        }

        @Override
        void end(RedisServer server) {
            server.command("CONFIG", "SET", "maxmemory", "0");
        }
    },

    NOREPLICAS("has too few replicas", "min-replicas-to-write") {
        @Override
        void begin(RedisServer server) {
            server.command("CONFIG", "SET", "min-replicas-to-write", "1");
        }

        @Override
        void end(RedisServer server) {
            server.command("CONFIG", "SET", "min-replicas-to-write", "0");
        }
    },

    UNREACHABLE("cannot be reached", "check that it runs, and its host and port") {
        @Override
        void begin(RedisServer server) {
            server.kill();
        }

        @Override
        void end(RedisServer server) {
            server.restart();
        }
    },

    WRONG_PASSWORD("does not know this user with this password", "check both in the URL") {
        @Override
        void begin(RedisServer server) {
            server.command("ACL", "SETUSER", AppUser.NAME, "resetpass", ">another");
            server.command("CLIENT", "KILL", "USER", AppUser.NAME);
        }

        @Override
        void end(RedisServer server) {
            server.command("ACL", "SETUSER", AppUser.NAME, "resetpass", ">" + AppUser.PASSWORD);
        }
    },

    NO_RIGHT("does not allow its user something", "add it to the user's ACL") {
        @Override
        void begin(RedisServer server) {
            server.command("ACL", "SETUSER", AppUser.NAME, "-evalsha", "-eval");
        }

        @Override
        void end(RedisServer server) {
            server.command("ACL", "SETUSER", AppUser.NAME, "+evalsha", "+eval");
        }
    };

    private final String what;
    private final String advice;

    ServerFailure(String what, String advice) {
        this.what = what;
        this.advice = advice;
    }

    abstract void begin(RedisServer server);

    abstract void end(RedisServer server);

    /** What has to be said: what it is, and what to do. */
    List<String> words() {
        return List.of(what, advice);
    }

    /** Whether it may pass by itself, so that it is worth to wait. */
    boolean passes() {
        return this != WRONG_PASSWORD && this != NO_RIGHT;
    }

    private static void blockSaving(RedisServer server) {
        server.command("CONFIG", "SET", "save", "3600 1");
        server.command("SET", "to save", "1");
        String folder = String.valueOf(((List<?>) server.command("CONFIG", "GET", "dir")).get(1));
        try {
            Files.createDirectories(Path.of(folder, "dump.rdb", "inside"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.command("BGSAVE");
        TestTimeouts.until(
                "saving has failed",
                () -> "err".equals(server.info("persistence").get("rdb_last_bgsave_status")));
    }
}
