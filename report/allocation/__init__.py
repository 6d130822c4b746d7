"""How reports show claims about allocation strategies, and their counterexample groups."""
