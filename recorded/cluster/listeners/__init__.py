"""Check listeners and in-memory offsets.

Each call's messages were pulled for the entry, and each stored offset follows messages whose listener has returned.
"""
