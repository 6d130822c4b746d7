"""Vacuity check: whether the assumptions of an obligation allow enough cases.

Numbers must be able to exceed any bound, for example.
"""
