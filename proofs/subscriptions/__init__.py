"""Claims about subscriptions: how members of one group affect each other's subscriptions at the broker."""
