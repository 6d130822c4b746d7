"""State of the inductions about hash rings: the node that an arbitrary queue finds.

Virtual nodes are inserted one after another. A state has three variables: whether the queue finds a node yet, the
node's hash value, and its consumer. All variables are for one queue with the hash value ``h``; queues do not
influence each other.
"""

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import NamedTuple

from rebalance_proofs.model.allocation.ring import Nearest, Node, RingEncoding
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import SymbolicGroup
from rebalance_proofs.model.worlds.rings import Ring
from rebalance_proofs.proofs.allocation.stated import name_queue
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, truth_values

FIRST = ("found", "x", "o")
"""Names of the state's variables for the first ring.

Most inductions are about only this ring.
"""
SECOND = ("found2", "x2", "o2")
"""Names of the state's variables for a second ring."""
NEW = ("y", "k")
"""Names of the variables for the next virtual node: its hash value and consumer."""


def state(v: SimpleNamespace, names: tuple[str, str, str] = FIRST) -> Nearest:
    """Return the state that consists of the variables ``names``."""
    found, hash_, owner = (getattr(v, name) for name in names)
    return Nearest(found == 1, hash_, owner)


def new_node(v: SimpleNamespace) -> Node:
    """Return the virtual node that is inserted next."""
    return Node(v.y, v.k)


def is_node(nearest: Nearest, hash_: smt.IntTerm, owner: smt.IntTerm) -> smt.BoolTerm:
    """Return the condition that the queue finds the node with that hash value and consumer."""
    return smt.And(nearest.hash == hash_, nearest.owner == owner)


def first_node(e: RingEncoding, v: SimpleNamespace) -> Statement:
    """State the base of an induction along one ring: the queue finds the first virtual node."""
    after = e.put(v.h, state(v), new_node(v))
    return Statement({"the ring is empty": v.found == 0}, smt.And(after.found, is_node(after, v.y, v.k)))


def both_empty(v: SimpleNamespace) -> dict[str, smt.BoolTerm]:
    """Return the assumption that both rings are empty: the base of an induction over two rings."""
    return {"both rings are empty": smt.And(v.found == 0, v.found2 == 0)}


def invariant(
    v: SimpleNamespace, related: Callable[[SimpleNamespace, Nearest, Nearest], smt.BoolTerm]
) -> dict[str, smt.BoolTerm]:
    """Return the assumption of an induction step: ``related(v, first, second)``.

    ``first`` and ``second`` are the states of the two rings.
    """
    before = {"the invariant holds so far": related(v, state(v), state(v, SECOND))}
    return truth_values(v, "found", "found2") | before


Nearer = Callable[[smt.IntTerm, smt.IntTerm, smt.IntTerm], smt.BoolTerm]
"""``nearer(queue, one, other)``: the search from the queue's hash finds ``one`` first.

``one`` and ``other`` are hash values of nodes.
"""


def nearer(queue: smt.IntTerm, one: smt.IntTerm, other: smt.IntTerm) -> smt.BoolTerm:
    """Return the condition that a search from the hash ``queue`` finds ``one`` before ``other``.

    The search goes upwards and around the end. A node with the queue's own hash comes first.
    """
    return smt.If((one >= queue) == (other >= queue), one < other, one >= queue)


def nearer_behind(queue: smt.IntTerm, one: smt.IntTerm, other: smt.IntTerm) -> smt.BoolTerm:
    """Return the same condition as ``nearer`` for the Go client.

    There, a node with the queue's own hash comes last.
    """
    return smt.If((one > queue) == (other > queue), one < other, one > queue)


# Proof that joining consumers only take queues under CONSISTENT_HASH.
# The rings without and with them are compared, by induction over all virtual nodes. The joiners' nodes may appear
# anywhere in the order of insertion, and may collide with others. In reverse: leaving consumers only give away
# queues.

VARIABLES = ("h", "j", *FIRST, *SECOND)


