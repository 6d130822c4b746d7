"""Index of the ledger: what answers need of each claim, written down, so that none waits until all claims are made."""
