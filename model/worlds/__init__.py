"""Worlds: sets of consumer groups.

Examples are groups after a join, and strategies that depend on hash values or rooms.
"""
