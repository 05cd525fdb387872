/**
 * Locks in a SQL database: PostgreSQL, MySQL, MariaDB, H2 and SQLite, through JDBC alone.
 *
 * <p>{@link io.lockkeeper.jdbc.JdbcBackend} is the store. A resource is one row; an exclusive lock that nobody queues for is
 * columns of that row, everything else a text in it, which the rules of {@code io.lockkeeper.line} read and write. {@code
 * Dialect} has what differs between databases, {@code Requests} how a connection is borrowed and given up.
 *
 * <p>{@link io.lockkeeper.jdbc.SessionLocksBackend} is another store, without tables: {@code SessionLink} is the thread of a keeper's one
 * connection, {@code LockSession} what that connection holds, and {@code SessionSql} has what differs between databases.
 */
@NullMarked
package io.lockkeeper.jdbc;

import org.jspecify.annotations.NullMarked;
