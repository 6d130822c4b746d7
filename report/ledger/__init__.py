"""The ledger's pages of the documentation, generated from the claims."""
