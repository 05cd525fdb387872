package io.lockkeeper.faults.drive;

import io.lockkeeper.faults.history.Incident;
import java.util.SplittableRandom;

/** Something that goes wrong, and is put right again. */
public interface Fault {

    /** For people: "client killed". */
    String kind();

    /** Does it, waits, heals it, and says what happened when. What it does is decided by the random numbers alone. */
    Incident strike(Scene scene, SplittableRandom random);
}
