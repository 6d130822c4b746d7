"""Enumeration of subscriptions: every step of members' heartbeats and pulls, and of the broker."""
