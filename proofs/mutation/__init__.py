"""Mutation tests of obligations: an obligation must fail for some wrong encoding.

A wrong encoding (mutant) has a wrong part, or unknown functions as all parts.
"""
