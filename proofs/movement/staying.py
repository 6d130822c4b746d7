"""Guarantee: few queues stay when a consumer joins under AVG_BY_CIRCLE.

Their positions are known, and repeat with the period c(c + 1).
"""

from types import SimpleNamespace

from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import SymbolicGroup
from rebalance_proofs.proofs.allocation.listing import LISTING
from rebalance_proofs.proofs.allocation.names import name_queue
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.movement.lemmas import joined, symbolic
from rebalance_proofs.proofs.movement.lemmas.places import behind, joiner, later
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, sizes


def _only(e: Encoding, v: SimpleNamespace) -> Statement:
    before, after = (v.q, v.c, v.i), (v.q, v.c + 1, later(v))
    rank_before, rank_after = e.rank(*before, v.p), e.rank(*after, v.p)
    return Statement(
        sizes(v)
        | consumer(v, "i")
        | joiner(v)
        | {"it owned p before the join": e.owns(*before, v.p), "it owns p after the join": e.owns(*after, v.p)},
        rank_after + behind(v) == v.c * (rank_before - rank_after),
    )


def _where(e: Encoding, v: SimpleNamespace) -> Statement:
    before, after = (v.q, v.c, v.i), (v.q, v.c + 1, later(v))
    place = v.c * ((v.c + 1) * v.h) + v.i - v.c * behind(v)
    return Statement(
        sizes(v) | consumer(v, "i") | joiner(v) | {"the position is in mqAll": smt.And(0 <= place, place < v.q)},
        smt.And(
            e.element(*before, (v.c + 1) * v.h - behind(v)) == place,
            e.element(*after, v.c * v.h - behind(v)) == place,
        ),
    )


def _whole(e: Encoding, v: SimpleNamespace) -> Statement:
    element = e.element(v.q, v.c, v.i, v.k)
    return Statement(
        sizes(v)
        | consumer(v, "i")
        | {"k is not negative": v.k >= 0, "the element is in mqAll": smt.And(0 <= element, element < v.q)},
        v.k < e.count(v.q, v.c, v.i),
    )


def stays_at(c: smt.IntTerm | int, j: smt.IntTerm | int, place: smt.IntTerm) -> smt.BoolTerm:
    """Return the condition that a queue stays whose position mod c(c + 1) is ``place``.

    ``j`` is the joiner's index.
    """
    return smt.Or(place < j, place >= c * c + j)


def staying(q: smt.IntTerm, c: smt.IntTerm, j: smt.IntTerm) -> smt.IntTerm:
    """Return the number of queues that stay among the first q positions, as a term.

    ``j`` is the joiner's index among c others.
    """
    rounds, rest = q / (c * (c + 1)), q % (c * (c + 1))
    at_end = rest - c * c - j
    return c * rounds + smt.If(rest < j, rest, j) + smt.If(at_end > 0, at_end, 0)


def _none(e: Encoding, v: SimpleNamespace) -> Statement:
    return Statement({"at least one consumer": v.c >= 1} | joiner(v), staying(smt.IntVal(0), v.c, v.j) == 0)


def _next(e: Encoding, v: SimpleNamespace) -> Statement:
    stays = stays_at(v.c, v.j, v.q % (v.c * (v.c + 1)))
    return Statement(
        {"at least one consumer": v.c >= 1, "q is not negative": v.q >= 0} | joiner(v),
        staying(v.q + 1, v.c, v.j) - staying(v.q, v.c, v.j) == smt.If(stays, 1, 0),
    )


def _fewest(e: Encoding, v: SimpleNamespace) -> Statement:
    return Statement(sizes(v) | joiner(v), staying(v.q, v.c, smt.IntVal(0)) <= staying(v.q, v.c, v.j))


def violated(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that an arbitrary queue stays against the rule, or moves against it."""
    c = len(group.members) - 1
    stays, place = symbolic.stays(group), symbolic.position(group) % (c * (c + 1))
    return symbolic.when_joining(group, lambda newcomer: stays != stays_at(c, newcomer, place))


def stay(queues: int, consumers: int, joiner: int) -> int:
    """Return the number of queues that stay with their consumers when one consumer joins.

    ``queues`` is the number of all queues, ``joiner`` the index of the new consumer. ``consumers`` is the number of
    other consumers.
    """
    places = (position % (consumers * (consumers + 1)) for position in range(queues))
    return sum(place < joiner or place >= consumers * consumers + joiner for place in places)


def violation(group: Group, results: Results) -> str | None:
    """Describe the first queue that stays or moves against the rule; None if there is none."""
    c, newcomer, stays = len(group.compared_with.consumers), joined.joiner(group), joined.staying(group, results)
    for position, queue in enumerate(group.queues if c else ()):
        place = position % (c * (c + 1))
        if (queue in stays) != (place < newcomer or place >= c * c + newcomer):
            return f"{name_queue(group, queue)} {'stays' if queue in stays else 'changes hands'}, against the rule."
    return None


KEPT = Guarantee(
    name="kept",
    sentence="A join at place j of c others keeps exactly positions with r < j or r >= c * c + j",
    where=("r = p mod c(c + 1) for the queue at position p", "the fewest queues stay for j = 0"),
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    obligations=agreed(
        Obligation(
            "kept.only",
            "A queue that stays has place c * h in its new list, minus 1 after the joiner; it was h places later.",
            ("q", "c", "i", "j", "p"),
            _only,
        ),
        Obligation(
            "kept.where",
            "For every h, position c(c + 1)h + i is such a queue; after the joiner, the position c before it.",
            ("q", "c", "i", "j", "h"),
            _where,
        ),
        Obligation(
            "kept.whole", "No list ends before its elements reach the end of mqAll.", ("q", "c", "i", "k"), _whole
        ),
        *LISTING,
        Obligation("kept.none", "For 0 positions, the closed form is 0.", ("c", "j"), _none),
        Obligation(
            "kept.next",
            "The closed form grows by 1 at each position that stays, and nowhere else.",
            ("q", "c", "j"),
            _next,
        ),
        Obligation("kept.fewest", "The closed form is smallest when the joiner sorts first.", ("q", "c", "j"), _fewest),
    ),
    violated=violated,
    violation=violation,
)
"""The guarantee about the positions of queues that stay.

After the joiner c(c + 1)h + i - c is c(c + 1)(h - 1) + c * c + i: these i >= j fill the end of each c(c + 1).
"""
