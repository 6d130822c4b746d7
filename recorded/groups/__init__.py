"""Recordings of real consumer groups: events of clients and brokers, and their parser."""
