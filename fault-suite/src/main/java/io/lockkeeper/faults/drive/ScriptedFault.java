package io.lockkeeper.faults.drive;

import io.lockkeeper.faults.history.Incident;
import java.util.SplittableRandom;

/**
 * A fault from what it does.
 *
 * @param losesGrants whether the store may forget grants by it
 * @param goesOn whether every name should be served while it lasts, once a lease has passed; otherwise when it is healed
 * @param deed does it, waits, heals it, and says whom it hit
 */
public record ScriptedFault(String kind, boolean losesGrants, boolean goesOn, Deed deed) implements Fault {

    /** Does something and puts it right. */
    public interface Deed {
        String run(Scene scene, SplittableRandom random);
    }

    @Override
    public Incident strike(Scene scene, SplittableRandom random) {
        long begun = System.nanoTime();
        String target = deed.run(scene, random);
        long healed = System.nanoTime();
        return new Incident(kind, target, begun, healed, goesOn ? begun : healed, losesGrants);
    }
}
