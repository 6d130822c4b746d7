"""Mutation tests of obligations: does one fail for wrong parts, or for unknown functions in place of all parts?"""
