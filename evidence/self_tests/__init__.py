"""Self-tests: each comparison of a run gets wrong input, and must report it.

A command loads only those of the comparisons that it uses.
"""
