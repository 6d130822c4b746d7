"""The client's strategy code with the interface of an encoding.

Each part runs the code for given numbers.
"""

from dataclasses import fields
from functools import singledispatch

from rebalance_proofs.model.allocation.machine_room import KINDS, RoomEncoding
from rebalance_proofs.model.allocation.machine_room_nearby import MachineRoomResolver, NearbyEncoding
from rebalance_proofs.model.allocation.ring import Nearest, Node, RingEncoding
from rebalance_proofs.model.allocation.strategy import Encoding, Strategy
from rebalance_proofs.model.group import Group, Results, client_ids
from rebalance_proofs.model.queues import MessageQueue, one_broker, positions_in, to_string
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.smt import BoolTerm, IntTerm
from rebalance_proofs.model.worlds.groups import AGREED, SymbolicGroup
from rebalance_proofs.model.worlds.two_rings import KEYS
from rebalance_proofs.proofs.allocation.stated import name_consumer, name_queue
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.named import number, truth

# Guarantee: two clients compute the same result for the same group.


def violated(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that only one of two clients gives a consumer an arbitrary queue."""
    return smt.Or([one.owns != other.owns for one, other in zip(group.members, group.reference, strict=True)])


def violation(group: Group, results: Results) -> str | None:
    """Describe the first consumer and queue for which the clients differ; None if there is none."""
    reference = group.compared_with
    for place, (one, other) in enumerate(zip(results, reference.allocate(), strict=True)):
        for queue in group.queues:
            if (queue in one) != (queue in other):
                who, which = name_consumer(group, place), name_queue(group, queue)
                mine, theirs = (g.consumers[place].strategy.name for g in (group, reference))
                takes = mine if queue in one else theirs
                return f"{who} takes {which} by {takes}, and does not by {theirs if queue in one else mine}."
    return None


SAME = Guarantee(
    name="same",
    sentence="Both clients give each consumer the same queues",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    obligations=agreed(),
    violated=violated,
    violation=violation,
)


def observed(strategy: Strategy) -> object:
    """Return an encoding that runs the client's code; all arguments must be numerals.

    Only the parts that obligations use exist. Raises ``TypeError`` for an encoding of an unknown type.
    """
    return observe(strategy.encoding, strategy)


@singledispatch
def observe(encoding: object, strategy: Strategy) -> object:
    """Return an encoding of the same type that runs the strategy's code.

    Other packages register their types of encodings here.
    """
    raise TypeError(f"{strategy.name}: an encoding of type {type(encoding).__name__} cannot be observed")


@observe.register
def observe_lists(encoding: Encoding, strategy: Strategy) -> Encoding:
    def result(q: smt.Term, c: smt.Term, index: smt.Term) -> list[int]:
        group = AGREED.group((strategy,), number(c), number(q), ())
        return positions_in(group.queues, group.consumers[number(index)].allocate())

    def rank(q: IntTerm, c: IntTerm, index: IntTerm, position: IntTerm) -> IntTerm:
        listed = result(q, c, index)
        place = number(position)
        return smt.IntVal(listed.index(place) if place in listed else -1)

    def owner(q: IntTerm, c: IntTerm, position: IntTerm) -> IntTerm:
        owners = [index for index in range(number(c)) if number(position) in result(q, c, smt.IntVal(index))]
        return smt.IntVal(owners[0] if owners else -1)

    return Encoding(
        owns=lambda q, c, index, position: smt.BoolVal(number(position) in result(q, c, index)),
        count=lambda q, c, index: smt.IntVal(len(result(q, c, index))),
        element=lambda q, c, index, k: smt.IntVal(_at(result(q, c, index), number(k))),
        rank=rank,
        owner=owner,
    )


@observe.register
def _rooms(encoding: RoomEncoding, strategy: Strategy) -> RoomEncoding:
    def takes(p: IntTerm, c: IntTerm, index: IntTerm, position: IntTerm, kept: BoolTerm, rank: IntTerm) -> BoolTerm:
        before, behind = number(rank), number(p) - number(rank) - truth(kept)
        outside = number(position) - before
        names = [KINDS[0]] * before + [KINDS[2]] * outside
        names += [KINDS[0] if truth(kept) else KINDS[2]] + [KINDS[0]] * behind
        queues = [MessageQueue("T", name, place) for place, name in enumerate(names)]
        ids = client_ids(number(c))
        result = strategy.allocate(ids[number(index)], queues, ids)
        return smt.BoolVal(queues[number(position)] in (result or ()))

    def keeps(kind: IntTerm) -> BoolTerm:
        alone = [MessageQueue("T", KINDS[number(kind)], 0)]
        return smt.BoolVal(bool(strategy.allocate("c0", alone, ["c0"])))

    lists = observe_lists(encoding, strategy)
    parts = {field.name: getattr(lists, field.name) for field in fields(Encoding)}
    return RoomEncoding(**parts, keeps=keeps, in_room=encoding.in_room, takes=takes)


@observe.register
def _nearby(encoding: NearbyEncoding, strategy: Strategy) -> NearbyEncoding:
    def takes(
        own: IntTerm, room: IntTerm, alive: BoolTerm, near: BoolTerm, everywhere: BoolTerm, stray: BoolTerm
    ) -> BoolTerm:
        mine, where = number(own), number(room)
        rooms = {"c0": f"room{mine}"}
        if mine != where and truth(alive):
            rooms["c1"] = f"room{where}"
        here, elsewhere = one_broker(2)  # the room ``elsewhere`` has no consumer, so that all consumers are candidates
        gives = {
            here: truth(near if mine == where else everywhere),
            elsewhere: truth(stray),
        }
        places = {here: f"room{where}", elsewhere: "elsewhere"}
        resolver = MachineRoomResolver(places.__getitem__, rooms.__getitem__)
        scripted = strategy.configured(inner=lambda cid, queues, ids: [here] * gives[queues[0]], resolver=resolver)
        return smt.BoolVal(here in (scripted.allocate("c0", (here, elsewhere), tuple(rooms)) or ()))

    return NearbyEncoding(takes)


class ObservedRing:
    """A hash ring of at most two virtual nodes, and one queue, run by the client's code."""

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = strategy

    def put(self, queue: IntTerm, nearest: Nearest, node: Node) -> Nearest:
        """Return the node to which the client gives the queue, after ``node`` is added to the ring.

        The ring has ``nearest``, if there is such a node.
        """
        (only,) = one_broker(1)
        nodes: dict[str, Node | Nearest] = {"c1": node}
        if truth(nearest.found):
            nodes = {"c0": nearest, **nodes}
        hashes = {key.format(client_id=cid): number(node.hash) for cid, node in nodes.items() for key in KEYS}
        hashes[to_string(only)] = number(queue)
        strategy = self._strategy.configured(virtual_nodes=1, hash_function=hashes.__getitem__)
        for client_id, taken in nodes.items():
            if strategy.allocate(client_id, (only,), tuple(nodes)):
                return Nearest(smt.BoolVal(True), taken.hash, taken.owner)
        return Nearest(smt.BoolVal(False), nearest.hash, nearest.owner)


@observe.register
def _ring(encoding: RingEncoding, strategy: Strategy) -> ObservedRing:
    return ObservedRing(strategy)


def _at(listed: list[int], k: int) -> int:
    return listed[k] if 0 <= k < len(listed) else -1
