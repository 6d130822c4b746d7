"""docs/reference/guarantees.md: what each client guarantees, with each cell taken from the verdicts of its claims."""
