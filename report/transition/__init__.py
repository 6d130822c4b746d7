"""How claims about transitions are shown, and the cases that are counterexamples to them."""
