"""Offsets of one queue and one message in it: consumers of all kinds, and the broker."""
