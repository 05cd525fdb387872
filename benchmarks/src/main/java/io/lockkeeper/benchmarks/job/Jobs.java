package io.lockkeeper.benchmarks.job;

/** All jobs by name. */
final class Jobs {

    private Jobs() {}

    static Job make(Order order, Context context) {
        return switch (order.job()) {
            case "lock" -> new LockJob(order, context);
            case "read-write" -> new ReadWriteJob(order, context);
            case "semaphore" -> new SemaphoreJob(order, context);
            case "latch" -> new LatchJob(order, context);
            case "hand-over" -> new HandOverJob(order, context);
            case "refused" -> new RefusedJob(order, context);
            case "held" -> new HeldJob(order, context);
            default -> throw new IllegalArgumentException("There is no job \"" + order.job() + "\"");
        };
    }
}
