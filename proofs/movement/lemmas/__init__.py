"""Building blocks of proofs about a join: indexes, blocks and counts of queues."""
