"""Checks of ordered consumption by enumeration: every action of one consumer, in every state in ticks."""
