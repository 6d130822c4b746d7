"""Guarantees about pop mode when members join, pull, or are not listed, and about modes and answers."""

from types import SimpleNamespace
from typing import Any

from rebalance_proofs.model.allocation.strategy import AllocationError
from rebalance_proofs.model.assignment.encoding import PopEncoding
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import how_many
from rebalance_proofs.model.terms.smt import BoolTerm as Bool
from rebalance_proofs.model.terms.smt import IntTerm as Int
from rebalance_proofs.model.worlds.assignments import SOURCE, UNLISTED, PopGroup
from rebalance_proofs.proofs.allocation.covers import COVERS as OF_COVERS
from rebalance_proofs.proofs.allocation.disjoint import EXCLUSIVE
from rebalance_proofs.proofs.allocation.stated import name_consumer, name_queue
from rebalance_proofs.proofs.assignment.steps import (
    OWNED,
    K,
    around,
    numbers,
    read_by,
    share_of,
    some_share,
)
from rebalance_proofs.proofs.guarantee import Guarantee, agreed, always
from rebalance_proofs.proofs.movement import lemmas as joined
from rebalance_proofs.proofs.movement import monotone
from rebalance_proofs.proofs.movement.lemmas import SPREAD
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, position, sizes, truth_values

# Guarantees about a join, or in reverse a leave, with the same k.


def _still(e: PopEncoding, v: SimpleNamespace) -> Statement:
    return Statement(
        sizes(v) | consumer(v, "i") | position(v, "p") | {"k <= 0 or k >= c": smt.Or(v.k <= 0, v.k >= v.c)},
        smt.And(
            e.reads(v.q, v.c, v.k, v.i, v.p),
            e.reads(v.q, v.c + 1, v.k, v.i, v.p),
            e.reads(v.q, v.c + 1, v.k, v.i + 1, v.p),
        ),
    )


def violated_still(group: PopGroup) -> Bool:
    """Return the condition that a former member's queues change although k <= 0 or k >= c."""
    c = len(group.members) - 1
    pairs = zip(group.reference, group.members, strict=True)
    changed = [smt.And(before.listed, before.owns != after.owns) for before, after in pairs]
    return smt.And(smt.Or(group.share <= 0, group.share >= c), smt.Or(changed))


def violation_still(group: Group, results: Results) -> str | None:
    """Describe the first former member whose queues change although k <= 0 or k >= c."""
    c, k = len(group.compared_with.consumers), share_of(group).number
    if 1 <= k < c:
        return None
    for other in joined.others(group, results):
        for queue in (*other.gained, *(one for one in other.before if one not in other.after)):
            return f"{name_consumer(group, other.place)} gains or loses {name_queue(group, queue)}."
    return None


STILL = Guarantee(
    name="still",
    sentence="If k <= 0 or k >= c, a join to c members changes no other member's queues",
    where=("in reverse: a leave from c + 1 members", K),
    source=SOURCE,
    obligations=agreed(
        Obligation(
            "still",
            "If k <= 0 or k >= c, a member reads every queue before and after a join, at either index.",
            ("q", "c", "k", "i", "p"),
            _still,
        )
    ),
    violated=violated_still,
    violation=violation_still,
)


def _before(group: PopGroup) -> Int:
    return how_many([smt.And(member.listed, member.owns) for member in group.reference])


def violated_fewer(group: PopGroup) -> Bool:
    """Return the condition that a queue has fewer readers after the join."""
    return how_many([member.owns for member in group.members]) < _before(group)


def violation_fewer(group: Group, results: Results) -> str | None:
    """Describe the first queue that has fewer readers after the join; None if there is none."""
    before = read_by(group, group.compared_with.allocate())
    for queue, had, has in zip(group.queues, before, read_by(group, results), strict=True):
        if len(has) < len(had):
            who = name_consumer(group, joined.joiner(group))
            return f"{name_queue(group, queue)} has {len(has)} of {len(had)} readers left after {who} joined."
    return None


NO_FEWER = Guarantee(
    name="no-fewer",
    sentence="A join leaves no queue with fewer readers than before",
    where=(K,),
    source=SOURCE,
    obligations=agreed(),
    violated=violated_fewer,
    violation=violation_fewer,
)

