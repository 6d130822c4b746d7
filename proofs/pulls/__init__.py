"""Claims about pull requests: how many circulate for an entry, and which entry a repaired offset affects."""
