-- Renews a grant and gives it a higher token, so that members of a quorum agree on one.
--
-- Invariant: a token belongs to one claim. It is given only if it is greater than every token of this resource, or this
-- claim's own.
--
-- KEYS k s g q l
-- ARGV claim, lease, token, keeper
-- Answers as renew does

--include times
--include line

local id, lease, token = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local line = open(KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5])
local now = clock()
local newest = tonumber(redis.call('HGET', KEYS[2], 'token') or 0)
purge(line, now)

local first, count, mode, permits, keeper, holder
if line.alone == id then
  first, count, keeper, holder = aloneOf(line, id)
else
  first, count, mode, permits, keeper, holder = grantOf(line, id)
end
local answer = renew(line, id, lease, ARGV[4], now)
if (answer == 'KEPT' or answer == 'WANTED') then
  first, count = tonumber(first or 0), tonumber(count or 0)
  if token <= newest and not (token >= first and token < first + count) then return 'TAKEN' end
  redis.call('HSET', KEYS[2], 'token', whole(math.max(newest, token)))
  if mode then
    redis.call('HSET', KEYS[2], 'g:' .. id, string.format('%.0f 1 %s %s %s %s', token, mode, permits, keeper, holder))
  else
    redis.call('HSET', KEYS[2], 'alone', string.format('%s %.0f 1 %s %s', id, token, keeper or '-', holder or ''))
  end
end
return answer
