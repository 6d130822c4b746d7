"""Benchmarks: costs are measured and written down with the machine, never asserted by a test."""
