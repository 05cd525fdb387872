package io.lockkeeper.testkit.sim;

import io.lockkeeper.spi.Moment;

/** Both clocks of one machine as a function of true time: their own rate, jumps, and a monotonic one that can stand still. */
final class MachineClock {

    private static final long MILLION = 1_000_000;

    private final long partsPerMillion;
    private long base;
    private long mono;
    private long wall;
    private boolean suspended;

    /** @param partsPerMillion how much it goes too fast; negative if too slow */
    MachineClock(long partsPerMillion, long mono, long wall) {
        this.partsPerMillion = partsPerMillion;
        this.mono = mono;
        this.wall = wall;
    }

    Moment at(long time) {
        long passed = passed(time);
        return new Moment(suspended ? mono : mono + passed, wall + passed);
    }

    private long passed(long time) {
        return (time - base) + (time - base) / 1000 * partsPerMillion / 1000;
    }

    /** The true time at which the monotonic clock shows this, if nothing happens to it. */
    long timeOf(long monotonic) {
        long ahead = monotonic - mono;
        return base + ahead - ahead / 1000 * partsPerMillion / (MILLION + partsPerMillion) * 1000 + 1_000;
    }

    private void rebase(long time) {
        Moment now = at(time);
        base = time;
        mono = now.mono();
        wall = now.wall();
    }

    void jump(long time, long by) {
        rebase(time);
        wall += by;
    }

    void suspend(long time) {
        rebase(time);
        suspended = true;
    }

    void resume(long time) {
        rebase(time);
        suspended = false;
    }
}
