"""Names of what is compared about explored groups."""

__all__ = ["EXPLORED", "LEVELS", "SETTLED", "TRANSITIONS"]

EXPLORED = "explored"
"""All states of a small group with the recorded results; target predicates that hold with proved claims."""
TRANSITIONS, LEVELS, SETTLED = "transitions", "levels", "settled"
"""Numbers of such a finding: edges, levels, and the rounds or ticks in which the group settles.

The levels are the greatest distance plus one. The last number is there only if it was asked for and the group settles.
"""
