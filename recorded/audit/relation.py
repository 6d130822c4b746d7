"""What a rebalance does to one queue of a client's table, by the model's clients, as far as lines of a log show it."""

from functools import cache

from rebalance_proofs.model.client.effects import IN, LOCK, OUT
from rebalance_proofs.model.client.environment import DENIED
from rebalance_proofs.model.transition.generations import GENERATIONS
from rebalance_proofs.recorded.cluster.rounds import possible

__all__ = ["ADDED", "NOT_ADDED", "REMOVED", "STEPS", "After", "relation"]

ADDED, REMOVED, NOT_ADDED = "+", "-", "!"
"""Lines of one queue in a rebalance: it came into the table, left it, or did not come though it is in the result."""
STEPS = {(False, ADDED): True, (True, REMOVED): False, (False, NOT_ADDED): False}
"""(whether it was in the table, line) -> whether it is afterwards; no other line is logged."""
After = frozenset[tuple[str, bool]]
"""(lines of the queue in one rebalance, whether it is in the table afterwards)."""
ANY_TOPIC = "T"


@cache
def relation(ordered: bool, had: bool, mine: bool) -> After:
    """Every run of the client's code on one queue, of any release, over all answers and states of its entry.

    ``had``: whether it was in the table; ``mine``: whether it is in the result.
    """
    return frozenset(
        _lines(had, mine, effects)
        for one in GENERATIONS
        for where in ("FIRST", "LAST")
        for effects in possible(one.releases[0], ordered, where, had, mine, ANY_TOPIC)
    )


def _lines(had: bool, mine: bool, effects: tuple[tuple[str, object], ...]) -> tuple[str, bool]:
    lines, there = "", had
    for name, detail in effects:
        if name == IN:
            lines, there = lines + ADDED, True
        elif name == OUT:
            lines, there = lines + REMOVED, False
        elif name == LOCK and detail == DENIED:
            lines += NOT_ADDED
    if mine and not there and not lines.endswith(NOT_ADDED):
        lines += NOT_ADDED  # no start offset was found, or the request for the lock failed
    return lines, there
