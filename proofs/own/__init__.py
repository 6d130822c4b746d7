"""Proofs about user-defined strategies in Python, for all sizes, by symbolic execution."""
