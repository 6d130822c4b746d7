"""Monitors: evidence from recorded groups for claims, from events alone, independent of the machines' checks."""
