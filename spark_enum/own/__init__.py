"""The groups on which a user's own strategy is tried, and what is found in them."""
