"""Enumeration of offsets: every action of one consumer, in every state with three offsets."""
