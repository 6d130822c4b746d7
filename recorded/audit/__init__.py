"""Reconstruct a group from its logs: who owned which queue when, and where the logs contradict each other."""
