package io.lockkeeper.etcd.client;

import io.lockkeeper.LockkeeperException;
import io.lockkeeper.spi.Clocks;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Follows one key on a connection and a thread of its own, and connects again when that ends.
 *
 * <p>What is written to the key while it is not connected is not told; so the listener is told of each new beginning, and asks itself
 * for what it may have missed. It never begins at an old revision, so a compaction does no harm.
 */
public final class MailWatch implements AutoCloseable {

    /** What is told, on the thread of the watch. */
    public interface Listener {

        /** The watch has begun, or has begun again: something may have been missed before. */
        void begun();

        /** The key was written. */
        void written(String value);
    }

    private static final Logger LOG = System.getLogger("io.lockkeeper.etcd");
    private static final Duration OPENING = ClientPolicy.WATCH_OPENING;
    private static final long SHORTEST_PAUSE = ClientPolicy.SHORTEST_PAUSE.toNanos();
    private static final long LONGEST_PAUSE = ClientPolicy.LONGEST_PAUSE.toNanos();
    private static final int LONGEST_MESSAGE = 1024 * 1024;

    private final Gateway gateway;
    private final String key;
    private final Runnable broken;
    private final Listener listener;
    private final Thread thread;
    private final CountDownLatch first = new CountDownLatch(1);

    private volatile boolean closed;
    private volatile @Nullable HttpConnection connection;
    private boolean warned;
    private long pause = SHORTEST_PAUSE;

    /** @param broken is told when the connection ended */
    MailWatch(Gateway gateway, String key, String threadName, Runnable broken, Listener listener) {
        this.broken = broken;
        this.gateway = gateway;
        this.key = key;
        this.listener = listener;
        this.thread = new Thread(this::run, threadName);
        thread.setDaemon(true);
        thread.start();
    }

    /** Waits until it has begun for the first time; returns whether it has. */
    public boolean awaitBegun(Deadline until) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return first.await(Math.max(0, until.left()), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void run() {
        while (!closed) {
            try {
                follow();
            } catch (IOException | RuntimeException e) {
                if (!closed) {
                    LOG.log(Level.DEBUG, () -> "The watch at " + gateway.server() + " ended: " + e.getMessage());
                }
            }
            HttpConnection old = connection;
            if (old != null) {
                old.close();
                broken.run();
            }
            long until = Deadline.now() + pause;
            pause = Math.min(2 * pause, LONGEST_PAUSE);
            while (!closed && until - Deadline.now() > 0) {
                Clocks.system().park(this, until);
                // Nobody is meant to interrupt this thread.
                if (Thread.interrupted()) {
                    break;
                }
            }
        }
    }

    private void follow() throws IOException {
        Deadline until = Deadline.in(OPENING);
        Address server = gateway.server();
        String token = gateway.token(until);
        HttpConnection opened;
        try {
            opened = HttpConnection.open(server, gateway.tls(), until);
        } catch (IOException e) {
            gateway.failed(server);
            throw e;
        }
        connection = opened;
        if (closed) {
            return;
        }
        byte[] body = ("{\"create_request\":{\"key\":" + Json.base64(key) + "}}").getBytes(StandardCharsets.UTF_8);
        HttpReader reader = opened.stream("/v3/watch", body, token, until);
        if (reader.status() != 200) {
            refused(token, EtcdErrors.of(server, reader.status(), reader.readBody()));
            return;
        }
        byte[] some = new byte[4096];
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (true) {
            int count = reader.readSome(some, 0, some.length);
            if (count < 0) {
                return;
            }
            for (int i = 0; i < count; i++) {
                if (some[i] == '\n') {
                    if (!told(Json.read(line.toByteArray()), token)) {
                        return;
                    }
                    line.reset();
                } else if (line.size() == LONGEST_MESSAGE) {
                    throw new NotHttpException("A message of a watch is too long");
                } else {
                    line.write(some[i]);
                }
            }
        }
    }

    /** Takes one message; returns whether the watch goes on. */
    private boolean told(Json message, @Nullable String token) {
        Json result = message.at("result");
        if (message.has("error")) {
            refused(
                    token,
                    EtcdErrors.of(
                            gateway.server(),
                            (int) message.at("error").at("http_code").number(),
                            message.at("error").at("message").text()));
            return false;
        }
        if (result.at("canceled").isTrue()) {
            refused(
                    token,
                    EtcdErrors.of(
                            gateway.server(), 0, result.at("cancel_reason").text()));
            return false;
        }
        if (result.at("created").isTrue()) {
            pause = SHORTEST_PAUSE;
            first.countDown();
            listener.begun();
        }
        for (Json event : result.at("events").elements()) {
            if (!event.at("type").text().equals("DELETE")) {
                listener.written(KeyValue.of(event.at("kv")).value());
            }
        }
        return true;
    }

    private void refused(@Nullable String token, LockkeeperException refusal) {
        if (token != null) {
            try {
                gateway.newToken(token, Deadline.in(OPENING));
            } catch (LockkeeperException e) {
                LOG.log(Level.DEBUG, "The watch could not log in", e);
            }
        }
        boolean expired = token != null
                && refusal instanceof EtcdErrorException error
                && error.kind() == EtcdErrorException.Kind.LOGIN_NEEDED;
        if (!warned && !expired) {
            warned = true;
            LOG.log(
                    Level.WARNING,
                    "etcd at " + gateway.server() + " gives no notifications, so waiters poll: "
                            + refusal.getMessage());
        }
    }

    /** Ends a connection to another server than requests about leases go to now: that one may hang. Another one is opened. */
    public void follow(Etcd etcd) {
        HttpConnection now = connection;
        if (now != null && !now.server().equals(etcd.leaseServer())) {
            now.close();
        }
    }

    @Override
    public void close() {
        closed = true;
        HttpConnection now = connection;
        if (now != null) {
            now.close();
        }
        LockSupport.unpark(thread);
    }
}
