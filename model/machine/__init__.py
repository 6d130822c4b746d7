"""State machines, each declared once.

Proofs, explorations, runs and reports are derived from the declaration.
"""
