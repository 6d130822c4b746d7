"""Building blocks of the guarantees about a join: indexes, blocks and counts of queues, before and after the join."""
