-- Makes a grant last longer.
--
-- Invariant: a lease never gets shorter by this. Otherwise a late request would take away what a later one gave, and the
-- holder, which has the answer of the later one, would not know.
--
-- KEYS k s g q l
-- ARGV claim, lease, keeper
-- Answers as renew does

--include times
--include line

local id, lease = ARGV[1], tonumber(ARGV[2])
local line = open(KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5])
local now = clock()
purge(line, now)
return renew(line, id, math.max(lease, left(line, id, now)), ARGV[3], now)
