package io.lockkeeper.cli.demo;

/** How sellers keep out of each other's way. */
enum Guard {
    /** They do not. */
    NONE,
    /** By a key that expires and that whoever believes to be the holder deletes. */
    BLOG_POST,
    /** By a lock. */
    LOCK,
    /** By a lock in segments, each with a part of the stock. */
    SEGMENTS
}
