"""The groups on which a user-defined strategy is tried, and the results."""
