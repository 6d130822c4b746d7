"""Check listener calls and in-memory offsets of recorded consumers.

Each listener call must get messages that the consumer has pulled for the queue. Each offset stored in memory must
follow messages whose listener has returned.
"""
