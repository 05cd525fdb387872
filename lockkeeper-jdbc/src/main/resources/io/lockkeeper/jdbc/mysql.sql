-- The tables of Lockkeeper for MySQL 8 and MariaDB 10.6 and later.
-- One row for each name that is or was locked. Times are microseconds since 1970, by the database's clock.
-- Names and ids are bytes, so that no collation takes two of them for the same.
CREATE TABLE IF NOT EXISTS lockkeeper_lock (
  name varbinary(600) NOT NULL,
  family varchar(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  claim varbinary(600),
  keeper varchar(64) CHARACTER SET ascii COLLATE ascii_bin,
  host varchar(600) CHARACTER SET utf8mb4,
  pid bigint NOT NULL DEFAULT 0,
  thread varchar(200) CHARACTER SET utf8mb4,
  note varchar(300) CHARACTER SET utf8mb4,
  tokens bigint NOT NULL,
  last_token bigint NOT NULL,
  granted_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  in_line smallint NOT NULL,
  line mediumtext CHARACTER SET ascii COLLATE ascii_bin,
  version bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (name, family)
) ENGINE = InnoDB;

-- One row for each latch (kind 0), each count (kind 1) and each process that waits (kind 2).
CREATE TABLE IF NOT EXISTS lockkeeper_latch (
  name varbinary(600) NOT NULL,
  kind smallint NOT NULL,
  entry varbinary(600) NOT NULL,
  generation bigint NOT NULL,
  target bigint NOT NULL,
  begun_by varchar(300) CHARACTER SET ascii COLLATE ascii_bin,
  updated_at bigint NOT NULL,
  PRIMARY KEY (name, kind, entry)
) ENGINE = InnoDB;

-- For people: what is held now, in the shape of the lock tables of tutorials. Times are UTC.
CREATE OR REPLACE VIEW lockkeeper_resource_lock AS
SELECT CONVERT(name USING utf8mb4) AS resource_name,
       CONCAT_WS(' ', NULLIF(note, ''), CONCAT('pid ', pid, ' on ', host), NULLIF(thread, '')) AS node_info,
       1 AS count,
       last_token - tokens + 1 AS token,
       TIMESTAMPADD(MICROSECOND, granted_at, '1970-01-01') AS create_time,
       TIMESTAMPADD(MICROSECOND, updated_at, '1970-01-01') AS update_time,
       TIMESTAMPADD(MICROSECOND, expires_at, '1970-01-01') AS expire_time
FROM lockkeeper_lock
WHERE family = 'lock' AND expires_at > TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6));
