package io.lockkeeper.etcd;

import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Session;
import java.util.concurrent.locks.ReentrantLock;

/** A lease of etcd that this keeper keeps alive: a session. */
final class LiveLease {

    final long id;
    /** What was asked for. */
    final long asked;
    /** After which etcd ends it if it hears nothing. */
    final long seconds;

    final Session session;
    /** Held during a look, so that calls that need one share it. */
    final ReentrantLock looking = new ReentrantLock();

    /** When the last contact was answered. */
    volatile Moment contactedAt;
    /** When the last look was sent that was answered. */
    volatile Moment lookedAt;
    /** When something was last claimed in it. */
    volatile Moment usedAt;

    LiveLease(long id, long asked, long seconds, Session session, Moment openedAt) {
        this.id = id;
        this.asked = asked;
        this.seconds = seconds;
        this.session = session;
        this.contactedAt = openedAt;
        this.lookedAt = openedAt;
        this.usedAt = openedAt;
    }
}
