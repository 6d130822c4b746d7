"""Possible log lines of one rebalance about one queue, according to the client model."""

from functools import cache

from rebalance_proofs.model.client.effects import IN, LOCK, OUT
from rebalance_proofs.model.client.environment import DENIED
from rebalance_proofs.model.transition.generations import GENERATIONS
from rebalance_proofs.recorded.cluster.rounds import possible

ADDED, REMOVED, NOT_ADDED = "+", "-", "!"
"""Kinds of lines about a queue: added, removed, or in the rebalance's result but not added."""
STEPS = {(False, ADDED): True, (True, REMOVED): False, (False, NOT_ADDED): False}
"""(queue in the table before, kind of line) -> queue in the table after.

Other pairs are impossible.
"""
After = frozenset[tuple[str, bool]]
"""One outcome: (lines about the queue in a rebalance, whether it is in the table after it)."""
ANY_TOPIC = "T"


@cache
def relation(ordered: bool, had: bool, mine: bool) -> After:
    """Return all outcomes that one rebalance can have for one queue, as ``After``.

    They cover all releases, broker answers and states of the process queue. ``had``: whether the queue was in the
    table; ``mine``: whether it is in the rebalance's result.
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
        lines += NOT_ADDED  # The start offset was not found, or the lock request failed.
    return lines, there
