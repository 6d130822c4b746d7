"""Check ordered consumption: the broker's queue lock, the client's view of it, the listener."""
