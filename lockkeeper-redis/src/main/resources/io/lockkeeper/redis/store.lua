-- The store's own random id, which the first keeper writes and nobody changes, and the newest format that is used in it.
--
-- KEYS store
-- ARGV id to write if there is none
-- Answers {id, format}

redis.call('HSETNX', KEYS[1], 'id', ARGV[1])
redis.call('HSETNX', KEYS[1], 'format', '1')
return redis.call('HMGET', KEYS[1], 'id', 'format')
