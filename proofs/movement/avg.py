"""Guarantee: the exact number of queues that change hands under AVG.

The proof is by induction over the consumers.
"""

from types import SimpleNamespace

from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import greatest
from rebalance_proofs.model.worlds.groups import SymbolicGroup
from rebalance_proofs.proofs.allocation.stated import name_consumer, name_queue
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.movement import lemmas as blocks
from rebalance_proofs.proofs.movement import lemmas as joined
from rebalance_proofs.proofs.movement.lemmas import (
    BLOCKS,
    at_ends,
    by_place_twice,
    changed_hands_twice,
    first_part,
    given_away,
    joiner,
    last_part,
    last_parts_twice,
    lean,
    most,
    others,
    shares,
    shares_of,
    spread,
    starts,
    when_joining,
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
    found, s = 2 * joined.changed_hands_symbolic(group), shares_of(group.queues, c)
    return joined.when_joining(group, lambda newcomer: found != changed_hands_twice(s, smt.IntVal(newcomer)))


def violation(group: Group, results: Results) -> str | None:
    """Describe the number of queues that change hands, if it is not the expected one."""
    found, c = joined.changed_hands_observed(group, results), len(group.compared_with.consumers)
    expected = blocks.changed_hands(len(group.queues), c, joined.joiner(group)) if c else 0
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


# Guarantee: in a join under AVG, queues only move to neighbours.
# From each consumer, at most as many queues move as the joiner gets.


def _nearer(e: Encoding, v: SimpleNamespace) -> Statement:
    previous, here = (v.q, v.c, v.i - 1), (v.q, v.c, v.i)
    return Statement(
        sizes(v) | consumer(v, "i") | {"i is not the first": v.i >= 1},
        smt.And(
            last_part(e, *previous) <= last_part(e, *here),
            first_part(e, *previous) >= first_part(e, *here),
        ),
    )


def _beside(e: Encoding, v: SimpleNamespace) -> Statement:
    here = (v.q, v.c, v.i)
    return Statement(
        sizes(v) | consumer(v, "i") | spread(v),
        smt.And(
            last_part(e, *here) <= e.count(v.q, v.c + 1, v.i + 1),
            first_part(e, *here) <= e.count(v.q, v.c + 1, v.i),
        ),
    )


NEARER = Obligation(
    "nearer",
    "From each block to the next, the part after the cut never shrinks and the part before it never grows.",
    ("q", "c", "i"),
    _nearer,
)
"""Obligation that a consumer gives away more, the nearer its index is to the joiner's."""


def violated_shift(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that a queue moves beyond a neighbour, or a consumer gives too much.

    Too much means more queues than the joiner gets.
    """
    had, has = ([member.owns for member in members] for members in (group.reference, group.members))
    away = given_away(group)
    up = [smt.And(had[at], smt.Not(smt.Or(has[at], has[at + 1]))) for at in range(len(had) - 1)]
    down = [smt.And(had[at], smt.Not(smt.Or(has[at - 1], has[at]))) for at in range(1, len(had))]

    def wrong(newcomer: int) -> smt.BoolTerm:
        gets = group.members[newcomer].count
        return smt.Or(*up[:newcomer], *down[newcomer:], *(given > gets for given in away))

    return when_joining(group, wrong)


def violation_shift(group: Group, results: Results) -> str | None:
    """Describe the first queue that moves beyond a neighbour, or a consumer that gives too much."""
    newcomer = joiner(group)
    for other in others(group, results):
        who, away = name_consumer(group, other.place), other.given_away
        neighbour = other.place + 1 if other.place < newcomer else other.place - 1
        for queue in away:
            if queue not in results[neighbour]:
                return f"{name_queue(group, queue)} of {who} does not go to the neighbour on the joiner's side."
        if len(away) > len(results[newcomer]):
            gets = f"{name_consumer(group, newcomer)}, the joiner, gets {len(results[newcomer])}"
            return f"{who} gives away {len(away)} queues; {gets}."
    return None


SHIFT = Guarantee(
    name="shift",
    sentence="A join moves queues only to the next consumer on the joiner's side, and from each at most the joiner's "
    "share",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    obligations=agreed(
        *BLOCKS,
        NEARER,
        Obligation(
            "beside",
            "After the cut of block i come at most as many queues as i + 1 of c + 1 gets; before it, as i gets.",
            ("q", "c", "i"),
            _beside,
        ),
    ),
    violated=violated_shift,
    violation=violation_shift,
)


# Guarantee: an upper bound on the queues that change hands under AVG, about half of all.
# It is reached if the joiner sorts first or last.


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


def violated_bound(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that more queues change hands than the bound allows.

    For a joiner that sorts first or last, also the condition that another number than the bound's changes hands.
    """
    c = len(group.members) - 1
    found, leaning = 2 * joined.changed_hands_symbolic(group), lean(shares_of(group.queues, c))
    first, last = group.queues - leaning, group.queues + leaning
    exact = {0: first, c: last}

    def wrong(newcomer: int) -> smt.BoolTerm:
        return found != exact[newcomer] if newcomer in exact else found > greatest([first, last])

    return joined.when_joining(group, wrong)


def violation_bound(group: Group, results: Results) -> str | None:
    """Describe the number of queues that change hands, if it breaks the bound.

    None if it does not.
    """
    q, c = len(group.queues), len(group.compared_with.consumers)
    if not c:
        return None
    found, newcomer = joined.changed_hands_observed(group, results), joined.joiner(group)
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
    violated=violated_bound,
    violation=violation_bound,
)
"""The guarantee of an upper bound on moved queues.

By ``nearer`` the differences never decrease, so that the maximum is at an end.
"""
