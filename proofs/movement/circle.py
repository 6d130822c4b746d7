"""Guarantee: the distance between queues that stay with one consumer under AVG_BY_CIRCLE."""

from dataclasses import replace
from types import SimpleNamespace

from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import SymbolicGroup
from rebalance_proofs.proofs.allocation.lists import LISTING
from rebalance_proofs.proofs.allocation.stated import name_consumer, name_queue
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.movement import lemmas as joined
from rebalance_proofs.proofs.movement.lemmas import behind, joiner_places, later, others
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, sizes


def _apart(e: Encoding, v: SimpleNamespace) -> Statement:
    q = v.r + v.s
    before, after = (q, v.c, v.i), (q, v.c + 1, later(v))
    places_before = e.rank(*before, v.r) - e.rank(*before, v.p)
    places_after = e.rank(*after, v.r) - e.rank(*after, v.p)
    return Statement(
        {"at least one consumer": v.c >= 1, "mqAll has s queues from r on": v.s >= 1}
        | consumer(v, "i")
        | joiner_places(v)
        | {
            "it owned p before the join": e.owns(*before, v.p),
            "it owned r before the join": e.owns(*before, v.r),
            "it owns p after the join": e.owns(*after, v.p),
            "it owns r after the join": e.owns(*after, v.r),
            "p before r": v.p < v.r,
        },
        smt.And(
            v.r - v.p == (v.c + 1) * places_after,
            places_after == v.c * (places_before - places_after),
        ),
    )


def violated(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that a consumer keeps two queues at a wrong distance.

    The distance is no multiple of c(c + 1). One of them is an arbitrary, fixed queue.
    """
    other, c = smt.Int("other"), len(group.members) - 1
    distance = joined.position(group) - other
    keeps_both = [
        smt.And(
            before.listed, *(smt.And(member.owns, replace(member, position=other).owns) for member in (before, after))
        )
        for before, after in zip(group.reference, group.members, strict=True)
    ]
    return joined.when_joining(group, lambda newcomer: smt.And(smt.Or(keeps_both), distance % (c * (c + 1)) != 0))


def violation(group: Group, results: Results) -> str | None:
    """Describe the first two queues that a consumer keeps at another distance.

    None if there are none.
    """
    c = len(group.compared_with.consumers)
    for other in others(group, results):
        kept = other.kept
        for queue in kept[1:]:
            if (group.queues.index(queue) - group.queues.index(kept[0])) % (c * (c + 1)):
                both = f"{name_queue(group, kept[0])} and {name_queue(group, queue)}"
                return f"{name_consumer(group, other.place)} keeps {both}."
    return None


APART = Guarantee(
    name="apart",
    sentence="After a join to c others, the queues that a consumer keeps are multiples of c(c + 1) apart",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    obligations=agreed(
        Obligation(
            "apart",
            "Two queues that stay with i are c(c + 1)h positions apart; in i's list they come h places closer.",
            ("c", "i", "j", "p", "r", "s"),
            _apart,
        )
    ),
    violated=violated,
    violation=violation,
)


# Guarantee: the worst join under AVG_BY_CIRCLE is that of a consumer that sorts first.
# None of the first c * c queues then stays with its consumer.


def _none_stays(e: Encoding, v: SimpleNamespace) -> Statement:
    return Statement(
        sizes(v)
        | consumer(v, "i")
        | {"i of c owns p": e.owns(v.q, v.c, v.i, v.p), "p is one of the first c * c": v.p < v.c * v.c},
        smt.Not(e.owns(v.q, v.c + 1, v.i + 1, v.p)),
    )


def violated_reshuffle(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that the joiner sorts first, but one of the first c * c queues stays."""
    c = len(group.members) - 1
    wrong = smt.And(joined.position(group) < c * c, joined.stays(group))
    return joined.when_joining(group, lambda newcomer: smt.And(newcomer == 0, wrong))


def violation_reshuffle(group: Group, results: Results) -> str | None:
    """Describe the first of the c * c first queues that stays although the joiner sorts first.

    None if there is none.
    """
    c = len(group.compared_with.consumers)
    if joined.joiner(group) == 0:
        stays = joined.staying(group, results)
        for queue in group.queues[: c * c]:
            if queue in stays:
                return f"{name_queue(group, queue)} stays."
    return None


RESHUFFLE = Guarantee(
    name="reshuffle",
    sentence="If a consumer that sorts first joins c others, all of the first c * c queues move",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    obligations=agreed(
        Obligation(
            "none-stays",
            "The owner of one of the first c * c positions does not own it after its index grows by one.",
            ("q", "c", "i", "p"),
            _none_stays,
        )
    ),
    violated=violated_reshuffle,
    violation=violation_reshuffle,
)


# Guarantee: few queues stay when a consumer joins under AVG_BY_CIRCLE.
# Their positions are known, and repeat with the period c(c + 1).


def _only(e: Encoding, v: SimpleNamespace) -> Statement:
    before, after = (v.q, v.c, v.i), (v.q, v.c + 1, later(v))
    rank_before, rank_after = e.rank(*before, v.p), e.rank(*after, v.p)
    return Statement(
        sizes(v)
        | consumer(v, "i")
        | joiner_places(v)
        | {"it owned p before the join": e.owns(*before, v.p), "it owns p after the join": e.owns(*after, v.p)},
        rank_after + behind(v) == v.c * (rank_before - rank_after),
    )


def _where(e: Encoding, v: SimpleNamespace) -> Statement:
    before, after = (v.q, v.c, v.i), (v.q, v.c + 1, later(v))
    place = v.c * ((v.c + 1) * v.h) + v.i - v.c * behind(v)
    return Statement(
        sizes(v) | consumer(v, "i") | joiner_places(v) | {"the position is in mqAll": smt.And(0 <= place, place < v.q)},
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
    return Statement({"at least one consumer": v.c >= 1} | joiner_places(v), staying(smt.IntVal(0), v.c, v.j) == 0)


def _next(e: Encoding, v: SimpleNamespace) -> Statement:
    stays = stays_at(v.c, v.j, v.q % (v.c * (v.c + 1)))
    return Statement(
        {"at least one consumer": v.c >= 1, "q is not negative": v.q >= 0} | joiner_places(v),
        staying(v.q + 1, v.c, v.j) - staying(v.q, v.c, v.j) == smt.If(stays, 1, 0),
    )


def _fewest(e: Encoding, v: SimpleNamespace) -> Statement:
    return Statement(sizes(v) | joiner_places(v), staying(v.q, v.c, smt.IntVal(0)) <= staying(v.q, v.c, v.j))


def violated_staying(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that an arbitrary queue stays against the rule, or moves against it."""
    c = len(group.members) - 1
    stays, place = joined.stays(group), joined.position(group) % (c * (c + 1))
    return joined.when_joining(group, lambda newcomer: stays != stays_at(c, newcomer, place))


def stay(queues: int, consumers: int, joiner: int) -> int:
    """Return the number of queues that stay with their consumers when one consumer joins.

    ``queues`` is the number of all queues, ``joiner`` the index of the new consumer. ``consumers`` is the number of
    other consumers.
    """
    places = (position % (consumers * (consumers + 1)) for position in range(queues))
    return sum(place < joiner or place >= consumers * consumers + joiner for place in places)


def violation_staying(group: Group, results: Results) -> str | None:
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
    violated=violated_staying,
    violation=violation_staying,
)
"""The guarantee about the positions of queues that stay.

After the joiner c(c + 1)h + i - c is c(c + 1)(h - 1) + c * c + i: these i >= j fill the end of each c(c + 1).
"""
