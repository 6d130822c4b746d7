"""Kafka's RoundRobinAssignor: members take all partitions in turn.

Members have the same subscriptions. The group leader computes the assignment for all members; a member's result is the
leader's assignment for it.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import cycle

from rebalance_proofs.model.allocation.strategy import Encoding, Strategy
from rebalance_proofs.model.queues import MessageQueue, utf16_units
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.topics.encoding import ONE_LIST, in_order_of_kafka, mutants, of_one_list


def allocate(current_cid: str, mq_all: Sequence[MessageQueue], cid_all: Sequence[str]) -> list[MessageQueue]:
    """Return the partitions that the leader assigns to this member; none for an unknown member."""
    return assign(mq_all, cid_all).get(current_cid, [])


def assign(
    partitions: Sequence[MessageQueue],
    members: Sequence[str],
    topics: Mapping[str, Collection[str]] | None = None,
) -> dict[str, list[MessageQueue]]:
    """Return each member's partitions: members take partitions in turn, in the order of ids.

    The turns go through topic after topic. ``topics``: the topics of members that do not subscribe to all; the turn
    skips members that do not subscribe to the partition's topic.
    """
    assigned: dict[str, list[MessageQueue]] = {member: [] for member in sorted(set(members), key=utf16_units)}
    turns = cycle(assigned.items())
    for partition in sorted(partitions, key=in_order_of_kafka):
        for _, (member, taken) in zip(assigned, turns, strict=False):
            if topics is None or partition.topic in topics.get(member, [partition.topic]):
                taken.append(partition)
                break
    return assigned


def owns(q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm, position: smt.IntTerm) -> smt.BoolTerm:
    """Return the condition that the member gets the position."""
    return smt.And(0 <= position, position < q, position % c == index)


def count(q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm) -> smt.IntTerm:
    """Return the member's number of partitions.

    These are the whole rounds, plus 1 if the last, incomplete round reaches the member.
    """
    return q / c + smt.If(index < q % c, 1, 0)


ENCODING = of_one_list(
    Encoding(
        owns=owns,
        count=count,
        element=lambda q, c, index, k: index + c * k,
        rank=lambda q, c, index, position: (position - index) / c,
        owner=lambda q, c, position: position % c,
    )
)

KAFKA_ROUND_ROBIN = Strategy(
    name="kafka-round-robin",
    rocketmq_name="Kafka RoundRobinAssignor",
    source="https://kafka.apache.org/42/javadoc/org/apache/kafka/clients/consumer/RoundRobinAssignor.html",
    allocate=allocate,
    encoding=ENCODING,
    mutants=mutants(ENCODING),
    **ONE_LIST,
)
