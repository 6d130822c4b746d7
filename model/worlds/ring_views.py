"""Worlds of CONSISTENT_HASH: with all assumptions, after a join, or without one assumption.

Each function returns the views of the n consumers as terms over the world's digits. A view is what one consumer sees:
its id, cidAll and mqAll.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from rebalance_proofs.model.allocation.ring import RingEncoding
from rebalance_proofs.model.permutations import order
from rebalance_proofs.model.premises.ids import DISTINCT_IDS, OWN_ID_LISTED, SAME_ID_ORDER
from rebalance_proofs.model.premises.same_cid_all import BOTH_SEES_FIRST, FIRST_ONLY, SAME_CID_ALL, SECOND_ONLY
from rebalance_proofs.model.premises.same_mq_all import FIRST_ONLY as FIRST_ROUTE
from rebalance_proofs.model.premises.same_mq_all import SAME_MQ_ALL
from rebalance_proofs.model.premises.same_mq_all import SECOND_ONLY as SECOND_ROUTE
from rebalance_proofs.model.premises.same_order import SAME_ORDER
from rebalance_proofs.model.premises.strategies import SAME_SUBSCRIPTION
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import AGREED, Groups
from rebalance_proofs.model.worlds.grows import GROWS, StagedGroup, is_new
from rebalance_proofs.model.worlds.joins import JOINS
from rebalance_proofs.model.worlds.rings import Listed, View, Views, rings, symbolic_ring
from rebalance_proofs.model.worlds.several_joins import SEVERAL_JOIN
from rebalance_proofs.model.worlds.two_joins import TWO_JOINS

Ids = tuple[tuple[int, Listed], ...]
"""A cidAll as terms: pairs of index in the group and id; see ``View.ids``."""


def everyone(n: int) -> Ids:
    """Return a cidAll with the ids of all n consumers, in order."""
    return tuple((place, Listed(smt.IntVal(place))) for place in range(n))


def agreed(n: int, q: int, digits: Sequence[smt.IntTerm]) -> tuple[View, ...]:
    """Return the views if every consumer sees all consumers."""
    return tuple(View(smt.IntVal(place), everyone(n)) for place in range(n))


def before_join(n: int, q: int, digits: Sequence[smt.IntTerm]) -> tuple[View, ...]:
    """Return the views before a join, without the joining consumer."""
    (joiner,) = digits
    ids = tuple((place, Listed(smt.IntVal(place), joiner != place)) for place in range(n))
    return tuple(View(smt.IntVal(place), ids, listed=joiner != place) for place in range(n))


def distinct_ids(n: int, q: int, digits: Sequence[smt.IntTerm]) -> tuple[View, ...]:
    """Return the views if several consumers may have the same id.

    A repeated id is that of the consumer at the index before.
    """
    ids = [smt.IntVal(0)]
    for place in range(1, n):
        ids.append(smt.If(digits[place - 1] == 1, ids[-1], place))
    listed = tuple((place, Listed(own)) for place, own in enumerate(ids))
    return tuple(View(own, listed) for own in ids)


def distinct_ids_once(n: int, q: int, digits: Sequence[smt.IntTerm]) -> tuple[View, ...]:
    """Return the views of the Go client if several consumers may have the same id.

    A repeated id replaces itself on the ring, so its later index has no nodes.
    """
    ids = [own.id for own in distinct_ids(n, q, digits)]
    first = [smt.BoolVal(True), *(digit != 1 for digit in digits)]
    listed = tuple((place, Listed(own, first[place])) for place, own in enumerate(ids))
    return tuple(View(own, listed) for own in ids)


def same_cid_all(n: int, q: int, digits: Sequence[smt.IntTerm]) -> tuple[View, ...]:
    """Return the views if each consumer has received one of two lists of ids.

    The first digit only selects the ids, which do not matter here.
    """
    digits = digits[1:]
    first = tuple((place, Listed(smt.IntVal(place), digit != SECOND_ONLY)) for place, digit in enumerate(digits))
    second = tuple((place, Listed(smt.IntVal(place), digit != FIRST_ONLY)) for place, digit in enumerate(digits))
    return tuple(
        View(smt.IntVal(place), either(smt.Or(digit == FIRST_ONLY, digit == BOTH_SEES_FIRST), first, second))
        for place, digit in enumerate(digits)
    )


def either(condition: smt.BoolTerm, first: Ids, second: Ids) -> Ids:
    """Return the first list where the condition holds, else the second."""
    return (
        *((place, Listed(listed.id, smt.And(condition, listed.present))) for place, listed in first),
        *((place, Listed(listed.id, smt.And(smt.Not(condition), listed.present))) for place, listed in second),
    )


def admits_lists(n: int, q: int, digits: Sequence[smt.IntTerm]) -> tuple[smt.BoolTerm, ...]:
    """Return the constraints that neither list is empty."""
    return (
        smt.Or([digit != SECOND_ONLY for digit in digits[1:]]),
        smt.Or([digit != FIRST_ONLY for digit in digits[1:]]),
    )


def same_mq_all(n: int, q: int, digits: Sequence[smt.IntTerm]) -> tuple[View, ...]:
    """Return the views if each consumer has received one of two routes of the topic."""
    kinds, choices = digits[:q], digits[q:]

    def sees(choice: smt.IntTerm) -> Callable[[int], smt.BoolTerm]:
        return lambda queue: smt.If(choice == 0, kinds[queue] != SECOND_ROUTE, kinds[queue] != FIRST_ROUTE)

    return tuple(View(smt.IntVal(place), everyone(n), sees(choice)) for place, choice in enumerate(choices))


def admits_routes(n: int, q: int, digits: Sequence[smt.IntTerm]) -> tuple[smt.BoolTerm, ...]:
    """Return the constraints that neither route is empty and some consumer received each route."""
    kinds, choices = digits[:q], digits[q:]
    return (
        smt.Or([kind != SECOND_ROUTE for kind in kinds]),
        smt.Or([kind != FIRST_ROUTE for kind in kinds]),
        smt.Or([choice == 0 for choice in choices]),
        smt.Or([choice == 1 for choice in choices]),
    )


def same_id_order(n: int, q: int, digits: Sequence[smt.IntTerm]) -> tuple[View, ...]:
    """Return the views if each consumer adds the ids to its ring in one of two orders.

    The first digit is the index of the second order.
    """
    number, choices = digits[0], digits[1:]
    orders = [smt.And(number == other) for other in range(SAME_ID_ORDER.radices(n, q)[0])]

    def ids(choice: smt.IntTerm) -> Ids:
        listed = [(place, Listed(smt.IntVal(place), choice == 0)) for place in range(n)]
        for other, chosen in enumerate(orders):
            present = smt.And(choice == 1, chosen)
            listed += [(place, Listed(smt.IntVal(place), present)) for place in order(n, other)]
        return tuple(listed)

    return tuple(View(smt.IntVal(place), ids(choice)) for place, choice in enumerate(choices))


def own_id_listed(n: int, q: int, digits: Sequence[smt.IntTerm]) -> tuple[View, ...]:
    """Return the views if cidAll may list old ids, which no running consumer has."""
    ids = tuple((place, Listed(smt.If(old == 1, n + place, place))) for place, old in enumerate(digits))
    return tuple(View(smt.IntVal(place), ids, listed=old == 0) for place, old in enumerate(digits))


def same_subscription(n: int, q: int, digits: Sequence[smt.IntTerm]) -> tuple[View, ...]:
    """Return the views if all consumers are listed, but some do not subscribe to the topic.

    A consumer that does not subscribe takes nothing.
    """
    return tuple(View(smt.IntVal(place), everyone(n), listed=other == 0) for place, other in enumerate(digits))


def admits_subscriptions(n: int, q: int, digits: Sequence[smt.IntTerm]) -> tuple[smt.BoolTerm, ...]:
    """Return the constraint that at least one consumer subscribes."""
    return (smt.Or([other == 0 for other in digits]),)


def _agreed(virtual_nodes: int, bound: tuple[int, int], name: str, usual: tuple[int, int, int] | None = None) -> Groups:
    sentence = "All consumers see the same lists, each id once, and use the same hash function, which may be any."
    return rings(AGREED, Views(AGREED, agreed), virtual_nodes, bound, name=name, sentence=sentence, usual=usual)


RINGS = _agreed(2, (3, 2), "agreed")
"""The world where all assumptions hold, with two virtual nodes per consumer."""
RINGS_OF_3 = _agreed(3, (2, 2), "three-virtual-nodes", usual=(2, 2, 3))
RINGS_OF_1 = _agreed(1, (2, 3), "one-virtual-node")
RING_OF_0 = replace(_agreed(0, (2, 2), "no-virtual-nodes"), beyond="there are no virtual nodes")
RING_JOINS = rings(JOINS, Views(JOINS, agreed, before_join), 2, (3, 1))

RINGS_WITHOUT = (
    rings(DISTINCT_IDS, Views(DISTINCT_IDS, distinct_ids), 1, (3, 1)),
    rings(SAME_CID_ALL, Views(SAME_CID_ALL, same_cid_all, admits=admits_lists), 1, (3, 1)),
    rings(SAME_MQ_ALL, Views(SAME_MQ_ALL, same_mq_all, admits=admits_routes), 1, (2, 2)),
    rings(SAME_ORDER, Views(SAME_ORDER, lambda n, q, digits: agreed(n, q, ())), 1, (2, 2)),
    rings(SAME_ID_ORDER, Views(SAME_ID_ORDER, same_id_order), 1, (3, 1)),
    rings(OWN_ID_LISTED, Views(OWN_ID_LISTED, own_id_listed), 1, (3, 1)),
    rings(SAME_SUBSCRIPTION, Views(SAME_SUBSCRIPTION, same_subscription, admits=admits_subscriptions), 1, (3, 1)),
)
"""For each assumption, the world without it, with one virtual node per consumer."""
RINGS_WITHOUT_GO = (rings(DISTINCT_IDS, Views(DISTINCT_IDS, distinct_ids_once), 1, (3, 1)), *RINGS_WITHOUT[1:])
"""The same worlds as ``RINGS_WITHOUT``, for the Go client."""
RING_ORDERS_APART = rings(
    SAME_ID_ORDER,
    Views(SAME_ID_ORDER, same_id_order),
    1,
    (3, 2),
    collisions=False,
    name="same-id-order-or-collisions",
    sentence="All consumers sort the client ids in the same order, or two virtual nodes collide.",
    otherwise=f"{SAME_ID_ORDER.otherwise}, without colliding virtual nodes",
)
"""The world where consumers add the ids to their rings in different orders.

