return redis.call('incrby', KEYS[1], ARGV[1])
