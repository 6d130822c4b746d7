"""What the guarantees about a join are made of: places, blocks and counts of queues, before and after it."""
