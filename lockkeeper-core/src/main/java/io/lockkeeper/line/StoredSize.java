package io.lockkeeper.line;

import io.lockkeeper.spi.SemaphoreSize;

/** How many permits a semaphore has, and when that was last used. */
record StoredSize(SemaphoreSize number, long usedAt) {}
