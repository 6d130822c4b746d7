"""The ledger's pages of the docs, generated from the claims."""
