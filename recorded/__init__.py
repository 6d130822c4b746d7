"""Recorded results of real clients, and their comparison with the model."""
