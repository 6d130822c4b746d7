"""The groups that there can be: after a join, or of strategies that go by more than two lists (hash values, rooms)."""
