-- Times in milliseconds: a claim that waits is taken for alive so long after its keeper was last heard of; so old must that
-- be before it is written down again; a time so far ahead is one that the clock had before it was set back; what is known of a resource is kept for DAY, which is a day and two hours: see attempt.
local LIVE, RESTAMP, AHEAD, HOUR, DAY = 3000, 500, 1000, 3600000, 93600000
