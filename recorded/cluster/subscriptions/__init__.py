"""Subscriptions: what a broker's table of a group has of a topic, and the pulls that it refuses for it."""
