"""The groups on which a user's own strategy is tried, and the results."""