MONOTONE = Guarantee(
    name=monotone.MONOTONE.name,
    sentence=monotone.MONOTONE.sentence,
    where=(K,),
    source=SOURCE,
    obligations=agreed(),
    violated=monotone.violated,
    violation=monotone.violation,
)


# Guarantees about groups in which some members pull and others pop.


def _owner_pops(e: PopEncoding, v: SimpleNamespace) -> Statement:
    given = sizes(v) | consumer(v, "i") | position(v, "p") | {"i owns p in pull mode": e.owns(v.q, v.c, v.i, v.p)}
    return Statement(given | around(v), e.reads(v.q, v.c, v.k, v.i, v.p))


MIXED_COVERS = Guarantee(
    name="covers",
    sentence="Every queue is read by some member",
    where=(K,),
    source=SOURCE,
    obligations=always(
        *OWNED,
        SPREAD,
        Obligation(
            "owner-pops", "In pop mode, a queue's owner in pull mode reads it.", ("q", "c", "k", "i", "p"), _owner_pops
        ),
    ),
    violated=OF_COVERS.violated,
    violation=OF_COVERS.violation,
)
"""The guarantee. The owner in pull mode reads a queue in both modes."""


def _pulled(group: PopGroup) -> Int:
    return how_many([smt.And(pull, one.owns) for pull, one in zip(group.pulls, group.members, strict=True)])


def _pulling(group: Group, readers: list[int]) -> list[int]:
    pulls = share_of(group).pulls
    return [place for place in readers if pulls[place]]


def violation_pulled_once(group: Group, results: Results) -> str | None:
    """Describe the first queue that two members pull; None if there is none."""
    for queue, readers in zip(group.queues, read_by(group, results), strict=True):
        pulling = _pulling(group, readers)
        if len(pulling) > 1:
            both = " and ".join(name_consumer(group, place) for place in pulling[:2])
            return f"{name_queue(group, queue)} is pulled by {both}."
    return None


PULLED_ONCE = Guarantee(
    name="pulled-once",
    sentence="No queue is pulled by two members",
    source=SOURCE,
    obligations=always(EXCLUSIVE),
    violated=lambda group: _pulled(group) >= 2,
    violation=violation_pulled_once,
)


def violated_unmixed(group: PopGroup) -> Bool:
    """Return the condition that a queue is both pulled and popped."""
    popped = [smt.And(smt.Not(pull), one.owns) for pull, one in zip(group.pulls, group.members, strict=True)]
    return smt.And(_pulled(group) >= 1, smt.Or(popped))


def violation_unmixed(group: Group, results: Results) -> str | None:
    """Describe the first queue that is both pulled and popped; None if there is none."""
    for queue, readers in zip(group.queues, read_by(group, results), strict=True):
        pulling = _pulling(group, readers)
        popping = [place for place in readers if place not in pulling]
        if pulling and popping:
            one, other = name_consumer(group, pulling[0]), name_consumer(group, popping[0])
            return f"{name_queue(group, queue)} is pulled by {one} and popped by {other}."
    return None


UNMIXED = Guarantee(
    name="unmixed",
    sentence="No queue is pulled by one member and popped by another",
    source=SOURCE,
    obligations=agreed(),
    violated=violated_unmixed,
    violation=violation_unmixed,
)


# Guarantees about a member that the broker does not list.


def _nothing(e: PopEncoding, v: SimpleNamespace) -> Statement:
    return Statement(
        {"at least one id is listed": v.c >= 1, "1 <= k < c - 1": some_share(v.c, v.k)}, e.listed_only(v.c, v.k)
    )


def violated_unlisted(group: PopGroup) -> Bool:
    """Return the condition that a member that is not listed reads a queue."""
    return smt.Or([smt.And(gone, one.owns) for gone, one in zip(group.unlisted, group.members, strict=True)])


def violated_listed(group: PopGroup) -> Bool:
    """Return the condition that a member that is not listed reads a queue although 1 <= k < c - 1."""
    return smt.And(some_share(smt.IntVal(len(group.members)), group.share), violated_unlisted(group))


def violation_unlisted(group: Group, results: Results) -> str | None:
    """Describe the first queue that a member that is not listed reads; None if there is none."""
    for place, (gone, result) in enumerate(zip(share_of(group).unlisted, results, strict=True)):
        if gone and result:
            return f"{name_consumer(group, place)}, which is not in cidAll, reads {name_queue(group, result[0])}."
    return None


