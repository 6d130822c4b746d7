"""The world where all assumptions hold.

All consumers of a group see the same sorted lists, and run the same strategy.
"""

from collections.abc import Sequence

from rebalance_proofs.model.allocation.strategy import Encoding, Strategy, queues_for
from rebalance_proofs.model.group import Consumer, Group, client_ids
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.bits import of_bits
from rebalance_proofs.model.worlds.groups import Member, SymbolicGroup, Values, some_queue, variables


def group(strategies: Sequence[Strategy], n: int, q: int, values: Values = ()) -> Group:
    """Return n consumers that see the same q queues and n ids, and run the same strategy."""
    queues, ids = queues_for(strategies, q), client_ids(n)
    return Group(queues, tuple(Consumer(client_id, queues, ids, strategies[0]) for client_id in ids))


def symbolic(encodings: Sequence[Encoding], n: int) -> SymbolicGroup:
    """Return n consumers that agree on everything as SMT terms, for any number q of queues."""
    q, position = variables("q", "p")
    members = tuple(Member(encodings[0], q, smt.IntVal(n), smt.IntVal(place), position) for place in range(n))
    return SymbolicGroup(q, members, tuple(some_queue(q, position)), (q, position))


AGREED = of_bits(
    bit="",
    bits=lambda n: 0,
    name="agreed",
    sentence=(
        "All consumers run the same strategy and see the same sorted mqAll and cidAll, with each consumer's id once."
    ),
    otherwise="",
    without="",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    group=group,
    symbolic=symbolic,
    bound=(64, 64),
)
