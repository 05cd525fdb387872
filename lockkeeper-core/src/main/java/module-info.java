/** Leases and locks. */
@org.jspecify.annotations.NullMarked
module io.lockkeeper {
    requires static org.jspecify;
}
