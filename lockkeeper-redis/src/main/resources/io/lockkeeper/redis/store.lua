-- The random id of the store, which the first keeper writes and which never changes, and the newest format in use. After a
-- flush the first keeper that calls this writes the id back.
--
-- KEYS store
-- ARGV id to write if there is none: the one that the keeper knows, or a new one
-- Answers {id, format}

redis.call('HSETNX', KEYS[1], 'id', ARGV[1])
redis.call('HSETNX', KEYS[1], 'format', '1')
return redis.call('HMGET', KEYS[1], 'id', 'format')
