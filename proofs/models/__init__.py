"""Models: numbers that make formulas true, recorded or just found.

They answer queries without a solver. Every run evaluates them again.
"""
