"""Enumeration of ordered consumption: every action of one consumer, in every state in ticks."""
