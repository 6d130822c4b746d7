"""Obligations and claims about CONSISTENT_HASH, by induction over the virtual nodes."""
