package io.lockkeeper.flashsale;

/** How sellers keep out of each other's way. */
enum Way {
    NO_LOCK("no lock"),
    ROW_LOCK("row lock (pessimistic)"),
    VERSION("version column (optimistic)"),
    ONE_STATEMENT("one statement"),
    LOCK_TABLE("lock table, made by hand"),
    SAME_DATABASE("Lockkeeper, same database"),
    REDIS("Lockkeeper on Redis, fenced"),
    SEGMENTS("Lockkeeper, segments, fenced");

    private final String title;

    Way(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    /** Whether it promises that nothing is sold twice in that scene. */
    boolean isSafeIn(Scene scene) {
        return switch (this) {
            case NO_LOCK -> false;
            // Its timeout knows nothing of the seller: one that is slow, or a clock that steps, and two sell at once.
            case LOCK_TABLE -> scene == Scene.SALE;
            // No lease stops a write that a paused process makes after it.
            case SAME_DATABASE -> scene != Scene.PAUSE;
            case ROW_LOCK, VERSION, ONE_STATEMENT, REDIS, SEGMENTS -> true;
        };
    }
}
