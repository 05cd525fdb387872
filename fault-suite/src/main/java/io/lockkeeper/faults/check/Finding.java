package io.lockkeeper.faults.check;

/** One thing found, with what is needed to find it in the journals. */
public record Finding(Rule rule, String what) {

    @Override
    public String toString() {
        return rule + ": " + what;
    }
}
