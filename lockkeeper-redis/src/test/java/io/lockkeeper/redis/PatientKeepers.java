package io.lockkeeper.redis;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperBuilder;
import java.time.Duration;

/** Keepers for cases that ask once and want the answer, however busy the machine is. By default a request may take a second. */
final class PatientKeepers {

    private PatientKeepers() {}

    static LockkeeperBuilder keeper() {
        return Lockkeeper.builder().commandTimeout(Duration.ofSeconds(10));
    }
}
