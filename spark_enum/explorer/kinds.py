"""Names of what is compared about explored groups."""

__all__ = ["EXPLORED", "LEVELS", "SETTLED", "TRANSITIONS"]

EXPLORED = "explored"
"""All states of a small group with the recorded results; target predicates that hold with proved claims."""
TRANSITIONS, LEVELS, SETTLED = "transitions", "levels", "settled"
"""Numbers of such a finding: edges; levels, that is the greatest distance plus one; and the rounds or ticks after the
last change within which all is right, if that was asked and is so."""
