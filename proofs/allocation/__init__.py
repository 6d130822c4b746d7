"""Guarantees about one group and one topic."""
