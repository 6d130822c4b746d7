"""The docs' pages about the ledger, generated from the claims."""
