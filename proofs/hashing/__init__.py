"""Obligations and claims about CONSISTENT_HASH, proved by induction over the virtual nodes on the ring."""
