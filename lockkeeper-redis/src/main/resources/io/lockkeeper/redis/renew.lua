-- Renews grants, each by itself: one that can not be renewed, or whose key is of another type, does not harm the others.
--
-- KEYS k s g q l of each
-- ARGV keeper, prefix of channels, whether PUBLISH counts all listeners; then claim and lease of each
-- Answers for each EXPIRED, TAKEN, FORCED, KEPT, WANTED (kept, and other keepers wait), or an error's text

--include line

local now = clock()
local answers = {}

local function one(i)
  local k = 5 * (i - 1)
  local line = open(KEYS[k + 1], KEYS[k + 2], KEYS[k + 3], KEYS[k + 4], KEYS[k + 5])
  purge(line, now)
  local answer = renew(line, ARGV[2 * i + 2], tonumber(ARGV[2 * i + 3]), ARGV[1], now)
  wake(line, false, ARGV[2], ARGV[3] == '1', now)
  return answer
end

for i = 1, #KEYS / 5 do
  local fine, answer = pcall(one, i)
  if not fine then
    answer = type(answer) == 'table' and answer.err or tostring(answer)
    -- Not one grant's trouble: this server is no primary any more, and whoever follows it must hear that.
    if string.find(answer, 'READONLY', 1, true) then return redis.error_reply(answer) end
  end
  answers[i] = answer
end
return answers
