"""Claims about subscriptions: how members of a group affect each other at the broker."""
