"""How the check of a user's own strategy is reported."""
