"""Guarantees about several topics."""
