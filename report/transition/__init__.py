"""How claims about transitions and their counterexample cases are shown."""
