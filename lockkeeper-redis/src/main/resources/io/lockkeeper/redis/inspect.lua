-- Reads who holds a resource, for how long, and how many claims wait. Writes nothing, signals nobody.
--
-- KEYS k s g q l
-- Answers {newer format or '', waiting, size, {remaining ms, kind, text …}, time}; the text of a lone holder (e) is
-- "claim token count keeper holder", of others (s) "token count mode permits keeper holder", and of a client that is not a
-- keeper (f) whatever it wrote

--include times
--include line

local line = open(KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], true)
if line.newer then return {line.newer} end
local now = clock()
local grants, waiting = {}, 0
if line.alone then
  local last = redis.call('HGET', KEYS[2], 'alone') or ''
  local ours = string.sub(last, 1, #line.alone + 1) == line.alone .. ' '
  grants = {redis.call('PTTL', KEYS[1]), ours and 'e' or 'f', ours and last or line.alone}
end
local others = redis.call('ZRANGEBYSCORE', KEYS[3], '(' .. now, '+inf', 'WITHSCORES')
for i = 1, #others, 2 do
  local text = redis.call('HGET', KEYS[2], 'g:' .. others[i])
  grants[#grants + 1] = others[i + 1] - now
  grants[#grants + 1] = 's'
  grants[#grants + 1] = text or ''
end
if line.waiting > 0 then waiting = redis.call('ZCOUNT', KEYS[5], '(' .. (now - LIVE), '+inf') end
return {'', waiting, line.size, grants, now}
