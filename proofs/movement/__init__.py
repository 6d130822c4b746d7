"""Guarantees about a consumer that joins or, read backwards, leaves."""
