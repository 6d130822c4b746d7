"""Check subscriptions: a topic in a broker's group table, and the pulls that are refused because of it."""
