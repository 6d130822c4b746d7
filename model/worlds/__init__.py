"""Worlds: sets of groups, e.g. after a join, or of strategies with more inputs than two lists (hash values, rooms)."""
