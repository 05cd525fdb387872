package io.lockkeeper.benchmarks.crew;

/** Is told when a round begins and when it ends, to read what it costs. */
public interface Meter {

    Meter NONE = new Meter() {
        @Override
        public void begin() {}

        @Override
        public void end() {}
    };

    void begin();

    void end();
}
