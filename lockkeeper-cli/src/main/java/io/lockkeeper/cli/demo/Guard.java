package io.lockkeeper.cli.demo;

/** How sellers keep out of each other's way. */
enum Guard {
    /** They do not. */
    NONE,
    /** By a key that expires and that a process deletes if it believes that it holds the lock. */
    BLOG_POST,
    /** By a lock. */
    LOCK,
    /** By a lock in segments, each with a part of the stock. */
    SEGMENTS
}
