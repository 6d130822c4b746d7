"""State machines, each declared once; its proofs, explorations, runs and reports are all derived from the
declaration."""
