"""Claims about pull requests: how many circulate for an entry, and what the repair of an illegal offset meets."""
