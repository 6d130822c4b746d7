"""Guarantee: the exact number of queues that change hands under AVG.

The proof is by induction over the consumers.
"""

from types import SimpleNamespace

from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import SymbolicGroup
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.movement.lemmas import joined, symbolic, totals
from rebalance_proofs.proofs.movement.lemmas.blocks import BLOCKS, last_part
from rebalance_proofs.proofs.movement.lemmas.totals import (
    changed_hands_twice,
    last_parts_twice,
    shares,
    shares_of,
    starts,
)
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, sizes


def _base(e: Encoding, v: SimpleNamespace) -> Statement:
    s, none = shares(v.q, v.c), smt.IntVal(0)
    return Statement(sizes(v), smt.And(last_parts_twice(s, none) == 0, starts(s, none) == 0, starts(s, v.c) == v.q))


def _step(e: Encoding, v: SimpleNamespace) -> Statement:
    s = shares(v.q, v.c)
    return Statement(
        sizes(v) | consumer(v, "i"),
        smt.And(
            last_parts_twice(s, v.i + 1) - last_parts_twice(s, v.i) == 2 * last_part(e, v.q, v.c, v.i),
            starts(s, v.i + 1) - starts(s, v.i) == e.count(v.q, v.c, v.i),
        ),
    )


def violated(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that the number of moved queues differs from the closed form."""
    c = len(group.members) - 1
    found, s = 2 * symbolic.changed_hands(group), shares_of(group.queues, c)
    return symbolic.when_joining(group, lambda newcomer: found != changed_hands_twice(s, smt.IntVal(newcomer)))


def violation(group: Group, results: Results) -> str | None:
    """Describe the number of queues that change hands, if it is not the expected one."""
    found, c = joined.changed_hands(group, results), len(group.compared_with.consumers)
    expected = totals.changed_hands(len(group.queues), c, joined.joiner(group)) if c else 0
    return None if found == expected else f"{found} queues change hands, not {expected}."


COUNTED = (
    *BLOCKS,
    Obligation("moved.base", "The closed forms are 0 for no blocks, and q for all blocks.", ("q", "c"), _base),
    Obligation(
        "moved.step",
        "For block i, the closed forms grow by the block's queues after the cut, and by its length.",
        ("q", "c", "i"),
        _step,
    ),
)
"""Obligations that the closed forms count queues in the first i blocks, by induction.

One counts all queues of the blocks, the other those after the blocks' cuts. In blocks before the joiner's index, the
queues after the cut change hands. In the other blocks, the queues before the cut do: the whole block minus the queues
after its cut.
"""

MOVED = Guarantee(
    name="moved",
    sentence="A join at place j of c others moves exactly as many queues as the block edges shift by",
    where=(
        "shifts: S(c, i) - S(c + 1, i) for i = 1 .. j",
        "further shifts: S(c + 1, i) - S(c, i - 1) for i = j + 1 .. c",
        "S(c, i) = i(q div c) + min(i, q mod c)",
    ),
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    obligations=agreed(*COUNTED),
    violated=violated,
    violation=violation,
)
