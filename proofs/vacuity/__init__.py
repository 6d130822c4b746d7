"""Vacuity check: whether the assumptions of a proof allow values beyond any bound that a search could have."""
