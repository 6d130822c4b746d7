"""Generated index of the ledger: the facts about each claim that commands print, without building the claims."""
