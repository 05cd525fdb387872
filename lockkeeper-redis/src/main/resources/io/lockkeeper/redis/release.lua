-- Ends a claim, whether it holds, waits or never arrived, and signals the next one.
--
-- Invariant: only this claim is ended. If one of its requests may still be under way, a tombstone is left, so that the late
-- request is granted nothing.
--
-- KEYS k s g q l, and if one is left, the tombstone of this claim
-- ARGV claim, life of the tombstone in ms or 0 for none, keeper, prefix of channels, whether PUBLISH counts all listeners. A
--      keeper that leaves none has seen all answers to this claim, so the claim is its own.
-- Answers 1 if it held, else 0; plus 2 if the next claim is one of the keeper that releases

--include times

local id = ARGV[1]
local alone = redis.call('GET', KEYS[1])

-- The common case: it holds alone, and no claim waits.
local ordinary = alone == id and ARGV[2] == '0'
if ordinary and redis.call('EXISTS', KEYS[4]) == 0 then
  redis.call('DEL', KEYS[1])
  return 1
end

-- The same if the first waiting claim is exclusive and its keeper is alive and subscribed. The write that frees memory comes
-- first: out of memory, only a script that has already written may go on.
local function handOn()
  local first = redis.call('ZRANGE', KEYS[4], 0, 0)[1]
  local keeper, mode = string.match(redis.call('HGET', KEYS[2], 'w:' .. first) or '', '^(%S+) (%a) ')
  local time, heard = redis.call('TIME'), redis.call('ZSCORE', KEYS[5], first) or 0
  local silent = time[1] * 1000 + math.floor(time[2] / 1000) - heard
  if mode ~= 'e' or silent >= LIVE or silent < -AHEAD then return nil end
  if keeper ~= ARGV[3] and redis.call('PUBLISH', ARGV[4] .. keeper, KEYS[1]) == 0 and ARGV[5] == '1' then return nil end
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[2], 'told', first)
  return keeper == ARGV[3] and 3 or 1
end

local handed = ordinary and redis.call('EXISTS', KEYS[3]) == 0 and handOn()
if handed then return handed end

--include line

local line = open(KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5])
local now = clock()
local held, owner = 0, nil
purge(line, now)
if alone == id then
  local _, _, keeper = aloneOf(line, id)
  owner = keeper
  redis.call('DEL', KEYS[1])
  line.alone, held = false, 1
else
  owner = drop(line, id)
  held = owner and 1 or 0
end
leave(line, id)
if ARGV[2] ~= '0' then redis.call('SET', KEYS[6], '1', 'PX', ARGV[2]) end
if owner and owner ~= '' and owner ~= ARGV[3] then
  -- So that the holder learns why; of many, the last are kept.
  local others = redis.call('HGET', KEYS[2], 'elsewhere') or ''
  redis.call('HSET', KEYS[2], 'elsewhere', string.sub(others .. ' ' .. id, -ENDED))
  redis.call('PUBLISH', ARGV[4] .. owner, KEYS[1])
end
local own = wake(line, false, ARGV[4], ARGV[5] == '1', now, ARGV[3])
return held + (own and 2 or 0)
