"""Guarantee: every queue is given to some consumer."""

from types import SimpleNamespace

from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.allocation.stated import name_queues
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.obligation import Obligation, Statement, position, sizes


def _owner_exists(e: Encoding, v: SimpleNamespace) -> Statement:
    owner = e.owner(v.q, v.c, v.p)
    return Statement(sizes(v) | position(v, "p"), smt.And(0 <= owner, owner < v.c))


def _owner_owns(e: Encoding, v: SimpleNamespace) -> Statement:
    return Statement(sizes(v) | position(v, "p"), e.owns(v.q, v.c, e.owner(v.q, v.c, v.p), v.p))


def violation(group: Group, results: Results) -> str | None:
    """List the queues that are in no result, in a sentence; None if there are none."""
    taken = set().union(*results)
    left = [queue for queue in group.queues if queue not in taken]
    if not left:
        return None
    return f"{name_queues(group, left)} {'has' if len(left) == 1 else 'have'} no consumer."


COVERS = Guarantee(
    name="covers",
    sentence="Every queue is given to some consumer",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    obligations=agreed(
        Obligation("owner-exists", "The owner of a position is a consumer.", ("q", "c", "p"), _owner_exists),
        Obligation("owner-owns", "The owner of a position owns it.", ("q", "c", "p"), _owner_owns),
    ),
    violated=lambda group: smt.Not(smt.Or([member.owns for member in group.members])),
    violation=violation,
)
