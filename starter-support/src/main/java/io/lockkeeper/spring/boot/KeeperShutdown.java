package io.lockkeeper.spring.boot;

import io.lockkeeper.KeeperClosedException;
import io.lockkeeper.Lockkeeper;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;

/**
 * Drains the keepers when the application shuts down: leaders hand on, nothing new is acquired, and holders finish. The keepers
 * are closed later, with the other beans.
 *
 * <p>It stops after web servers, listener containers and task executors, which have a greater phase: requests and tasks that were
 * accepted may need a lock to finish. A context that is stopped or paused but not closed may start again, and its keepers are left
 * alone, since a keeper cannot be drained and then used.
 */
final class KeeperShutdown implements SmartLifecycle {

    /** Less than that of executors, which is half of the greatest. */
    static final int PHASE = Integer.MAX_VALUE / 2 - 1024;

    private static final Log LOG = LogFactory.getLog(KeeperShutdown.class);

    private final ApplicationContext context;
    private final ConfigurableListableBeanFactory beans;
    private final Duration wait;
    private volatile boolean running;
    private volatile boolean closing;

    KeeperShutdown(ApplicationContext context, ConfigurableListableBeanFactory beans, Duration wait) {
        this.context = context;
        this.beans = beans;
        this.wait = wait;
    }

    @EventListener
    void closing(ContextClosedEvent event) {
        if (event.getApplicationContext() == context) {
            closing = true;
        }
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    /** Spring 7 pauses the contexts of tests that are not in use. */
    @SuppressWarnings("MissingOverride") // Unknown to Spring 6.
    public boolean isPauseable() {
        return false;
    }

    @Override
    public void stop() {
        running = false;
        if (!closing) {
            return;
        }
        List<Lockkeeper> all = opened();
        long deadline = System.nanoTime() + wait.toNanos();
        try {
            // First, so that no keeper acquires anything while another is waited for.
            for (Lockkeeper keeper : all) {
                drain(keeper, Duration.ZERO);
            }
            for (Lockkeeper keeper : all) {
                if (!drain(keeper, Duration.ofNanos(Math.max(0, deadline - System.nanoTime())))) {
                    LOG.warn("The " + keeper + " still holds locks after lockkeeper.shutdown-wait of "
                            + TimeUnit.NANOSECONDS.toMillis(wait.toNanos())
                            + " ms; it is closed all the same, and their holders are notified that they lost them");
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The keepers that are open. One that nobody has asked for yet is not opened in order to be drained. */
    private List<Lockkeeper> opened() {
        return Arrays.stream(beans.getBeanNamesForType(Lockkeeper.class, false, false))
                .filter(beans::containsSingleton)
                .map(name -> beans.getBean(name, Lockkeeper.class))
                .toList();
    }

    private static boolean drain(Lockkeeper keeper, Duration wait) throws InterruptedException {
        try {
            return keeper.drain(wait);
        } catch (KeeperClosedException closed) {
            // The application closed it by itself.
            return true;
        }
    }
}
