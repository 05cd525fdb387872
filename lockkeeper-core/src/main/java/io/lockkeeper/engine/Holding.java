package io.lockkeeper.engine;

import io.lockkeeper.HoldState;
import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Moment;
import org.jspecify.annotations.Nullable;

/**
 * The engine's side of a hold. Its state may be read by any thread at any time; it is changed by the engine alone.
 */
public final class Holding {

    private final Grant grant;
    private final String id;
    private final long token;
    private final Moment since;
    private final @Nullable Object owner;
    private final boolean handedOn;
    private final long waited;
    private volatile Loss.@Nullable Reason lost;
    private volatile boolean released;
    /** What the shell keeps beside it. */
    private volatile @Nullable Object attachment;

    Holding(Grant grant, String id, long token, Moment since, @Nullable Object owner, boolean handedOn, long waited) {
        this.grant = grant;
        this.id = id;
        this.token = token;
        this.since = since;
        this.owner = owner;
        this.handedOn = handedOn;
        this.waited = waited;
    }

    public Grant grant() {
        return grant;
    }

    public String id() {
        return id;
    }

    public long token() {
        return token;
    }

    public Moment since() {
        return since;
    }

    public @Nullable Object owner() {
        return owner;
    }

    /** Whether it came from another holder in this process, without asking the store. */
    public boolean handedOn() {
        return handedOn;
    }

    /** Nanoseconds between asking and getting it. */
    public long waited() {
        return waited;
    }

    public Resource resource() {
        return grant.resource();
    }

    public @Nullable Object attachment() {
        return attachment;
    }

    public void attach(@Nullable Object object) {
        attachment = object;
    }

    /** What is known of it at this moment. Once LOST or RELEASED it stays so, whatever the clocks do. */
    public HoldState state(Moment now) {
        if (released) {
            return HoldState.RELEASED;
        }
        if (lost != null || grant.remaining(now) <= 0) {
            return HoldState.LOST;
        }
        return grant.uncertain(now) ? HoldState.UNCERTAIN : HoldState.HELD;
    }

    /** Nanoseconds for which it is surely held if nothing more is heard. */
    public long remaining(Moment now) {
        return released || lost != null ? 0 : grant.remaining(now);
    }

    /** Why it was lost; null if it was not, or not yet noticed. */
    public Loss.@Nullable Reason lostBecause() {
        return lost;
    }

    public boolean isReleased() {
        return released;
    }

    public Loss loss(Loss.Reason reason) {
        return new Loss(reason, resource(), id, token);
    }

    boolean ended() {
        return released || lost != null;
    }

    void markReleased() {
        released = true;
    }

    void markLost(Loss.Reason reason) {
        lost = reason;
    }
}
