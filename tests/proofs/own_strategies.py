"""Strategies with properties that a user's own strategy can have, and none of the project's has."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from rebalance_proofs.model.allocation import STRATEGIES
from rebalance_proofs.model.terms import smt

CIRCLE = STRATEGIES[1]


def never_ends(*arguments):
    """Catches every exception that it can, and never ends."""
    while True:
        with suppress(Exception):
            len(arguments)


def step(q: smt.IntTerm, c: smt.IntTerm) -> smt.IntTerm:
    """Distance between two positions of a consumer."""
    return smt.If(q >= c, c, c - q)


CHOSEN = replace(
    CIRCLE,
    name="chosen",
    allocate=lambda cid, queues, ids: [
        queue
        for place, queue in enumerate(queues)
        if place % (len(ids) if len(queues) >= len(ids) else len(ids) - len(queues)) == ids.index(cid)
    ],
    encoding=replace(
        CIRCLE.encoding,
        owns=lambda q, c, index, p: smt.And(0 <= p, p < q, p % step(q, c) == index),
        owner=lambda q, c, p: p % step(q, c),
        count=lambda q, c, index: smt.If(index < step(q, c), (q - index + step(q, c) - 1) / step(q, c), 0),
    ),
    mutants=(),
)
"""Divides by a choice between unknowns, which has a name of its own in the texts."""


def mirrored(part: Callable) -> Callable:
    """The same part for the consumer that is as far from the last one."""
    return lambda q, c, index, *others: part(q, c, c - 1 - index, *others)


LAST_FIRST = replace(
    CIRCLE,
    name="last-first",
    allocate=lambda cid, queues, ids: CIRCLE.allocate(cid, queues, ids[::-1]),
    encoding=replace(
        CIRCLE.encoding,
        **{part: mirrored(getattr(CIRCLE.encoding, part)) for part in ("owns", "count", "element", "rank")},
        owner=lambda q, c, p: c - 1 - p % c,
    ),
    mutants=(),
)
"""Deals from the last consumer on, which so gets the remainder."""
