"""Generated index of the ledger, the list of all claims.

It has the facts about each claim that commands print, so that commands need not build the claims, which is slow.
"""
