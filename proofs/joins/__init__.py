"""Guarantees about several joins, and about a consumer that leaves and returns."""
