-- The long way of attempt: looks at all holding and waiting claims, and sets the answer. It is included after line.

local line = open(KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5])
local alone = line.alone
local permits, size = 0, 0
if #mode > 1 then
  mode, permits, size = string.match(mode, '^(p) (%d+) (%d+)$')
  permits, size = tonumber(permits), tonumber(size)
end

-- Recalls a sticky grant from another keeper, at each attempt, since a message may be lost. The message names the claim, so
-- that it is never taken for a recall of a later one.
local function recall()
  if not line.sticky then return 0 end
  local _, _, owner = aloneOf(line, line.alone)
  if not owner or owner == keeper then return 0 end
  redis.call('PUBLISH', ARGV[6] .. owner, line.k .. ' ' .. line.alone)
  return 1
end

local function grantAlone()
  if line.told then redis.call('HDEL', KEYS[2], 'told') end
  redis.call('SET', KEYS[1], id, 'PX', whole(lease))
  return true
end

local function decide()
  if alone == id then
    -- It may have been extended since, and this request may be late: the lease never gets shorter. Nor does that of a client
    -- that set the key under the same id, of which there is no record.
    lease = math.max(lease, left(line, id, now))
    local given, many = aloneOf(line, id)
    if not given then return grantAlone() end
    redis.call('PEXPIRE', KEYS[1], lease)
    keep(line, lease)
    return {1, tonumber(given), tonumber(many)}
  end
  if redis.call('ZSCORE', KEYS[3], id) then
    local given, many = grantOf(line, id)
    if given then
      extend(line, id, math.max(lease, left(line, id, now)), now)
      return {1, tonumber(given), tonumber(many)}
    end
    drop(line, id)
  end
  if redis.call('EXISTS', KEYS[6]) == 1 then return {4} end
  if mode == 'p' then
    -- A claim that names no size, or one of a semaphore whose size was set, takes the size as it is.
    if size ~= 0 and line.size ~= 0 and line.size ~= size and not line.set then
      leave(line, id)
      return {5, line.size}
    end
    if size ~= 0 and permits > size then
      leave(line, id)
      return {6}
    end
    if line.size == 0 and size ~= 0 then
      line.size = size
      redis.call('HSET', KEYS[2], 'format', '1', 'size', size)
    end
    keep(line, lease)
  end
  if admits(line, id, mode, permits, now) then
    leave(line, id)
    if mode == 'e' then
      line.alone = id
      return grantAlone()
    end
    redis.call('HSET', KEYS[2], 'format', '1', 'token', whole(token + count - 1), 'g:' .. id,
      string.format('%.0f %d %s %d %s', token, count, mode, permits, ARGV[5]))
    take(line, permits)
    line.sharers = line.sharers + 1
    redis.call('ZADD', KEYS[3], now + lease, id)
    extend(line, id, lease, now)
    return {1, token, count}
  end
  if queueing ~= '0' then
    enqueue(line, id, string.format('%s %s %d %s', keeper, mode, permits, queueing), now)
  end
  return {2, retryIn(line, id, now), recall()}
end

purge(line, now)
local waited = stamp(line, id, keeper, now)
answer = decide()
-- Also if nothing was granted: an attempt that finds that the first claim of the queue could be granted signals it.
wake(line, keeper, ARGV[6], string.sub(ARGV[7], 3, 3) == '1', now, nil, not waited)
