"""Claims about subscriptions: what members of one group do to each other's at the broker."""
