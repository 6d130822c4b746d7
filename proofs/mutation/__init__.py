"""Mutation tests of obligations: whether an obligation fails for wrong encodings.

Wrong encodings have wrong parts, or unknown functions as all parts.
"""
