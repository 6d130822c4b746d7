"""Worlds: sets of consumer groups that claims cover, as concrete groups and as SMT terms.

Examples are all groups after a join, and all groups of a strategy that depends on hash values or machine rooms.
"""
