"""A group's subscriptions at a broker, and one member's heartbeats and pulls."""
