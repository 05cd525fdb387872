-- Ends a claim, whether it holds, waits or never came, and tells who is next.
--
-- Keeps: only what belongs to this claim is ended. If a request of it may still be under way, a tombstone is left so that the
-- late one grants nothing to nobody.
--
-- KEYS k s g q l, tombstone of this claim
-- ARGV claim, life of the tombstone in ms or 0 for none, keeper, prefix of channels, whether PUBLISH counts all listeners
-- Answers 1 if it held, else 0

local id = ARGV[1]
local alone = redis.call('GET', KEYS[1])

-- The common case: it holds alone, for the keeper that releases it, and nobody waits.
local owner = alone == id and string.match(redis.call('HGET', KEYS[2], 'alone') or '', '^' .. id .. ' %d+ %d+ (%S+) ')
if owner == ARGV[3] and ARGV[2] == '0' and redis.call('EXISTS', KEYS[4]) == 0 then
  redis.call('DEL', KEYS[1])
  return 1
end

--include line

local line = open(KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5])
local now = clock()
local held = 0
purge(line, now)
if alone == id then
  redis.call('DEL', KEYS[1])
  line.alone, held = false, 1
else
  owner = drop(line, id)
  held = owner and 1 or 0
end
leave(line, id)
if ARGV[2] ~= '0' then redis.call('SET', KEYS[6], '1', 'PX', ARGV[2]) end
if owner and owner ~= '' and owner ~= ARGV[3] then redis.call('PUBLISH', ARGV[4] .. owner, KEYS[1]) end
wake(line, false, ARGV[4], ARGV[5] == '1', now)
return held