def violation_listed(group: Group, results: Results) -> str | None:
    """Describe the first queue that a member that is not listed reads although 1 <= k < c - 1."""
    _, c, k = numbers(group)
    return violation_unlisted(group, results) if 1 <= k < c - 1 else None


LISTED = Guarantee(
    name="listed",
    sentence="If 1 <= k < c - 1, a consumer whose id is missing from cidAll reads no queue",
    where=(K,),
    source=SOURCE,
    premise=UNLISTED.name,
    obligations=always(
        Obligation("listed", "If 1 <= k < c - 1, a member gets queues only if it is listed.", ("c", "k"), _nothing)
    ),
    violated=violated_listed,
    violation=violation_listed,
)

UNLISTED_IDLE = Guarantee(
    name="unlisted",
    sentence="A consumer whose id is missing from cidAll reads no queue",
    where=(K,),
    source=SOURCE,
    premise=UNLISTED.name,
    obligations=always(),
    violated=violated_unlisted,
    violation=violation_unlisted,
)


# Guarantee: the queues of a retry topic are pulled, whatever modes are set.


def _retry(e: PopEncoding, v: SimpleNamespace) -> Statement:
    flags = truth_values(v, "default") | {"requested is none, PULL or POP": smt.And(0 <= v.requested, v.requested <= 2)}
    return Statement(flags, smt.Not(e.pops(smt.IntVal(1), v.requested, v.default)))


def violated_retry(group: PopGroup) -> Bool:
    """Return the condition that a queue of a retry topic has not exactly one reader."""
    return smt.And(group.retry, how_many([member.owns for member in group.members]) != 1)


def violation_retry(group: Group, results: Results) -> str | None:
    """Describe the first queue of a retry topic that has not exactly one reader; None if there is none."""
    for queue, readers in zip(group.queues, read_by(group, results), strict=True):
        if share_of(group).retry and len(readers) != 1:
            return f"{name_queue(group, queue)} of the retry topic has {len(readers)} readers."
    return None


RETRY = Guarantee(
    name="retry",
    sentence="Each queue of a retry topic has exactly one reader, whatever mode is requested or the default",
    where=(K,),
    source=SOURCE,
    obligations=agreed(
        Obligation("retry", "A retry topic is pulled.", ("requested", "default"), _retry),
        EXCLUSIVE,
        *OWNED,
    ),
    violated=violated_retry,
    violation=violation_retry,
)


# Guarantees about answers: null, after which the client keeps its queues, or a list, which may be empty.


def _null(group: Group, queues: tuple[Any, ...]) -> int | None:
    """Return the index of the first member whose request for these queues gets null; None if there is none."""
    for place, one in enumerate(group.consumers):
        try:
            one.strategy.allocate(one.client_id, queues, one.cid_all)
        except AllocationError:
            return place
    return None


def _empty(e: PopEncoding, v: SimpleNamespace) -> Statement:
    return Statement({"no member, or some": v.c >= 0}, e.null(smt.IntVal(0), v.c, v.k) == some_share(v.c, v.k))


def violated_empty(group: PopGroup) -> Bool:
    """Return the condition that requests for a topic without queues get the other answer."""
    c = smt.IntVal(len(group.members))
    return group.encoding.null(smt.IntVal(0), c, group.share) != some_share(c, group.share)


def violation_empty(group: Group, results: Results) -> str | None:
    """Describe the answer for a topic without queues, if it is the other one."""
    _, c, k = numbers(group)
    null = _null(group, ()) is not None
    return f"The answer for no queues is {'null' if null else 'an empty list'}." if null != (1 <= k < c - 1) else None


EMPTY = Guarantee(
    name="empty",
    sentence="For a topic without queues, the answer is null when 1 <= k < c - 1, else empty",
    where=("null: the client keeps its queues", "empty: the client drops its queues", K),
    source=SOURCE,
    obligations=agreed(
        Obligation("empty", "For no queues, a request gets null exactly if 1 <= k < c - 1.", ("c", "k"), _empty)
    ),
    violated=violated_empty,
    violation=violation_empty,
)
