"""Vacuity check: whether the assumptions of a proof allow values beyond any bound."""
