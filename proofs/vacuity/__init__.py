"""Vacuity check of proofs: which values the premises allow, beyond any bound that a search could have."""
