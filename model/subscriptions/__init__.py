"""What a broker has of a group's subscriptions, and one of its members: heartbeats, and pulls that are let through."""
