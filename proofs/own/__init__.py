"""Proofs about user-defined Python code for all numbers of queues and consumers, by symbolic execution."""
