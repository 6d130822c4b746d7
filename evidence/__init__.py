"""Checks that a run makes of itself: self-tests of comparisons, required amounts of work."""
