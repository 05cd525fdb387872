-- Asks for a resource, or again for a claim that waits, or whether it was granted.
--
-- Keeps: one claim, one grant. A claim that holds is answered with the token it has; were it granted anew, a reply that got
-- lost would cost a permit. A claim that was released before one of its requests arrived is refused: its tombstone stands.
-- Tokens are max(last + 1, microseconds of the clock), so that they grow also when the last one was lost, and a block is no
-- longer than the microseconds since the last one, so that the counter does not run ahead of the clock.
--
-- KEYS k s g q l, tombstone of this claim
-- ARGV claim, mode (e, s, p), permits, size, lease, tokens wanted, queueing (0 never, 1 plain, 2 fair), keeper, holder,
--      prefix of channels, whether PUBLISH counts all listeners, whether it is sticky
-- Answers the token if it is one, {1, first token, tokens}, {2, ask again in ms, 1 if another keeper was asked to give it back},
--      {3, newer format}, {4} released before, {5, size in the store}, {6} more permits than there are

--include times

local id, mode, lease, wanted = ARGV[1], ARGV[2], tonumber(ARGV[5]), tonumber(ARGV[6])
local time = redis.call('TIME')
local known = redis.call('HMGET', KEYS[2], 'format', 'token')
if known[1] and known[1] ~= '1' then return {3, known[1]} end

local function tokens()
  local micros, last = time[1] * 1000000 + time[2], tonumber(known[2] or 0)
  local first, count = math.max(last + 1, micros), math.max(1, math.min(wanted, micros - last))
  return first, count, string.format('%.0f', first + count - 1)
end

-- Writes down who has it alone. What is known of a resource is kept for a day and two hours after its first grant in an hour, so
-- for a day after the last, and need not be kept anew each time.
local function knowAlone()
  local first, count, last = tokens()
  redis.call('HSET', KEYS[2], 'format', '1', 'token', last, 'alone', id .. ' '
    .. (count == 1 and last .. ' 1 ' or string.format('%.0f %d ', first, count)) .. ARGV[8] .. ' ' .. ARGV[9])
  -- Marks of earlier claims say nothing of this one: they have other ids.
  if ARGV[12] == '1' then redis.call('HSET', KEYS[2], 'sticky', id) end
  if lease > HOUR or math.floor((known[2] or 0) / (1000 * HOUR)) ~= math.floor(1000 * time[1] / HOUR) then
    redis.call('PEXPIRE', KEYS[2], DAY + lease)
    redis.call('PEXPIRE', KEYS[4], DAY)
    redis.call('PEXPIRE', KEYS[5], DAY)
  end
  if count == 1 then return first end
  return {1, first, count}
end

-- The common case: free, and nobody else is known.
local others = mode == 'e' and redis.call('EXISTS', KEYS[3], KEYS[4], KEYS[6])
if others == 0 and redis.call('SET', KEYS[1], id, 'NX', 'PX', ARGV[5]) then return knowAlone() end

local now = time[1] * 1000 + math.floor(time[2] / 1000)
local first = others == 1 and redis.call('ZRANGE', KEYS[4], 0, 0)[1]

-- A queue is all there is, and this is the first in it, heard of a moment ago: it is granted if it is free.
local function confirm()
  if now - (redis.call('ZSCORE', KEYS[5], id) or 0) >= RESTAMP then return nil end
  if not redis.call('SET', KEYS[1], id, 'NX', 'PX', ARGV[5]) then return nil end
  redis.call('ZREM', KEYS[4], id)
  redis.call('ZREM', KEYS[5], id)
  redis.call('HDEL', KEYS[2], 'w:' .. id, 'told')
  return knowAlone()
end

