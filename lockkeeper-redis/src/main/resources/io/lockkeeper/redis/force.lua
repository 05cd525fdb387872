-- Ends all grants of a resource; signals their keepers and the next claim.
--
-- KEYS k s g q l
-- ARGV prefix of channels, whether PUBLISH counts all listeners
-- Answers how many grants it ended

--include times
--include line

local line = open(KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5])
local now = clock()
purge(line, now)
local ended, keepers = {}, {}
if line.alone then
  local keeper = string.match(redis.call('HGET', KEYS[2], 'alone') or '', '^%S+ %d+ %d+ (%S+) ')
  redis.call('DEL', KEYS[1])
  ended[1], keepers[keeper or ''] = line.alone, true
  line.alone = false
end
for _, id in ipairs(redis.call('ZRANGE', KEYS[3], 0, -1)) do
  keepers[drop(line, id)] = true
  ended[#ended + 1] = id
end
if #ended > 0 then
  -- So that the holders learn why. Of very many, only some are kept.
  redis.call('HSET', KEYS[2], 'format', '1', 'forced', table.concat(ended, ' ', math.max(1, #ended - 99)))
  keep(line, 0)
end
for keeper in pairs(keepers) do
  if keeper ~= '' then redis.call('PUBLISH', ARGV[1] .. keeper, KEYS[1]) end
end
wake(line, false, ARGV[1], ARGV[2] == '1', now)
return #ended
