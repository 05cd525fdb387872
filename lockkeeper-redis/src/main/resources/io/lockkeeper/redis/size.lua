-- The size of a semaphore, as a number that stays in the store. Shrinking takes nothing from holders; growing signals waiters.
--
-- Invariant: an operation counts once, since its id is remembered; otherwise an addition that is sent again after a lost
-- reply would add twice. A size that was set stays, with all that is known of the semaphore, until it is cleared.
--
-- KEYS k s g q l
-- ARGV prefix of channels, whether PUBLISH counts all listeners, what to do, then
--      get
--      try: operation, size                 sets it if there is none
--      set: size
--      add: operation, change, size if there is none
--      clear
-- Answers {newer format or '', the size now (of an addition that would leave no permit or too many, the size that stays), 1 if
--      the operation counted now or when it was sent before}

--include times
--include line

local what = ARGV[3]
local line = open(KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], true)
if line.newer then return {line.newer, 0, 0} end
if what == 'get' then return {'', line.size, 1} end

local now = clock()
purge(line, now)
if what == 'clear' then
  redis.call('HDEL', KEYS[2], 'size', 'set', 'sizes')
  line.size, line.set = 0, false
  local last = redis.call('ZREVRANGE', KEYS[3], 0, 0, 'WITHSCORES')[2]
  local lease = last and math.max(0, last - now) or 0
  redis.call('PEXPIRE', KEYS[3], KEPT_FOR + lease)
  keep(line, lease)
  keepPlaces(line)
  return {'', 0, 1}
end

local operation, size = ARGV[4], line.size
local known = redis.call('HGET', KEYS[2], 'sizes') or ''
if what == 'set' then
  size = tonumber(operation)
else
  if string.find(known .. ' ', ' ' .. operation .. ' ', 1, true) then return {'', line.size, 1} end
  if what == 'try' then
    if size ~= 0 then return {'', size, 0} end
    size = tonumber(ARGV[5])
  else
    if size == 0 then size = tonumber(ARGV[6]) end
    local sum = size + tonumber(ARGV[5])
    if sum < 1 or sum >= 2 ^ 31 then return {'', size, 0} end
    size = sum
  end
  known = string.sub(known .. ' ' .. operation, -ENDED)
end
redis.call('HSET', KEYS[2], 'format', '1', 'size', whole(size), 'set', '1', 'sizes', known)
line.size, line.set = size, true
keep(line, 0)
keepPlaces(line)
keepKey(line, KEYS[3])
wake(line, false, ARGV[1], ARGV[2] == '1', now)
return {'', size, 1}
