"""Check subscriptions: the topics of a group at a broker, and pulls refused because of them."""
