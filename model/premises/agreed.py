"""Every premise holds: all consumers see the same sorted lists, and run the same strategy."""

from collections.abc import Sequence

import z3

from model.allocation.strategy import Encoding, Strategy
from model.group import Consumer, Group, client_ids
from model.premises.premise import (
    Member,
    Premise,
    SymbolicGroup,
    Values,
    plain_assignment,
    plain_configuration,
    some_queue,
    variables,
)
from model.queues import one_broker

__all__ = ["AGREED"]


def group(strategies: Sequence[Strategy], n: int, q: int, values: Values = ()) -> Group:
    """n consumers that agree on everything, over q queues."""
    queues, ids = one_broker(q), client_ids(n)
    return Group(queues, tuple(Consumer(client_id, queues, ids, strategies[0]) for client_id in ids))


def symbolic(encodings: Sequence[Encoding], n: int) -> SymbolicGroup:
    """The same, for any q."""
    q, position = variables("q", "p")
    members = tuple(Member(encodings[0], q, z3.IntVal(n), z3.IntVal(place), position) for place in range(n))
    return SymbolicGroup(q, members, tuple(some_queue(q, position)), (q, position))


AGREED = Premise(
    name="agreed",
    sentence="All consumers see the same sorted mqAll and cidAll, their own ids in it once, and run the same strategy.",
    otherwise="",
    without="",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    radices=lambda n, q: (),
    admits=lambda n, q, values: True,
    groups=lambda n, q: 1,
    group=group,
    symbolic=symbolic,
    assignment=plain_assignment(""),
    configuration=plain_configuration("", lambda n: 0),
    bound=(64, 64),
)
