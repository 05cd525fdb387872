/** Distributed locks, semaphores, latches and elections: the API, the engine, and backends that need no client library. */
@SuppressWarnings("module") // The test kit and the stores of other modules are built after this module.
module io.lockkeeper {
    requires static jdk.jfr;
    requires static org.jspecify;

    exports io.lockkeeper;
    exports io.lockkeeper.file;
    exports io.lockkeeper.memory;
    exports io.lockkeeper.quorum;
    exports io.lockkeeper.spi;

    // Internal: for the simulator of the test kit, and the rules of the line for stores that keep it as text.
    exports io.lockkeeper.engine to
            io.lockkeeper.testkit;
    exports io.lockkeeper.line to
            io.lockkeeper.testkit,
            io.lockkeeper.jdbc;
    exports io.lockkeeper.quorum.rounds to
            io.lockkeeper.testkit;

    uses io.lockkeeper.spi.BackendProvider;

    provides io.lockkeeper.spi.BackendProvider with
            io.lockkeeper.file.FileProvider,
            io.lockkeeper.memory.MemoryProvider;
}
