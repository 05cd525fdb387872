-- The tables of Lockkeeper for PostgreSQL 14 and later.
-- One row for each name that is or was locked. Times are microseconds since 1970, by the database's clock.
CREATE TABLE IF NOT EXISTS lockkeeper_lock (
  name text COLLATE "C" NOT NULL,
  family text COLLATE "C" NOT NULL,
  claim text COLLATE "C",
  keeper text,
  host text,
  pid bigint NOT NULL DEFAULT 0,
  thread text,
  note text,
  tokens bigint NOT NULL,
  last_token bigint NOT NULL,
  granted_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  in_line smallint NOT NULL,
  line text COLLATE "C",
  version bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (name, family)
) WITH (fillfactor = 70);

-- One row for each latch (kind 0), each count (kind 1) and each process that waits (kind 2).
CREATE TABLE IF NOT EXISTS lockkeeper_latch (
  name text COLLATE "C" NOT NULL,
  kind smallint NOT NULL,
  entry text COLLATE "C" NOT NULL,
  generation bigint NOT NULL,
  target bigint NOT NULL,
  begun_by text,
  updated_at bigint NOT NULL,
  PRIMARY KEY (name, kind, entry)
);

-- For people: what is held now, in the shape of the lock tables of tutorials.
CREATE OR REPLACE VIEW lockkeeper_resource_lock AS
SELECT name AS resource_name,
       concat_ws(' ', nullif(note, ''), 'pid ' || pid || ' on ' || host, nullif(thread, '')) AS node_info,
       1 AS count,
       last_token - tokens + 1 AS token,
       to_timestamp(granted_at / 1000000.0) AS create_time,
       to_timestamp(updated_at / 1000000.0) AS update_time,
       to_timestamp(expires_at / 1000000.0) AS expire_time
FROM lockkeeper_lock
WHERE family = 'lock' AND expires_at > extract(epoch FROM clock_timestamp()) * 1000000;
