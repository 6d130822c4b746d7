"""Guarantees about a consumer that joins or, in reverse, leaves."""
