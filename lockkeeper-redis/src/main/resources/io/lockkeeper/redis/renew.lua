-- Renews grants, each by itself: one that cannot be renewed, or whose key is of another type, does not affect the others.
--
-- KEYS k s g q l of each; or, if they are named, k of one of them
-- ARGV keeper, prefix of channels, whether PUBLISH counts all listeners, whether k of each is named here since they are
--      in several slots of one node; then claim, lease (0 if it is fixed, and so not extended) and, if named, k of each
-- Answers how many are kept without a waiting claim; then for each other one its number, and EXPIRED, TAKEN, FORCED, ELSEWHERE, WANTED
--      (kept, and other keepers wait), LEFT or LEFTWANTED (the same of a fixed one) with the milliseconds that are left, or an
--      error's text

--include times
--include line

local now = clock()
local keeper, channels, counted, named = ARGV[1], ARGV[2], ARGV[3] == '1', ARGV[4] == '1'

local function one(id, lease, k, s, g, q, l)
  lease = tonumber(lease)
  -- The common case: the claim holds alone, and no claim waits.
  if lease > 0 and redis.call('GET', k) == id and redis.call('EXISTS', q) == 0 then
    -- Whatever lives on after the first part of an hour, as long as its lease, was renewed in that part. So what is known
    -- of it is kept for a day and an hour at least, and need not be kept anew each time.
    if now % HOUR < lease then redis.call('PEXPIRE', s, KEPT_FOR + lease) end
    redis.call('PEXPIRE', k, lease)
    return 'KEPT'
  end
  local line = open(k, s, g, q, l)
  purge(line, now)
  local answer = renew(line, id, lease, keeper, now)
  wake(line, false, channels, counted, now)
  return answer
end

local kept, answers = 0, {0}
for i = 1, named and (#ARGV - 4) / 3 or #KEYS / 5 do
  local fine, answer
  if named then
    local k = ARGV[3 * i + 4]
    fine, answer = pcall(one, ARGV[3 * i + 2], ARGV[3 * i + 3], k, k .. ':s', k .. ':g', k .. ':q', k .. ':l')
  else
    local k = 5 * i - 4
    fine, answer = pcall(one, ARGV[2 * i + 3], ARGV[2 * i + 4], KEYS[k], KEYS[k + 1], KEYS[k + 2], KEYS[k + 3], KEYS[k + 4])
  end
  if not fine then
    answer = type(answer) == 'table' and answer.err or tostring(answer)
    -- Not the error of one grant: this server is no longer a primary, and the client has to learn that.
    if string.find(answer, 'READONLY', 1, true) then return redis.error_reply(answer) end
  end
  if answer == 'KEPT' then
    kept = kept + 1
  else
    answers[#answers + 1] = i
    answers[#answers + 1] = answer
  end
end
answers[1] = kept
return answers