class Joiners(NamedTuple):
    """The joining consumers, as the obligations name them: one joiner or several."""

    name: str
    """The beginning of the obligations' names."""
    who: str
    """The joiners in words: ``the joiner``, ``a joiner``."""
    are: Callable[[SimpleNamespace, smt.IntTerm], smt.BoolTerm]
    """``are(v, owner)``: return the condition that the id ``owner`` belongs to a joiner."""


ONE = Joiners("join", "the joiner", lambda v, owner: owner == v.j)


def joining(nearer: Nearer, joiners: Joiners = ONE) -> tuple[Obligation, ...]:
    """Return the obligations that joiners only take queues.

    ``nearer`` is the client's search order on the ring.
    """
    name, who, are = joiners

    def related(v: SimpleNamespace, without: Nearest, having: Nearest) -> smt.BoolTerm:
        """Return the invariant between the ring without the joiners and the ring with them.

        ``without`` and ``having`` are the nodes that an arbitrary queue finds on them.
        """
        same = smt.And(without.found, having.hash == without.hash, having.owner == without.owner)
        not_farther = smt.Not(nearer(v.h, without.hash, having.hash))
        return smt.And(
            smt.Implies(without.found, smt.And(having.found, smt.Not(are(v, without.owner)))),
            smt.Implies(smt.And(having.found, smt.Not(are(v, having.owner))), same),
            smt.Implies(smt.And(without.found, having.found, are(v, having.owner)), not_farther),
        )

    def base(e: RingEncoding, v: SimpleNamespace) -> Statement:
        return Statement(both_empty(v), related(v, state(v), state(v, SECOND)))

    def step_other(e: RingEncoding, v: SimpleNamespace) -> Statement:
        without, having = (e.put(v.h, state(v, names), new_node(v)) for names in (FIRST, SECOND))
        whose = {f"the next node does not belong to {who}": smt.Not(are(v, v.k))}
        return Statement(invariant(v, related) | whose, related(v, without, having))

    def step_joiner(e: RingEncoding, v: SimpleNamespace) -> Statement:
        having = e.put(v.h, state(v, SECOND), new_node(v))
        return Statement(
            invariant(v, related) | {f"the next node belongs to {who}": are(v, v.k)}, related(v, state(v), having)
        )

    def only_takes(e: RingEncoding, v: SimpleNamespace) -> Statement:
        without, having = state(v), state(v, SECOND)
        has = smt.And(having.found, having.owner == v.i, smt.Not(are(v, v.i)))
        return Statement(
            invariant(v, related) | {f"i, which is not {who}, has the queue": has},
            smt.And(without.found, without.owner == v.i),
        )

    return (
        Obligation(f"{name}.base", "The invariant holds for two empty rings.", VARIABLES, base),
        Obligation(
            f"{name}.step-other",
            "The invariant still holds after both rings get a node of a consumer that does not join.",
            (*VARIABLES, *NEW),
            step_other,
        ),
        Obligation(
            f"{name}.step-joiner",
            f"The invariant still holds after a virtual node of {who} is added to the second ring.",
            (*VARIABLES, *NEW),
            step_joiner,
        ),
        Obligation(
            f"{name}.only-takes",
            f"Under the invariant, a consumer that is not {who} had the queue before if it has it now.",
            (*VARIABLES, "i"),
            only_takes,
        ),
    )


JOINING, JOINING_GO = joining(nearer), joining(nearer_behind)


# Proof that a queue has exactly one owner under CONSISTENT_HASH.
# The proof is by induction over the virtual nodes in their order of insertion.


def _base(e: RingEncoding, v: SimpleNamespace) -> Statement:
    after = e.put(v.h, state(v), new_node(v))
    return Statement(
        {"the ring is empty": v.found == 0} | consumer(v, "k"),
        smt.And(after.found, after.owner == v.k),
    )


def _step(e: RingEncoding, v: SimpleNamespace) -> Statement:
    after = e.put(v.h, state(v), new_node(v))
    return Statement(
        {"the queue has an owner": v.found == 1} | consumer(v, "o") | consumer(v, "k"),
        smt.And(after.found, 0 <= after.owner, after.owner < v.c),
    )