-- A queue is all there is, and this claim is new: it is the last now, if somebody has it whom nobody asks to give it back, or
-- if it is free and the first, who is alive, was told. And nobody before it is about to be given up.
local function join()
  local alone = redis.call('GET', KEYS[1])
  local marks = redis.call('HMGET', KEYS[2], 'sticky', 'told')
  if alone == id or (alone and marks[1] == alone) or redis.call('ZSCORE', KEYS[4], id) then return nil end
  if not alone and (marks[2] ~= first or now - (redis.call('ZSCORE', KEYS[5], first) or 0) >= LIVE) then return nil end
  local left = alone and redis.call('PTTL', KEYS[1]) or -1
  local soonest = left >= 0 and left < 1000 and left + 1 or 1000
  local from, to = string.format('(%.0f', now - LIVE), string.format('(%.0f', now - LIVE + soonest)
  if redis.call('ZCOUNT', KEYS[5], from, to) ~= 0 then return nil end
  local last = redis.call('ZREVRANGE', KEYS[4], 0, 0, 'WITHSCORES')
  redis.call('ZADD', KEYS[4], string.format('%.0f', last[2] + 1), id)
  redis.call('ZADD', KEYS[5], now, id)
  redis.call('HSET', KEYS[2], 'w:' .. id, string.format('%s %s %d %s', ARGV[8], mode, 0, ARGV[7]))
  return {2, soonest, 0}
end

if first then
  local short = nil
  if first == id then short = confirm() elseif ARGV[7] ~= '0' and known[1] then short = join() end
  if short then return short end
end

--include line

local line = open(KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5])
local alone = line.alone
local permits, size, keeper = tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[8]

-- What another keeper may only keep for later is asked for, each time: a message may be lost. It names the claim, so that it
-- is never taken for a word about a later one.
local function askBack()
  if not line.sticky then return 0 end
  local last = redis.call('HGET', KEYS[2], 'alone') or ''
  local owner = string.match(last, '^' .. line.alone .. ' %d+ %d+ (%S+) ')
  if not owner or owner == keeper then return 0 end
  redis.call('PUBLISH', ARGV[10] .. owner, line.k .. ' ' .. line.alone)
  return 1
end

local function grantAlone()
  if line.told then redis.call('HDEL', KEYS[2], 'told') end
  redis.call('SET', KEYS[1], id, 'PX', ARGV[5])
  return knowAlone()
end

local function decide()
  if alone == id then
    local last = redis.call('HGET', KEYS[2], 'alone')
    local first, count = string.match(last or '', '^' .. id .. ' (%d+) (%d+) ')
    if not first then return grantAlone() end
    redis.call('PEXPIRE', KEYS[1], lease)
    keep(line, lease)
    return {1, tonumber(first), tonumber(count)}
  end
  if redis.call('ZSCORE', KEYS[3], id) then
    local first, count = grantOf(line, id)
    if first then
      extend(line, id, lease, now)
      return {1, tonumber(first), tonumber(count)}
    end
    drop(line, id)
  end
  if redis.call('EXISTS', KEYS[6]) == 1 then return {4} end
  if mode == 'p' then
    if line.size ~= 0 and line.size ~= size then
      leave(line, id)
      return {5, line.size}
    end
    if permits > size then
      leave(line, id)
      return {6}
    end
    if line.size == 0 then
      line.size = size
      redis.call('HSET', KEYS[2], 'format', '1', 'size', ARGV[4])
    end
    keep(line, lease)
  end
  if admits(line, id, mode, permits, now) then
    leave(line, id)
    if mode == 'e' then
      line.alone = id
      return grantAlone()
    end
    local first, count, last = tokens()
    redis.call('HSET', KEYS[2], 'format', '1', 'token', last, 'g:' .. id,
      string.format('%.0f %d %s %d %s %s', first, count, mode, permits, keeper, ARGV[9]))
    take(line, permits)
    line.sharers = line.sharers + 1
    redis.call('ZADD', KEYS[3], now + lease, id)
    extend(line, id, lease, now)
    return {1, first, count}
  end
  if ARGV[7] ~= '0' then
    enqueue(line, id, string.format('%s %s %d %s', keeper, mode, permits, ARGV[7]), now)
  end
  return {2, askAgain(line, id, now), askBack()}
end

purge(line, now)
local waited = stamp(line, id, keeper, now)
local answer = decide()
-- Also when nothing was granted: whoever notices that the first in the queue could have it says so.
wake(line, keeper, ARGV[10], ARGV[11] == '1', now, nil, not waited)
return answer
