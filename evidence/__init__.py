"""Checks of the run itself: self-tests of its comparison code, and required amounts of work."""
