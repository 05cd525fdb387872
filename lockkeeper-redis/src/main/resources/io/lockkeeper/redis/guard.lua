-- Admits a holder, and from then on no earlier one: the resource's side of the fencing token.
--
-- Invariant: the pair of token and hold. A token is accepted if it is greater than the last, or equal with the same hold; "not smaller" alone would
-- let two holders through if a store ever repeated a token. With a value, check and write are one step.
--
-- KEYS guard, and the key to write if there is one
-- ARGV token, hold; and the value to write
-- Answers 0 if admitted, else the token that was seen

local seen = redis.call('HMGET', KEYS[1], 'token', 'hold')
if #KEYS == 2 and redis.call('TYPE', KEYS[2]).ok ~= 'string' and redis.call('EXISTS', KEYS[2]) == 1 then
  return redis.error_reply('WRONGTYPE ' .. KEYS[2] .. ' holds no string')
end
local last, token = tonumber(seen[1] or 0), tonumber(ARGV[1])
if token < last or (token == last and ARGV[2] ~= seen[2]) then return seen[1] end
redis.call('HSET', KEYS[1], 'token', ARGV[1], 'hold', ARGV[2])
if #KEYS == 2 then redis.call('SET', KEYS[2], ARGV[3]) end
return 0
