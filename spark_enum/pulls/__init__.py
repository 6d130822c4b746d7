"""Enumeration of pull requests: every action, from every state with at most one request of a kind."""
