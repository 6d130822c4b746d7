"""Check ordered consumption: the broker's queue lock, the consumer's view of the lock, and the listener."""
