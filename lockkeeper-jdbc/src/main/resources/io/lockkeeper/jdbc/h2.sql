-- The tables of Lockkeeper for H2 2.2 and later.
-- One row for each name that is or was locked. Times are microseconds since 1970, by the database's clock.
-- Names and ids are bytes, so that no collation takes two of them for the same.
CREATE TABLE IF NOT EXISTS "lockkeeper_lock" (
  name VARBINARY(600) NOT NULL,
  family VARCHAR(40) NOT NULL,
  claim VARBINARY(600),
  keeper VARCHAR(64),
  host VARCHAR(600),
  pid BIGINT DEFAULT 0 NOT NULL,
  thread VARCHAR(200),
  note VARCHAR(300),
  tokens BIGINT NOT NULL,
  last_token BIGINT NOT NULL,
  granted_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  in_line SMALLINT NOT NULL,
  line VARCHAR(1000000),
  version BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (name, family)
);

-- One row for each latch (kind 0), each count (kind 1) and each process that waits (kind 2).
CREATE TABLE IF NOT EXISTS "lockkeeper_latch" (
  name VARBINARY(600) NOT NULL,
  kind SMALLINT NOT NULL,
  entry VARBINARY(600) NOT NULL,
  generation BIGINT NOT NULL,
  target BIGINT NOT NULL,
  begun_by VARCHAR(300),
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (name, kind, entry)
);

-- For people: what is held now, in the shape of the lock tables of tutorials. Times are UTC.
CREATE VIEW IF NOT EXISTS "lockkeeper_resource_lock" AS
SELECT UTF8TOSTRING(name) AS "resource_name",
       CONCAT_WS(' ', NULLIF(note, ''), 'pid ' || pid || ' on ' || host, NULLIF(thread, '')) AS "node_info",
       1 AS "count",
       last_token - tokens + 1 AS "token",
       DATEADD(MICROSECOND, granted_at, TIMESTAMP '1970-01-01 00:00:00') AS "create_time",
       DATEADD(MICROSECOND, updated_at, TIMESTAMP '1970-01-01 00:00:00') AS "update_time",
       DATEADD(MICROSECOND, expires_at, TIMESTAMP '1970-01-01 00:00:00') AS "expire_time"
FROM "lockkeeper_lock"
WHERE family = 'lock' AND expires_at > CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP(6)) * 1000000 AS BIGINT);
