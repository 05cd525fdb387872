package io.lockkeeper.spi;

/**
 * One moment on both clocks of a machine.
 *
 * <p>A lease is counted by the clock that says that more time has passed: the monotonic one stands still while a machine
 * is suspended, the wall clock may be set back. So the wall clock can shorten a hold and never lengthen one.
 *
 * @param mono nanoseconds of the monotonic clock, from an arbitrary origin
 * @param wall nanoseconds of the wall clock, from the epoch; never sent anywhere
 */
public record Moment(long mono, long wall) {

    /** Nanoseconds that have passed since an earlier moment, by the clock that moved further; at least 0. */
    public long since(Moment earlier) {
        return Math.max(0, Math.max(mono - earlier.mono, wall - earlier.wall));
    }
}
