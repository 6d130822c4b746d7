"""Monitors: what recorded groups show of claims, kind by kind, by the events alone, apart from the machines' checks."""
