-- A count-down latch: a generation, a target, and the set of operations that counted it down.
--
-- Invariant: an operation that is sent again counts once, since a set holds it; one of another generation is refused, and a
-- generation is never used twice, since it is at least the clock's microseconds. If the count were a number that is
-- decremented, a lost reply would open the latch too early. An open latch is kept for a minute, for requests that are sent again.
--
-- KEYS latch (hash: format, generation, target, by, open), operations (set), keepers to tell (set)
-- ARGV what to do, prefix of channels, then
--      state: keeper to tell or ''          answers {generation, count}
--      set: operation, count                answers 1 if this operation began the generation that stands
--      countDown: generation, operation     answers 1 if it counted, or had counted, in that generation
--      delete: generation                   answers 1
--   or {'newer', format}

--include times

local known = redis.call('HMGET', KEYS[1], 'format', 'generation', 'target', 'by', 'open')
if known[1] and known[1] ~= '1' then return {'newer', known[1]} end
local generation, target, by, open = known[2], tonumber(known[3] or 0), known[4], known[5] == '1'
local counted = redis.call('SCARD', KEYS[2])
redis.call('SCARD', KEYS[3])

local function tell()
  for _, keeper in ipairs(redis.call('SMEMBERS', KEYS[3])) do
    redis.call('PUBLISH', ARGV[2] .. keeper, KEYS[1])
  end
  redis.call('DEL', KEYS[3])
end

local what = ARGV[1]
if what == 'state' then
  if not generation then return {0, 0} end
  if open then return {tonumber(generation), 0} end
  if ARGV[3] ~= '' then redis.call('SADD', KEYS[3], ARGV[3]) end
  return {tonumber(generation), target - counted}
end
if what == 'set' then
  if generation and (by == ARGV[3] or not open) then return by == ARGV[3] and 1 or 0 end
  local time = redis.call('TIME')
  local new = math.max(time[1] * 1000000 + time[2], tonumber(generation or 0) + 1)
  redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
  redis.call('HSET', KEYS[1], 'format', '1', 'generation', string.format('%.0f', new), 'target', ARGV[4], 'by', ARGV[3])
  return 1
end
if not generation or generation ~= ARGV[3] then return 0 end
if what == 'countDown' then
  if open then return 1 end
  if redis.call('SADD', KEYS[2], ARGV[4]) == 1 and counted + 1 >= target then
    redis.call('HSET', KEYS[1], 'open', '1')
    redis.call('PEXPIRE', KEYS[1], OPEN_KEPT)
    redis.call('DEL', KEYS[2])
    tell()
  end
  return 1
end
redis.call('DEL', KEYS[1], KEYS[2])
tell()
return 1
