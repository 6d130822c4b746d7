"""Names of the check of an explored group and of its numbers, as in the JSON output."""

EXPLORED = "explored"
"""Kind of check: a small group's states against pinned results, and bad states against claims."""
TRANSITIONS, LEVELS, SETTLED = "transitions", "levels", "settled"
"""Numbers in the finding about a group: transitions, levels, rounds or ticks until it settles.

The number of levels is the greatest distance from the initial state plus one. The last number is missing if it was not
requested, or if the group does not settle.
"""
