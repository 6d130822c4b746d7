"""What is gone through of whole groups."""

__all__ = ["EXPLORED", "LEVELS", "SETTLED", "TRANSITIONS"]

EXPLORED = "explored"
"""All states of a small group, with what is recorded of it; what is found on the way, with what is proved of any."""
TRANSITIONS, LEVELS, SETTLED = "transitions", "levels", "settled"
"""Numbers of such a finding: how often something can happen; how many moves away the farthest states are, and one; the
rounds or ticks within which all is right after the last change, where that was asked and is so."""
