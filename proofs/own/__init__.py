"""Proofs about a user's own Python code for all numbers of queues and consumers, by symbolic execution of the code."""
