"""Reports of claims about subscriptions."""
