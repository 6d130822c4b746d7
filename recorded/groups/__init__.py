"""Recordings of real consumer groups over time: events of clients and brokers, and their parser."""
