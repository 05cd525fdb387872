-- The tables of Lockkeeper for SQLite 3.42 and later.
-- One row for each name that is or was locked. Times are microseconds since 1970, by the database's clock.
CREATE TABLE IF NOT EXISTS lockkeeper_lock (
  name TEXT COLLATE BINARY NOT NULL,
  family TEXT COLLATE BINARY NOT NULL,
  claim TEXT COLLATE BINARY,
  keeper TEXT,
  host TEXT,
  pid INTEGER NOT NULL DEFAULT 0,
  thread TEXT,
  note TEXT,
  tokens INTEGER NOT NULL,
  last_token INTEGER NOT NULL,
  granted_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  in_line INTEGER NOT NULL,
  line TEXT,
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (name, family)
) WITHOUT ROWID;

-- One row for each latch (kind 0), each count (kind 1) and each process that waits (kind 2).
CREATE TABLE IF NOT EXISTS lockkeeper_latch (
  name TEXT COLLATE BINARY NOT NULL,
  kind INTEGER NOT NULL,
  entry TEXT COLLATE BINARY NOT NULL,
  generation INTEGER NOT NULL,
  target INTEGER NOT NULL,
  begun_by TEXT,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (name, kind, entry)
) WITHOUT ROWID;

-- For people: what is held now, in the shape of the lock tables of tutorials. Times are UTC.
CREATE VIEW IF NOT EXISTS lockkeeper_resource_lock AS
SELECT name AS resource_name,
       TRIM(COALESCE(note, '') || ' pid ' || pid || ' on ' || COALESCE(host, '') || ' ' || COALESCE(thread, '')) AS node_info,
       1 AS count,
       last_token - tokens + 1 AS token,
       datetime(granted_at / 1000000.0, 'unixepoch', 'subsec') AS create_time,
       datetime(updated_at / 1000000.0, 'unixepoch', 'subsec') AS update_time,
       datetime(expires_at / 1000000.0, 'unixepoch', 'subsec') AS expire_time
FROM lockkeeper_lock
WHERE family = 'lock' AND expires_at > CAST(ROUND(unixepoch('now', 'subsec') * 1000) AS INTEGER) * 1000;
