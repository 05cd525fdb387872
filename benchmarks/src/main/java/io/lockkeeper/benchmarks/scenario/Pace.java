package io.lockkeeper.benchmarks.scenario;

import java.time.Duration;

/**
 * How much time a run takes.
 *
 * @param main for the scenarios that the design names
 * @param variant for those that differ from them a little
 * @param all whether all libraries and all sizes are measured, or only the ones that matter most
 * @param held how long many locks are held
 */
public record Pace(String name, Beat main, Beat variant, boolean all, Duration held) {

    public static Pace full() {
        return new Pace(
                "full", Beat.millis(3500, 5, 5, 1500), Beat.millis(1500, 5, 5, 800), true, Duration.ofMinutes(1));
    }

    public static Pace quick() {
        return new Pace(
                "quick", Beat.millis(700, 1, 3, 300), Beat.millis(300, 1, 3, 150), false, Duration.ofSeconds(10));
    }

    /** Only shows that everything runs. */
    public static Pace smoke() {
        return new Pace("smoke", Beat.millis(0, 0, 1, 30), Beat.millis(0, 0, 1, 30), false, Duration.ofMillis(300));
    }

    public boolean smokes() {
        return name.equals("smoke");
    }

    public Pace scaled(double factor) {
        return new Pace(name, main.scaled(factor), variant.scaled(factor), all, Beat.scaled(held, factor));
    }
}
