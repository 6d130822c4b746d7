"""Listeners and offsets in memory: each call's messages were pulled for the entry, and each offset noted is behind
messages from which the listener has returned."""