def _same_base(e: RingEncoding, v: SimpleNamespace) -> Statement:
    one, other = e.put(v.h, state(v), new_node(v)), e.put(v.h, state(v, SECOND), new_node(v))
    return Statement(both_empty(v), _equal(one, other))


def _same_step(e: RingEncoding, v: SimpleNamespace) -> Statement:
    one, other = e.put(v.h, state(v), new_node(v)), e.put(v.h, state(v, SECOND), new_node(v))
    return Statement(
        truth_values(v, "found", "found2") | {"both rings name the same node": _equal(state(v), state(v, SECOND))},
        _equal(one, other),
    )


def _equal(one: Nearest, other: Nearest) -> smt.BoolTerm:
    same = smt.And(one.hash == other.hash, one.owner == other.owner)
    return smt.And(one.found == other.found, smt.Implies(one.found, same))


def _exclusive(e: RingEncoding, v: SimpleNamespace) -> Statement:
    after = e.put(v.h, state(v), new_node(v))
    return Statement(
        truth_values(v, "found")
        | {
            "i and j are different ids": v.i != v.j,
            "i takes the queue: it is the owner": smt.And(after.found, after.owner == v.i),
        },
        smt.Not(smt.And(after.found, after.owner == v.j)),
    )


OWNER = (
    Obligation(
        "owner.base",
        "The first virtual node gives the queue an owner: the node's consumer.",
        ("c", "h", *FIRST, *NEW),
        _base,
    ),
    Obligation(
        "owner.step",
        "After one more virtual node, the queue still has an owner, and the owner is a consumer.",
        ("c", "h", *FIRST, *NEW),
        _step,
    ),
)
"""Obligations that every queue has an owner as soon as the ring has a virtual node."""

EXCLUSIVE = Obligation(
    "exclusive", "No other id takes the queue of an owner.", ("h", *FIRST, *NEW, "i", "j"), _exclusive
)
SAME_OWNER = (
    Obligation(
        "same.base",
        "Two empty rings name the same node after the same first node is added.",
        ("h", *FIRST, *SECOND, *NEW),
        _same_base,
    ),
    Obligation(
        "same.step",
        "Two rings that name the same node still do so after the same next node is added.",
        ("h", *FIRST, *SECOND, *NEW),
        _same_step,
    ),
    EXCLUSIVE,
)
"""Obligations that consumers with the same ring compute the same owner of a queue.

The ring is the same if the same nodes are inserted in the same order. No other consumer takes the queue.
"""


# Guarantee: a queue goes to the first virtual node at or after its hash.
#
# If nodes have the same hash, it goes to that of the later id. In the Go client it goes to the first node after its
# hash.


def _obligations(nearer: Nearer) -> tuple[Obligation, ...]:
    def right(
        v: SimpleNamespace, hash_: smt.IntTerm, owner: smt.IntTerm, other: smt.IntTerm, its: smt.IntTerm
    ) -> smt.BoolTerm:
        """Return the condition that a node comes first, and has the latest id at its hash.

        It is compared with an ``other`` node.
        """
        return smt.And(smt.Not(nearer(v.h, other, hash_)), smt.Implies(other == hash_, its <= owner))

    def step(e: RingEncoding, v: SimpleNamespace) -> Statement:
        after = e.put(v.h, state(v), new_node(v))
        return Statement(
            truth_values(v, "found")
            | {
                "the queue reaches a node": v.found == 1,
                "z of consumer w is any node on the ring, and not the better one": right(v, v.x, v.o, v.z, v.w),
                "nodes are put on the ring in the order of ids": smt.And(v.o <= v.k, v.w <= v.k),
            },
            smt.And(
                after.found,
                smt.Or(is_node(after, v.x, v.o), is_node(after, v.y, v.k)),
                right(v, after.hash, after.owner, v.z, v.w),
                right(v, after.hash, after.owner, v.x, v.o),
                right(v, after.hash, after.owner, v.y, v.k),
            ),
        )

    return (
        Obligation("successor.base", "A ring with one virtual node names this node.", ("h", *FIRST, *NEW), first_node),
        Obligation(
            "successor.step",
            "After one more virtual node, the ring names the old or new node: first in search order, then latest id.",
            ("h", *FIRST, *NEW, "z", "w"),
            step,
        ),
    )


