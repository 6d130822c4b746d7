"""How claims about strategies and their counterexample groups are shown."""
