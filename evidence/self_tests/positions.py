"""The comparison of concrete results with compiled terms, given terms that are wrong in one thing."""

from dataclasses import replace
from functools import partial

import z3

from rebalance_proofs.evidence.self_tests.compared import said_of
from rebalance_proofs.evidence.self_tests.trial import Trial
from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.worlds.agreed import AGREED
from rebalance_proofs.spark_enum.allocation.group_check import GroupCheck
from rebalance_proofs.spark_enum.allocation.space import Space
from rebalance_proofs.spark_enum.allocation.sweep import sweep

SIZE = (3, 4)
"""(consumers, queues) up to which groups are compared."""


def _owns_beyond(q, c, index, position):
    """The first consumer owns the position behind the last one too."""
    right = AVERAGELY.encoding.owns(q, c, index, position)
    return z3.Or(right, z3.And(index == 0, position == q))


def _not_owned(q, c, index, position):
    """Nobody owns the last of four positions."""
    return z3.And(AVERAGELY.encoding.owns(q, c, index, position), position != 3)


def _counts_one_more(q, c, index):
    """The last of three consumers has one more than it has."""
    return AVERAGELY.encoding.count(q, c, index) + z3.If(index == 2, 1, 0)


def _first_twice(q, c, index, k):
    """The second of a consumer's queues is its first one again."""
    return AVERAGELY.encoding.element(q, c, index, z3.If(k == 1, 0, k))


WRONG: dict[str, dict] = {
    "who owns a queue": {"owns": _not_owned},
    "who owns what stands behind the last queue": {"owns": _owns_beyond},
    "how many queues a consumer has": {"count": _counts_one_more},
    "which queue stands where in a result": {"element": _first_twice},
}
"""What is wrong, and the part of the encoding that says it."""


def trials() -> list[Trial]:
    """One for each part of an encoding that is compared."""

    def said(encoding: Encoding) -> tuple[str, ...]:
        check = GroupCheck(AGREED, (replace(AVERAGELY, encoding=encoding),), ())
        return said_of(sweep(Space(AGREED, *SIZE), check))

    right = AVERAGELY.encoding
    return [
        Trial(f"positions: {name}", partial(said, right), partial(said, replace(right, **parts)))
        for name, parts in WRONG.items()
    ]
