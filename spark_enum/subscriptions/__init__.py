"""Enumeration of subscriptions: every step of a member's heartbeats and pulls, of other members', and of the broker."""
