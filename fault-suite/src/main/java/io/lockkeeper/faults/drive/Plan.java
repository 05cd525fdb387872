package io.lockkeeper.faults.drive;

import java.time.Duration;

/**
 * What is to be done.
 *
 * @param faults how many
 * @param atMost no further fault is begun after this time
 */
public record Plan(int faults, Duration atMost, long seed, Duration lease, int clients, int threads, int names) {}
