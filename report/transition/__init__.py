"""Reports of claims about transitions and of their counterexamples."""
