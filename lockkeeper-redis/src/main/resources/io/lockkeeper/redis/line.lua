-- One resource: the claims that hold it and the claims that wait for it. Included by other scripts, after times.
--
--   k  string       the claim that holds it alone; the key's expiry is the end of its lease. Nothing else is in it, so that
--                   a client with SET NX PX and compare-and-delete excludes us and is excluded by us
--   s  hash         format; token: the last one given; alone: "claim token count keeper holder" of the last claim that had
--                   it alone; sticky: the last claim that held it alone and can be recalled; told: the claim in the
--                   queue that was told that it may have it alone, since it was last had so; size and taken of a
--                   semaphore; set: 1 if its size was set, and so is kept until it is cleared; sizes: the last operations that
--                   changed it; forced: the last claims ended by force; elsewhere: the last claims ended by a keeper that
--                   did not hold them;
--                   g:<claim>: "token count mode permits keeper holder"; w:<claim>: "keeper mode permits queueing"
--   g  sorted set   the claims that share it or have permits of it, by the end of their lease
--   q  sorted set   the claims that wait, by arrival
--   l  sorted set   the claims that wait, by when their keeper was last heard of
--
-- Time is this server's, in milliseconds. A free resource belongs to the first live claim of its queue, and that claim keeps
-- its place until its own attempt is granted: if it were removed when it is signalled, a slow keeper would lose its place; if
-- silent claims were waited for, each would cost all others a timeout.

-- This many places of the queue are read at once.
local CHUNK = 100
-- The last claims that were ended by another keeper are kept, in this many characters.
local ENDED = 3300

local function whole(number) return string.format('%.0f', number) end

-- Fails on a key of another type and, unless the script only reads, on a newer format: before anything is written, since
-- nothing is rolled back.
local function open(k, s, g, q, l, looking)
  local line = {k = k, s = s, g = g, q = q, l = l}
  line.alone = redis.call('GET', k)
  local kept = redis.call('HMGET', s, 'format', 'size', 'taken', 'sticky', 'told', 'set')
  line.newer = kept[1] and kept[1] ~= '1' and kept[1]
  if line.newer and not looking then error('NEWERFORMAT ' .. line.newer) end
  line.size, line.taken = tonumber(kept[2] or 0), tonumber(kept[3] or 0)
  line.sticky = line.alone and kept[4] == line.alone
  line.told = kept[5]
  line.set = kept[6] == '1'
  line.sharers = redis.call('ZCARD', g)
  line.waiting = redis.call('ZCARD', q)
  redis.call('ZCARD', l)
  -- An eviction may take one key and leave another: permits of unknown grants are free.
  if line.sharers == 0 then line.taken = 0 end
  return line
end

-- Says how long a key is kept. All keys of a semaphore whose size was set stay: what is known of a claim must not outlive its
-- place or its grant, for then nobody would take it away.
local function keepKey(line, key, time)
  redis.call('PEXPIRE', key, line.set and SET_KEPT or time)
end

local function keep(line, lease)
  keepKey(line, line.s, KEPT_FOR + lease)
end

-- Places live as long as what is known of their claims, so that the script that removes one finds both.
local function keepPlaces(line)
  keepKey(line, line.q, KEPT_FOR)
  keepKey(line, line.l, KEPT_FOR)
end