def _violated(nearer: Nearer) -> Callable[[SymbolicGroup], smt.BoolTerm]:
    def violated(group: SymbolicGroup) -> smt.BoolTerm:
        """Return the condition that an arbitrary queue goes to a wrong consumer.

        The consumer of the right node does not take it, or another consumer takes it too.
        """
        hashes = {str(variable): variable for variable in group.variables}
        nodes = _nodes(hashes)
        position = hashes["p"]
        wrong = []
        for queue in range(sum(name.startswith("queue") for name in hashes)):
            here = hashes[f"queue{queue}"]
            for place, node in nodes:
                beaten = [
                    smt.Or(nearer(here, other, node), smt.And(other == node, later > place)) for later, other in nodes
                ]
                right = smt.Not(smt.Or(beaten))
                others = [member.owns for taker, member in enumerate(group.members) if taker != place]
                wrong.append(smt.And(position == queue, right, smt.Or(smt.Not(group.members[place].owns), *others)))
        return smt.Or(wrong)

    return violated


def _nodes(hashes: Mapping[str, smt.IntTerm]) -> list[tuple[int, smt.IntTerm]]:
    """Return (index of the consumer, hash value) of every virtual node."""
    return [
        (int(name.removeprefix("node").split("-")[0]), hash_)
        for name, hash_ in hashes.items()
        if name.startswith("node")
    ]


def _violation(around: Callable[[int, int], bool], first: str) -> Callable[[Group, Results], str | None]:
    """Return a function that checks concrete groups.

    ``around(node, queue)``: whether the search from the queue finds the node only after the end of the ring.
    """

    def violation(group: Group, results: Results) -> str | None:
        """Describe the first queue that does not go to the node that the rule names.

        None if there is none.
        """
        ring = group.setting
        assert isinstance(ring, Ring)
        if not ring.nodes:
            return None
        order = {client_id: place for place, client_id in enumerate(dict.fromkeys(client for _, client in ring.nodes))}
        ascending = sorted((ring.hashes[key], -order[client], key, client) for key, client in ring.nodes)
        for key, queue in zip(ring.queues, group.queues, strict=True):
            here = ring.hashes[key]
            ahead = (one for one in ascending if not around(one[0], here))
            _, _, node, owner = next(ahead, ascending[0])
            takers = [
                consumer.client_id for consumer, result in zip(group.consumers, results, strict=True) if queue in result
            ]
            if takers != [owner]:
                said = " and ".join(takers) or "nobody"
                return f"{name_queue(group, queue)} goes to {said}; {node} of {owner} is the first node {first} it."
        return None

    return violation


SUCCESSOR = Guarantee(
    name="successor",
    sentence="A queue goes to the first ring node at or after its hash, and the later id wins a collision",
    source="https://github.com/apache/rocketmq/blob/develop/common/src/main/java/org/apache/rocketmq/common/consistenthash/ConsistentHashRouter.java",
    obligations=agreed(*_obligations(nearer)),
    violated=_violated(nearer),
    violation=_violation(lambda node, queue: node < queue, "at or after"),
)
SUCCESSOR_GO = Guarantee(
    name="successor",
    sentence="A queue goes to the first ring node after its hash, and the later id wins a collision",
    source="https://github.com/stathat/consistent/blob/master/consistent.go",
    obligations=agreed(*_obligations(nearer_behind)),
    violated=_violated(nearer_behind),
    violation=_violation(lambda node, queue: node <= queue, "after"),
)
