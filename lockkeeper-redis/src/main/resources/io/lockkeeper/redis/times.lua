-- Times in milliseconds: a claim that waits is taken for alive so long after its keeper was last heard of; so old must that
-- be before it is written down again; what is known of a resource is kept for DAY, which is a day and two hours: see attempt.
local LIVE, RESTAMP, HOUR, DAY = 3000, 500, 3600000, 93600000
