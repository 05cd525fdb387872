package io.lockkeeper.benchmarks.job;

/** All jobs by name. */
final class Jobs {

    private Jobs() {}

    static Job make(Order order, Context context) {
        return switch (order.job()) {
            case "lock" -> new LockJob(order, context);
            default -> throw new IllegalArgumentException("There is no job \"" + order.job() + "\"");
        };
    }
}
