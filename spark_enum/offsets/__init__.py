"""Checks of offsets by enumeration: every action of one consumer, in every state with three offsets."""