-- The record of a claim that holds alone: token, count, keeper, holder. Compared as plain text: an id that another program
-- made may contain characters that mean something in a pattern.
local function aloneOf(line, id)
  local last = redis.call('HGET', line.s, 'alone')
  if last and string.sub(last, 1, #id + 1) == id .. ' ' then
    return string.match(last, '^(%d+) (%d+) (%S+) (.*)$', #id + 2)
  end
end

-- A grant that is not alone: token, count, mode, permits, keeper, holder.
local function grantOf(line, id)
  local text = redis.call('HGET', line.s, 'g:' .. id)
  if text then return string.match(text, '^(%d+) (%d+) (%a) (%d+) (%S+) (.*)$') end
end

local function placeOf(text)
  if text then return string.match(text, '^(%S+) (%a) (%d+) (%d)$') end
end

local function take(line, permits)
  if permits ~= 0 then
    line.taken = line.taken + permits
    redis.call('HSET', line.s, 'taken', whole(line.taken))
  end
end

-- Ends a grant that is not alone; returns its keeper.
local function drop(line, id)
  if redis.call('ZREM', line.g, id) == 0 then return nil end
  line.sharers = line.sharers - 1
  local _, _, _, permits, keeper = grantOf(line, id)
  redis.call('HDEL', line.s, 'g:' .. id)
  take(line, -tonumber(permits or 0))
  return keeper or ''
end

local function leave(line, id)
  if redis.call('ZREM', line.q, id) == 1 then
    line.waiting = line.waiting - 1
    redis.call('ZREM', line.l, id)
    redis.call('HDEL', line.s, 'w:' .. id)
    if line.told == id then redis.call('HDEL', line.s, 'told') end
  end
end

-- Removes what has ended by now. Time stamps of places that lie in the future are from before the clock was set back: they
-- are set to now. If they were left, a dead claim would bar the resource until the clock has caught up; if they counted as
-- silent, all waiting claims would lose their order.
local function purge(line, now)
  if line.sharers > 0 then
    for _, id in ipairs(redis.call('ZRANGEBYSCORE', line.g, '-inf', now)) do drop(line, id) end
  end
  if line.waiting > 0 then
    for _, id in ipairs(redis.call('ZRANGEBYSCORE', line.l, '-inf', now - FORGOTTEN)) do leave(line, id) end
    local newest = redis.call('ZREVRANGE', line.l, 0, 0, 'WITHSCORES')[2]
    if newest and tonumber(newest) > now + AHEAD then
      for _, id in ipairs(redis.call('ZRANGEBYSCORE', line.l, '(' .. whole(now + AHEAD), '+inf')) do
        redis.call('ZADD', line.l, now, id)
      end
    end
  end
end

-- Calls visit(claim, place as text, time stamp) for each waiting claim between two ranks, until it returns something.
-- Mostly the first decides, so it is read alone; of a long queue, more and more at a time.
local function walk(line, from, to, visit)
  local step = 1
  while from <= to do
    local ids = redis.call('ZRANGE', line.q, from, math.min(to, from + step - 1))
    if #ids == 0 then return nil end
    local fields = {}
    for i, id in ipairs(ids) do fields[i] = 'w:' .. id end
    local places = redis.call('HMGET', line.s, unpack(fields))
    local heard = redis.call('ZMSCORE', line.l, unpack(ids))
    for i, id in ipairs(ids) do
      local found = visit(id, places[i], tonumber(heard[i] or 0))
      if found ~= nil then return found end
    end
    from = from + step
    step = math.min(CHUNK, step * 8)
  end
end

-- A keeper attempted this claim, so the claim is alive, and so are the keeper's claims behind it. Not those before it: the
-- keeper would have attempted the first of them. Otherwise a claim that its keeper has forgotten, such as one that a failover
-- brought back, would bar the resource forever. Stamps only when necessary: a long queue of one keeper would be walked at
-- each attempt. Returns whether the claim waits.
local function stamp(line, id, keeper, now)
  local rank = line.waiting > 0 and redis.call('ZRANK', line.q, id)
  if not rank or now - (redis.call('ZSCORE', line.l, id) or 0) < RESTAMP then return rank end
  walk(line, rank, line.waiting - 1, function(behind, place)
    if place and placeOf(place) == keeper then redis.call('ZADD', line.l, now, behind) end
  end)
  keepPlaces(line)
  return rank
end

local function fits(line, mode, permits)
  if line.alone then return false end
  if mode == 'e' then return line.sharers == 0 end
  return mode == 's' or line.taken + permits <= line.size
end

-- Whether a claim can be granted now: it fits beside the grants, and passes no claim before it. Only readers pass readers,
-- and a claim whose keeper has been silent for too long is passed. Semaphores keep strict order: else a claim for many permits
-- would never find them free together. One for more permits than there are is passed: it waits for the semaphore to grow.
local function admits(line, id, mode, permits, now)
  if not fits(line, mode, permits) then return false end
  if line.waiting == 0 then return true end
  local rank = redis.call('ZRANK', line.q, id) or line.waiting
  return not walk(line, 0, rank - 1, function(_, place, heard)
    local _, other, wanted = placeOf(place)
    if other == 'p' and tonumber(wanted) > line.size then return nil end
    if now - heard < LIVE and not (mode == 's' and other == 's') then return true end
  end)
end

-- Gives a claim the last place, unless it has one.
local function enqueue(line, id, place, now)
  if redis.call('ZSCORE', line.q, id) then return end
  local last = redis.call('ZREVRANGE', line.q, 0, 0, 'WITHSCORES')
  redis.call('ZADD', line.q, whole(tonumber(last[2] or 0) + 1), id)
  redis.call('ZADD', line.l, now, id)
  redis.call('HSET', line.s, 'format', '1', 'w:' .. id, place)
  keep(line, 0)
  keepPlaces(line)
  line.waiting = line.waiting + 1
end

-- Signals, from the head on, the keepers of all claims that would be granted if they were attempted now. The claim that is
-- being attempted needs no message, and a newcomer does not repeat the signal to the first: many may come between a release
-- and its confirmation. A plain claim whose keeper is not subscribed is passed over until its next attempt; a fair one is
-- waited for. The keeper that releases learns from the reply that the next claim is its own, and needs no message: returns
-- whether it is.
local function wake(line, requester, channels, counted, now, releasing, newcomer)
  if line.waiting == 0 or line.alone then return end
  local taken, first, own = line.taken, true, false
  walk(line, 0, line.waiting - 1, function(id, place, heard)
    if now - heard >= LIVE then return nil end
    local keeper, mode, permits, queueing = placeOf(place)
    if not keeper then return nil end
    permits = tonumber(permits)
    if mode == 'e' and (not first or line.sharers > 0) then return true end
    if mode == 'p' and permits > line.size then return nil end
    if mode == 'p' and taken + permits > line.size then return true end
    if keeper == releasing then
      own = true
    elseif keeper ~= requester and not (newcomer and mode == 'e' and line.told == id) then
      local listeners = redis.call('PUBLISH', channels .. keeper, line.k)
      if listeners == 0 and counted and queueing == '1' then
        redis.call('ZADD', line.l, now - LIVE, id)
        return nil
      end
    end
    if mode == 'e' then
      if keeper ~= requester and line.told ~= id then redis.call('HSET', line.s, 'told', id) end
      return true
    end
    taken, first = taken + permits, false
  end)
  return own
end

-- When something may change without a message: the next end of a lease, or the moment a claim before this one counts as silent.
local function retryIn(line, id, now)
  local soonest = POLL
  local left = redis.call('PTTL', line.k)
  if left >= 0 then soonest = math.min(soonest, left + 1) end
  local next = redis.call('ZRANGE', line.g, 0, 0, 'WITHSCORES')
  if next[2] then soonest = math.min(soonest, next[2] - now) end
  -- Silent claims are rare; then those before this one are looked at, one by one.
  local from, to = '(' .. whole(now - LIVE), '(' .. whole(now - LIVE + soonest)
  if line.waiting == 0 or redis.call('ZCOUNT', line.l, from, to) == 0 then return math.max(1, soonest) end
  local rank = redis.call('ZRANK', line.q, id) or math.min(line.waiting, CHUNK)
  walk(line, 0, math.min(rank, CHUNK) - 1, function(_, _, heard)
    if now - heard < LIVE then soonest = math.min(soonest, heard + LIVE - now) end
  end)
  return math.max(1, soonest)
end

local function extend(line, id, lease, now)
  redis.call('ZADD', line.g, 'XX', now + lease, id)
  -- It lives as long as what is known of its members, so that the script that purges it finds both.
  keepKey(line, line.g, KEPT_FOR + lease)
  keep(line, lease)
end

-- For how many milliseconds a claim still holds; 0 if it does not.
local function left(line, id, now)
  if line.alone == id then return redis.call('PTTL', line.k) end
  local ends = redis.call('ZSCORE', line.g, id)
  return ends and math.max(0, ends - now) or 0
end

-- Renews a claim that holds. Returns the outcome: EXPIRED, TAKEN, FORCED, ELSEWHERE, KEPT, or WANTED if other keepers wait for it.
-- With a lease of 0, of a fixed one, nothing is extended: LEFT or LEFTWANTED, and how long it lasts.
local function renew(line, id, lease, keeper, now)
  if line.alone == id then
    if lease > 0 then
      redis.call('PEXPIRE', line.k, lease)
      keep(line, lease)
    end
  elseif redis.call('ZSCORE', line.g, id) and redis.call('HGET', line.s, 'g:' .. id) then
    if lease > 0 then extend(line, id, lease, now) end
  else
    local ended = redis.call('HMGET', line.s, 'forced', 'elsewhere')
    if ended[1] and string.find(' ' .. ended[1] .. ' ', ' ' .. id .. ' ', 1, true) then return 'FORCED' end
    if ended[2] and string.find(ended[2] .. ' ', ' ' .. id .. ' ', 1, true) then return 'ELSEWHERE' end
    return (line.alone or line.sharers > 0) and 'TAKEN' or 'EXPIRED'
  end
  local wanted = walk(line, 0, line.waiting - 1, function(_, place, heard)
    if place and now - heard < LIVE and placeOf(place) ~= keeper then return 'WANTED' end
  end)
  if lease > 0 then return wanted or 'KEPT' end
  return 'LEFT' .. (wanted or '') .. ' ' .. whole(math.max(0, left(line, id, now)))
end

local function clock()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
