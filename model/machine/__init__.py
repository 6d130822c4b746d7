"""State machines of client and broker code, each declared once.

Proofs, explorations of the state space, runs and reports are derived from the declaration.
"""
