"""Recorded groups over time: what real clients and brokers did, event by event, and how that is read."""
