"""Offsets: every action of one consumer, from every state with three offsets."""
