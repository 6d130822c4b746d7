"""Names of the comparisons of explored groups."""

__all__ = ["EXPLORED", "LEVELS", "SETTLED", "TRANSITIONS"]

EXPLORED = "explored"
"""Check of a small group: all states against recorded results, target predicates against claims."""
TRANSITIONS, LEVELS, SETTLED = "transitions", "levels", "settled"
"""Numbers of such a finding: edges, levels, and the rounds or ticks in which the group settles.

The number of levels is the greatest distance plus one. The last number is missing if it was not requested or the group
does not settle.
"""
