"""Offsets: each consumer's queues, entries and chosen messages, what is committed, and the monitors of all messages."""