No two virtual nodes collide.
"""


# The worlds of CONSISTENT_HASH where several consumers join, at once or one by one.
# A view is what one consumer sees: its id, cidAll and mqAll.


def present(there: Sequence[smt.BoolTerm]) -> tuple[View, ...]:
    """Return each consumer's view if the consumers marked in ``there`` see each other."""
    ids = tuple((place, Listed(smt.IntVal(place), condition)) for place, condition in enumerate(there))
    return tuple(View(smt.IntVal(place), ids, listed=condition) for place, condition in enumerate(there))


def old(n: int, q: int, digits: Sequence[smt.IntTerm]) -> tuple[View, ...]:
    """Return each consumer's view before the joins, without the joining consumers."""
    return present([digit == 0 for digit in digits])


def some(n: int, q: int, digits: Sequence[smt.IntTerm]) -> tuple[smt.BoolTerm, ...]:
    """Return the constraints that at least one consumer joins and one was present before."""
    return smt.Or([digit == 1 for digit in digits]), smt.Or([digit == 0 for digit in digits])


def before(n: int, q: int, digits: Sequence[smt.IntTerm]) -> tuple[View, ...]:
    """Return each consumer's view before both joins, without the two joining consumers."""
    return present([smt.And([joiner != place for joiner in digits]) for place in range(n)])


