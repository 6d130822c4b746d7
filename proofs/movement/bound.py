"""Guarantee: an upper bound on the queues that change hands under AVG, about half of all.

It is reached if the joiner sorts first or last.
"""

from types import SimpleNamespace

from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.finite import greatest
from rebalance_proofs.model.worlds.groups import SymbolicGroup
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.movement.lemmas import joined, symbolic
from rebalance_proofs.proofs.movement.lemmas.blocks import first_part, last_part
from rebalance_proofs.proofs.movement.lemmas.totals import (
    at_ends,
    by_place_twice,
    changed_hands_twice,
    lean,
    most,
    shares,
    shares_of,
)
from rebalance_proofs.proofs.movement.moved import COUNTED
from rebalance_proofs.proofs.movement.shift import NEARER
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, sizes


def _difference(e: Encoding, v: SimpleNamespace) -> Statement:
    s, here = shares(v.q, v.c), (v.q, v.c, v.i)
    return Statement(
        sizes(v) | consumer(v, "i"),
        by_place_twice(s, v.i + 1) - by_place_twice(s, v.i) == 2 * last_part(e, *here) - 2 * first_part(e, *here),
    )


def _ends(e: Encoding, v: SimpleNamespace) -> Statement:
    s = shares(v.q, v.c)
    first, last = changed_hands_twice(s, smt.IntVal(0)), changed_hands_twice(s, v.c)
    return Statement(sizes(v), smt.And(first == v.q - lean(s), last == v.q + lean(s)))


def violated(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that more queues change hands than the bound allows.

    For a joiner that sorts first or last, also the condition that another number than the bound's changes hands.
    """
    c = len(group.members) - 1
    found, leaning = 2 * symbolic.changed_hands(group), lean(shares_of(group.queues, c))
    first, last = group.queues - leaning, group.queues + leaning
    exact = {0: first, c: last}

    def wrong(newcomer: int) -> smt.BoolTerm:
        return found != exact[newcomer] if newcomer in exact else found > greatest([first, last])

    return symbolic.when_joining(group, wrong)


def violation(group: Group, results: Results) -> str | None:
    """Describe the number of queues that change hands, if it breaks the bound.

    None if it does not.
    """
    q, c = len(group.queues), len(group.compared_with.consumers)
    if not c:
        return None
    found, newcomer = joined.changed_hands(group, results), joined.joiner(group)
    exact = dict(zip((0, c), at_ends(q, c), strict=True))
    if found != exact.get(newcomer, found):
        return f"{found} queues change hands, not {exact[newcomer]}."
    return f"{found} queues change hands, more than {most(q, c)}." if found > most(q, c) else None


BOUND = Guarantee(
    name="bound",
    sentence="A join to c others moves at most B queues, and exactly B from at least one end of the order",
    where=("B = (q + |m(c - m) - k(c + 1 - k)|) / 2", "m = q mod c", "k = q mod (c + 1)"),
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    obligations=agreed(
        *COUNTED,
        NEARER,
        Obligation(
            "difference",
            "From joiner index i to i + 1, the number grows by block i's queues after its cut, minus those before.",
            ("q", "c", "i"),
            _difference,
        ),
        Obligation(
            "ends",
            "For the first and the last index, the closed form equals one of the bound's two cases.",
            ("q", "c"),
            _ends,
        ),
    ),
    violated=violated,
    violation=violation,
)
"""The guarantee of an upper bound on moved queues.

By ``nearer`` the differences never decrease, so that the maximum is at an end.
"""
