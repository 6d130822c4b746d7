"""Self-tests of comparing enumerated results with compiled terms.

The terms have one mistake.
"""

from dataclasses import replace
from functools import partial

from rebalance_proofs.evidence.self_tests.compared import said_of
from rebalance_proofs.evidence.self_tests.trial import Trial
from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.spark_enum.allocation.group_check import GroupCheck
from rebalance_proofs.spark_enum.allocation.space import Space
from rebalance_proofs.spark_enum.allocation.sweep import sweep

SIZE = (3, 4)
"""The largest (consumers, queues) of groups that are compared."""
RIGHT: Encoding = AVERAGELY.encoding


def _owns_beyond(q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm, position: smt.IntTerm) -> smt.BoolTerm:
    """Return a wrong ``owns``: the first consumer also owns the position after the last one."""
    return smt.Or(RIGHT.owns(q, c, index, position), smt.And(index == 0, position == q))


def _not_owned(q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm, position: smt.IntTerm) -> smt.BoolTerm:
    """Return a wrong ``owns``: no consumer owns the last of four positions."""
    return smt.And(RIGHT.owns(q, c, index, position), position != 3)


def _counts_one_more(q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm) -> smt.IntTerm:
    """Return a wrong ``count``: one too many for the last of three consumers."""
    return RIGHT.count(q, c, index) + smt.If(index == 2, 1, 0)


def _first_twice(q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm, k: smt.IntTerm) -> smt.IntTerm:
    """Return a wrong ``element``: the second of a consumer's queues is the first one again."""
    return RIGHT.element(q, c, index, smt.If(k == 1, 0, k))


WRONG: dict[str, Encoding] = {
    "the owner of a queue is wrong": replace(RIGHT, owns=_not_owned),
    "a position after the last queue has an owner": replace(RIGHT, owns=_owns_beyond),
    "the queue count of a consumer is wrong": replace(RIGHT, count=_counts_one_more),
    "the order of queues in a result is wrong": replace(RIGHT, element=_first_twice),
}
"""Name of a fault -> an encoding with that fault in one part."""


def trials() -> list[Trial]:
    """Return a self-test for each compared part of a strategy's encoding."""

    def said(encoding: Encoding) -> tuple[str, ...]:
        check = GroupCheck(AGREED, (replace(AVERAGELY, encoding=encoding),), ())
        return said_of(sweep(Space(AGREED, *SIZE), check))

    return [Trial(f"positions: {name}", partial(said, RIGHT), partial(said, wrong)) for name, wrong in WRONG.items()]
