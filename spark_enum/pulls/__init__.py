"""Enumeration of pull requests: every action of one consumer, from every state with at most one request of each
kind."""
