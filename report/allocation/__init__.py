"""How claims about strategies are shown, and the groups that are counterexamples to them."""
