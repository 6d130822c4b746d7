"""A user's own allocation strategy: calling it, and containing what it does."""
