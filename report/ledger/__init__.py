"""Generate the docs' pages about the ledger, the list of all claims."""
