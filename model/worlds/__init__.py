"""Worlds: sets of consumer groups, e.g. after a join, or with strategies that depend on hash values or rooms."""
