"""Guarantee: a queue goes to the first virtual node at or after its hash.

If nodes have the same hash, it goes to that of the later id. In the Go client it goes to the first node after its
hash.
"""

from collections.abc import Callable, Mapping
from types import SimpleNamespace

from rebalance_proofs.model.allocation.ring import RingEncoding
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import SymbolicGroup
from rebalance_proofs.model.worlds.rings import Ring
from rebalance_proofs.proofs.allocation.stated import name_queue
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.hashing.induction import (
    FIRST,
    NEW,
    Nearer,
    first_node,
    is_node,
    nearer,
    nearer_behind,
    new_node,
    state,
)
from rebalance_proofs.proofs.obligation import Obligation, Statement, truth_values


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
