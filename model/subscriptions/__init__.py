"""A group's subscriptions at a broker, and one of the group's members: heartbeats, and pulls that pass or are
refused."""
