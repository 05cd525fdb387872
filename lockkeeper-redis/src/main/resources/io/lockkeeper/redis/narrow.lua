-- Gives up a part of a grant in one step: alone becomes shared, permits become fewer. Claim, token and lease stay.
--
-- Invariant: a grant only gets smaller, so a late or repeated request does nothing.
--
-- KEYS k s g q l
-- ARGV claim, mode wanted (s, p), permits wanted, prefix of channels, whether PUBLISH counts all listeners
-- Answers 1 if the claim holds, else 0

--include times
--include line

local id, wanted = ARGV[1], tonumber(ARGV[3])
local line = open(KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5])
local now = clock()
purge(line, now)
local held = 0
if line.alone == id then
  held = 1
  local first, count, keeper, holder = aloneOf(line, id)
  local left = redis.call('PTTL', KEYS[1])
  if ARGV[2] == 's' and first and left > 0 then
    redis.call('HSET', KEYS[2], 'g:' .. id, string.format('%s %s s 0 %s %s', first, count, keeper, holder))
    redis.call('ZADD', KEYS[3], now + left, id)
    extend(line, id, left, now)
    redis.call('DEL', KEYS[1])
    line.alone, line.sharers = false, line.sharers + 1
  end
elseif redis.call('ZSCORE', KEYS[3], id) then
  held = 1
  local first, count, mode, permits, keeper, holder = grantOf(line, id)
  if mode == 'p' and ARGV[2] == 'p' and wanted < tonumber(permits) then
    redis.call('HSET', KEYS[2], 'g:' .. id,
      string.format('%s %s p %d %s %s', first, count, wanted, keeper, holder))
    take(line, wanted - tonumber(permits))
  end
end
wake(line, false, ARGV[4], ARGV[5] == '1', now)
return held
