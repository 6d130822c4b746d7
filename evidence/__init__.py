"""Checks that a run makes of itself: self-tests of comparisons, and required amounts of work."""
