"""Ordered consumption: every action of one consumer, from every state in ticks."""
