"""Building blocks of the guarantees about a join: places, blocks and counts of queues, before and after it."""
