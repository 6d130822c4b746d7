"""Recorded groups held against the declared machines: whether each trace is what the model allows."""
