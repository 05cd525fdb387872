-- Changes the size of a semaphore. Shrinking takes nothing from holders; growing signals waiters.
--
-- KEYS k s g q l
-- ARGV size, prefix of channels, whether PUBLISH counts all listeners

--include times
--include line

local line = open(KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5])
local now = clock()
purge(line, now)
line.size = tonumber(ARGV[1])
redis.call('HSET', KEYS[2], 'format', '1', 'size', ARGV[1])
if redis.call('PTTL', KEYS[2]) < SIZE_KEPT then keep(line, 0) end
wake(line, false, ARGV[2], ARGV[3] == '1', now)
return 1
