"""Recorded groups over time: events of real clients and brokers, and their reader."""
