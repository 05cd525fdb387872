-- Attempts a claim: the first time, again while it waits, or to learn whether it was granted.
--
-- Invariant: one claim, one grant. A claim that holds is answered with the token it has; if it were granted again, a lost
-- reply would cost a permit. A claim that was released before one of its requests arrived is refused, by its tombstone.
-- Tokens are max(last + 1, microseconds of the clock), so that they grow also when the last one was lost, and a block is no
-- longer than the microseconds since the last one, so that the counter does not run ahead of the clock.
--
-- KEYS k s g q l, tombstone of this claim
-- ARGV claim, mode (e, s, or p and permits and size or 0), lease, tokens wanted, "keeper holder", prefix of channels, and three
--      digits: queueing (0 never, 1 plain, 2 fair), whether it is sticky, whether PUBLISH counts all listeners. Each argument
--      costs the server a sixth of a microsecond, so what the common case does not look at comes together.
-- Answers the token if it is one, {1, first token, tokens}, {2, retry in ms, 1 if it was recalled from another keeper},
--      {3, newer format}, {4} released before, {5, size in the store}, {6} more permits than there are

--include times

local id, mode, lease, wanted = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local time = redis.call('TIME')
local known = redis.call('HMGET', KEYS[2], 'format', 'token')
if known[1] and known[1] ~= '1' then return {3, known[1]} end

-- The tokens, if it is granted now.
local micros, last = time[1] * 1000000 + time[2], tonumber(known[2] or 0)
local token, count = math.max(last + 1, micros), math.max(1, math.min(wanted, micros - last))

-- The common case: free, and there is no other claim. No function is defined before it: that costs time.
local others = mode == 'e' and redis.call('EXISTS', KEYS[3], KEYS[4], KEYS[6])
if others ~= 0 or not redis.call('SET', KEYS[1], id, 'NX', 'PX', ARGV[3]) then
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local keeper, queueing = string.match(ARGV[5], '^%S+'), string.sub(ARGV[7], 1, 1)
  local first = others == 1 and redis.call('ZRANGE', KEYS[4], 0, 0)[1]

  -- The reply, or true if it has it alone now.
  local answer = nil
  if first == id then
    -- There is only a queue, and this claim is first: it is granted if its time stamp is recent and the resource is free.
    local silent = now - (redis.call('ZSCORE', KEYS[5], id) or 0)
    if silent < RESTAMP and redis.call('SET', KEYS[1], id, 'NX', 'PX', ARGV[3]) then
      redis.call('ZREM', KEYS[4], id)
      redis.call('ZREM', KEYS[5], id)
      redis.call('HDEL', KEYS[2], 'w:' .. id, 'told')
      answer = true
    end
  elseif first and queueing ~= '0' and known[1] then
    -- There is only a queue, and this claim may be new: then it becomes the last, if the resource is held and not recalled,
    -- or if it is free and the first claim is alive and was told. And no claim before it is about to count as silent.
    local function join()
      local alone = redis.call('GET', KEYS[1])
      local marks = redis.call('HMGET', KEYS[2], 'sticky', 'told')
      if alone == id or (alone and marks[1] == alone) or redis.call('ZSCORE', KEYS[4], id) then return nil end
      if not alone then
        local silent = now - (redis.call('ZSCORE', KEYS[5], first) or 0)
        if marks[2] ~= first or silent >= LIVE or silent < -AHEAD then return nil end
      end
      local left = alone and redis.call('PTTL', KEYS[1]) or -1
      local soonest = left >= 0 and left < POLL and left + 1 or POLL
      local from, to = string.format('(%.0f', now - LIVE), string.format('(%.0f', now - LIVE + soonest)
      if redis.call('ZCOUNT', KEYS[5], from, to) ~= 0 then return nil end
      local last = redis.call('ZREVRANGE', KEYS[4], 0, 0, 'WITHSCORES')
      redis.call('ZADD', KEYS[4], string.format('%.0f', last[2] + 1), id)
      redis.call('ZADD', KEYS[5], now, id)
      redis.call('HSET', KEYS[2], 'w:' .. id, string.format('%s %s %d %s', keeper, mode, 0, queueing))
      return {2, soonest, 0}
    end
    answer = join()
  end
  if not answer then
--include line
--include contend
  end
  if answer ~= true then return answer end
end

-- The claim holds it alone, and that is recorded. What is known of a resource is kept for a day and two hours after its first grant
-- in an hour, so for a day after the last, and need not be kept anew each time.
local text = string.format('%.0f', token + count - 1)
redis.call('HSET', KEYS[2], 'format', '1', 'token', text, 'alone', id .. ' '
  .. (count == 1 and text .. ' 1 ' or string.format('%.0f %d ', token, count)) .. ARGV[5])
-- Marks of earlier claims say nothing of this one: they have other ids.
if string.sub(ARGV[7], 2, 2) == '1' then redis.call('HSET', KEYS[2], 'sticky', id) end
if lease > HOUR or math.floor(last / (1000 * HOUR)) ~= math.floor(1000 * time[1] / HOUR) then
  redis.call('PEXPIRE', KEYS[2], KEPT_FOR + lease)
  redis.call('PEXPIRE', KEYS[4], KEPT_FOR)
  redis.call('PEXPIRE', KEYS[5], KEPT_FOR)
end
if count == 1 then return token end
return {1, token, count}
