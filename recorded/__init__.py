"""Conformance, the third witness: the model is compared with recorded results of the real clients."""
