"""Claims, their proof obligations, and the engine that has solvers judge them."""