def between(n: int, q: int, digits: Sequence[smt.IntTerm]) -> tuple[View, ...]:
    """Return each consumer's view between the joins, without the second joining consumer."""
    return present([digits[1] != place for place in range(n)])


def different(n: int, q: int, digits: Sequence[smt.IntTerm]) -> tuple[smt.BoolTerm, ...]:
    """Return the constraints that two different consumers join and one was present before."""
    return digits[0] != digits[1], smt.BoolVal(n > 2)


VIRTUAL_NODES = 1


def staged(encodings: Sequence[RingEncoding], n: int, q: int) -> StagedGroup:
    """Return the group before, between and after two joins, with one ring for all three stages."""
    later = symbolic_ring(encodings[0], Views(TWO_JOINS, agreed, between, different), VIRTUAL_NODES, n, q)
    earlier = symbolic_ring(encodings[0], Views(TWO_JOINS, before, admits=different), VIRTUAL_NODES, n, q)
    return StagedGroup(**vars(later), earlier=earlier.members)


RING_SEVERAL_JOIN = rings(SEVERAL_JOIN, Views(SEVERAL_JOIN, agreed, old, some), VIRTUAL_NODES, (3, 2))
RING_TWO_JOINS = replace(
    rings(TWO_JOINS, Views(TWO_JOINS, agreed, between, different), VIRTUAL_NODES, (3, 2)), symbolic=staged
)


# The world of CONSISTENT_HASH where queues were added to the topic.


def before_ring_growth(n: int, q: int, digits: Sequence[smt.IntTerm]) -> tuple[View, ...]:
    """Return each consumer's view (its id, cidAll and mqAll) before the queues were added."""
    first, more = digits

    def sees(queue: int) -> smt.BoolTerm:
        return smt.Not(is_new(smt.IntVal(queue), first, more + 1))

    return tuple(View(smt.IntVal(place), everyone(n), sees) for place in range(n))


def admits(n: int, q: int, digits: Sequence[smt.IntTerm]) -> tuple[smt.BoolTerm, ...]:
    """Return the constraints that the digits give a possible position and number of new queues.

    There is at least one old queue, and the new queues are among the q queues.
    """
    first, more = digits
    return more + 1 < q, first + more + 1 <= q


RING_GROWS = rings(GROWS, Views(GROWS, agreed, before_ring_growth, admits), 1, (3, 2))
