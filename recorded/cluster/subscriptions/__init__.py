"""Check subscriptions: the topics of a group at a broker, and pulls that are refused because of them."""
