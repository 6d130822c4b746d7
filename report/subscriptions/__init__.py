"""How claims about subscriptions are shown."""
