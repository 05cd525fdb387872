/** Distributed locks and their kin: the API, the engine, and backends that need no client library. */
module io.lockkeeper {
    requires static org.jspecify;

    exports io.lockkeeper;
    exports io.lockkeeper.file;
    exports io.lockkeeper.memory;
    exports io.lockkeeper.quorum;
    exports io.lockkeeper.spi;

    uses io.lockkeeper.spi.BackendProvider;

    provides io.lockkeeper.spi.BackendProvider with
            io.lockkeeper.file.FileProvider,
            io.lockkeeper.memory.MemoryProvider;
}
