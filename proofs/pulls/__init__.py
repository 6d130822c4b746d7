"""Claims about pull requests: how many circulate for an entry, and which entry the repair of an illegal offset
affects."""
