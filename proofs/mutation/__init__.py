"""Mutation tests of obligations: whether an obligation fails for wrong parts, or for unknown functions as all parts."""
