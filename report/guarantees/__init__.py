"""Generate docs/reference/guarantees.md: what each client guarantees, from the claims' verdicts."""
