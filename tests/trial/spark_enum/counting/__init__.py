"""Enumeration of the counter and its worker."""
