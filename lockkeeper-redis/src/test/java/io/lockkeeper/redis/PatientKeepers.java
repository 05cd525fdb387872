package io.lockkeeper.redis;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperBuilder;
import java.time.Duration;

/** Keepers with a long command timeout, for cases that send one request and need its answer however busy the machine is. */
final class PatientKeepers {

    private PatientKeepers() {}

    static LockkeeperBuilder keeper() {
        return Lockkeeper.builder().commandTimeout(Duration.ofSeconds(10));
    }
}
