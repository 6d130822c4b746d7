"""Models: numbers that make formulas true, stored or just found.

Every run evaluates them again.
"""
