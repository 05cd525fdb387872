-- The times of the scripts, in milliseconds. The first four repeat io.lockkeeper.spi.WaiterTimes, the next two RetentionTimes: change
-- them there too (ScriptTimesTest compares). Tombstones last as the keeper says with each release, by RetentionTimes. No other script
-- has a time of its own.
-- POLL        a waiting claim is repeated after this time at the latest
-- LIVE        a waiting claim counts as alive for this long after it was last heard of
-- FORGOTTEN   the place of a claim that was not heard of for this long is deleted
-- AHEAD       a time stamp further ahead than this was written before the clock was set back
-- OPEN_KEPT   an open latch is kept for this long
-- SIZE_KEPT   the size of a semaphore is kept for at least this long
-- RESTAMP     a time stamp younger than this is not written again
-- HOUR, KEPT_FOR  what is known of a resource is kept for KEPT_FOR, a day and two hours, and that is renewed once in an HOUR: see attempt
local POLL, LIVE, FORGOTTEN, AHEAD, OPEN_KEPT, SIZE_KEPT = 1000, 3000, 60000, 1000, 60000, 86400000
-- SET_KEPT    the size of a semaphore that was set is kept for this long after the last use: a hundred years
local RESTAMP, HOUR, KEPT_FOR, SET_KEPT = 500, 3600000, 93600000, 3155760000000
