"""Check of a user-defined strategy: the groups on which it is tried, and the results."""
