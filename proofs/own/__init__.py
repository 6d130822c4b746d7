"""Proofs about user-defined Python code for all sizes, by symbolic execution."""
