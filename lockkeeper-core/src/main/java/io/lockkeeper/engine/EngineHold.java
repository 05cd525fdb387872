package io.lockkeeper.engine;

import io.lockkeeper.HoldState;
import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Moment;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The engine's side of a hold. Its state may be read by any thread at any time; it is changed by the engine alone.
 */
public final class EngineHold {

    private final Grant grant;
    private final String id;
    private final long token;
    private final Moment since;
    private final @Nullable Object owner;
    private final boolean handedOn;
    private final long waited;
    private final AtomicReference<End> end = new AtomicReference<>(End.NOT_YET);
    private volatile Loss.@Nullable Reason lost;
    /** What the shell keeps beside it. */
    private volatile @Nullable Object attachment;

    EngineHold(
            Grant grant, String id, long token, Moment since, @Nullable Object owner, boolean handedOn, long waited) {
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

    /** Whether it came from another holder in this process, without a request to the store. */
    public boolean handedOn() {
        return handedOn;
    }

    /** Nanoseconds between the waiter's arrival and the hold. */
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

    /** What is known of it at this moment. LOST and RELEASED are final, whatever the clocks do. */
    public HoldState state(Moment now) {
        if (end.get() == End.NOT_YET) {
            if (grant.remaining(now) > 0) {
                return grant.uncertain(now) ? HoldState.UNCERTAIN : HoldState.HELD;
            }
            end.compareAndSet(End.NOT_YET, End.LOST);
        }
        return end.get() == End.RELEASED ? HoldState.RELEASED : HoldState.LOST;
    }

    /** Nanoseconds for which it is surely held if nothing more is heard. */
    public long remaining(Moment now) {
        return end.get() == End.NOT_YET ? grant.remaining(now) : 0;
    }

    /** Why it was lost; null if it was not, or not yet noticed. */
    public Loss.@Nullable Reason lostBecause() {
        return lost;
    }

    public boolean isReleased() {
        return end.get() == End.RELEASED;
    }

    public Loss loss(Loss.Reason reason) {
        return new Loss(reason, resource(), id, token);
    }

    /** Whether the engine is done with it. */
    boolean ended() {
        return lost != null || isReleased();
    }

    /** @return false if a thread saw before that its deadline had passed */
    boolean markReleased() {
        return end.compareAndSet(End.NOT_YET, End.RELEASED);
    }

    void markLost(Loss.Reason reason) {
        if (end.compareAndSet(End.NOT_YET, End.LOST) || end.get() == End.LOST) {
            lost = reason;
        }
    }

    /** How a hold ended. Set once: a hold that was reported as lost is never reported as released, nor the other way round. */
    private enum End {
        NOT_YET,
        RELEASED,
        LOST
    }
}
