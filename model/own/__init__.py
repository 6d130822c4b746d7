"""A user's own allocation strategy: calls of it in a child process, which contain whatever it does."""
