package io.lockkeeper.etcd;

import io.lockkeeper.LockkeeperException;
import io.lockkeeper.Resource;
import io.lockkeeper.etcd.client.Deadline;
import io.lockkeeper.etcd.client.Etcd;
import io.lockkeeper.etcd.client.MailWatch;
import io.lockkeeper.etcd.client.Txn;
import io.lockkeeper.spi.Keeper;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Notifications between keepers. Each keeper watches one key, its mailbox; another keeper writes a line into it. So a keeper has one
 * watch, which is one connection, however many claims of it wait.
 *
 * <p>Mail is a hint. It is sent by a thread of its own, nobody waits for it, and if it is lost the receiver finds out by polling.
 */
final class Mail implements MailWatch.Listener {

    private static final Logger LOG = System.getLogger("io.lockkeeper.etcd");
    private static final String SIGNAL = "signal ";
    private static final String RECALL = "recall ";

    private final Etcd etcd;
    private final Layout layout;
    private final Keeper keeper;
    private final OwnClaims own;
    private final ThreadPoolExecutor sender;
    private volatile @Nullable MailWatch watch;
    private volatile boolean begun;
    private volatile Consumer<Resource> told = resource -> {};

    Mail(Etcd etcd, Layout layout, Keeper keeper, OwnClaims own) {
        this.etcd = etcd;
        this.layout = layout;
        this.keeper = keeper;
        this.own = own;
        this.sender = new ThreadPoolExecutor(
                1,
                1,
                1,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(EtcdPolicy.MOST_MAIL),
                task -> {
                    Thread thread = new Thread(task, "lockkeeper-etcd-mail-" + keeper.id());
                    thread.setDaemon(true);
                    return thread;
                },
                new ThreadPoolExecutor.DiscardPolicy());
        sender.allowCoreThreadTimeOut(true);
    }

    /** Watches the mailbox from now on. */
    void start() {
        MailWatch opened = etcd.watch(layout.mail(keeper.id()), "lockkeeper-etcd-watch-" + keeper.id(), this);
        watch = opened;
        opened.awaitBegun(Deadline.in(EtcdPolicy.WATCH_OPENING));
    }

    /** Moves the watch to the server that answers. */
    void followServer() {
        MailWatch open = watch;
        if (open != null) {
            open.follow(etcd);
        }
    }

    /** Also tells this one of each signal, before the keeper. */
    void alsoTell(Consumer<Resource> listener) {
        told = listener;
    }

    // ---- sending

    /** Something may have changed for that keeper's claims on the resource. */
    void signal(String to, Resource resource) {
        if (to.equals(keeper.id())) {
            signalled(resource);
        } else if (!to.isEmpty()) {
            send(to, SIGNAL + Layout.path(resource));
        }
    }

    /** That keeper's sticky grant is wanted. */
    void recall(String from, Resource resource, String claimId) {
        send(from, RECALL + Layout.path(resource) + "/" + Layout.escaped(claimId));
    }

    private void send(String to, String line) {
        later(() -> {
            Txn letter = new Txn();
            letter.then().update(layout.mail(to), line);
            etcd.runApart(letter, Deadline.in(keeper.commandTimeout()));
        });
    }

    /** Does something of which nothing depends on, after this call has returned. */
    void later(Runnable errand) {
        sender.execute(() -> {
            try {
                errand.run();
            } catch (LockkeeperException failure) {
                // The receiver polls, or is gone.
                LOG.log(Level.DEBUG, () -> "A notification was not sent: " + failure.getMessage());
            }
        });
    }

    // ---- receiving

    @Override
    public void begun() {
        if (begun) {
            own.doubtAll(keeper.clocks().now());
            keeper.signalAll();
        }
        begun = true;
    }

    @Override
    public void written(String line) {
        if (line.startsWith(SIGNAL)) {
            Resource resource = Layout.resource(line.substring(SIGNAL.length()));
            if (resource != null) {
                signalled(resource);
            }
        } else if (line.startsWith(RECALL)) {
            String key = layout.queues() + line.substring(RECALL.length());
            Resource resource = layout.resourceOf(key);
            if (resource != null) {
                keeper.recall(resource, Layout.claimId(key));
            }
        }
    }

    private void signalled(Resource resource) {
        own.doubt(resource, keeper.clocks().now());
        told.accept(resource);
        keeper.signal(resource);
    }

    void close() {
        MailWatch open = watch;
        if (open != null) {
            open.close();
        }
        sender.shutdown();
    }
}
