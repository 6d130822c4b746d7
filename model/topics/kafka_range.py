"""Kafka's RangeAssignor: each member gets one range of partitions of each topic.

Members have the same subscriptions and no racks. The group leader computes the assignment for all members; a member's
result is the leader's assignment for it.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import islice

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.queues import MessageQueue, utf16_units
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.topics.encoding import (
    PER_TOPIC,
    blocks,
    by_topic,
    in_order_of_kafka,
    mutants,
    of_each_topic,
)


def allocate(current_cid: str, mq_all: Sequence[MessageQueue], cid_all: Sequence[str]) -> list[MessageQueue]:
    """Return the partitions that the leader assigns to this member; none for an unknown member."""
    return assign(mq_all, cid_all).get(current_cid, [])


def assign(
    partitions: Sequence[MessageQueue],
    members: Sequence[str],
    topics: Mapping[str, Collection[str]] | None = None,
) -> dict[str, list[MessageQueue]]:
    """Return each member's partitions: the next range of each topic, in the order of ids.

    The first ranges are one partition longer. ``topics``: the topics of members that do not subscribe to all; only
    a topic's subscribers divide it.
    """
    assigned: dict[str, list[MessageQueue]] = {member: [] for member in sorted(set(members), key=utf16_units)}
    for topic, of_topic in by_topic(sorted(partitions, key=in_order_of_kafka)).items():
        rest = iter(of_topic)
        readers = [
            taken for member, taken in assigned.items() if topics is None or topic in topics.get(member, [topic])
        ]
        least, longer = divmod(len(of_topic), len(readers) or 1)
        for place, taken in enumerate(readers):
            taken.extend(islice(rest, least + 1 if place < longer else least))
    return assigned


def first(q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm) -> smt.IntTerm:
    """Return the first position of the member's range.

    Each range before it has q div c positions, the first q mod c of them one more.
    """
    return index * (q / c) + smt.If(index < q % c, index, q % c)


def length(q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm) -> smt.IntTerm:
    """Return the length of the member's range: q div c, plus 1 for the first q mod c members."""
    return smt.If(index < q % c, q / c + 1, q / c)


def owner(q: smt.IntTerm, c: smt.IntTerm, position: smt.IntTerm) -> smt.IntTerm:
    """Return the index of the member that gets the position.

    It is counted in long ranges, or from the end in short ones.
    """
    from_end = q - 1 - position
    in_long = position < (q % c) * (q / c + 1)
    return smt.If(in_long, position / (q / c + 1), c - 1 - from_end / (q / c))


ENCODING = of_each_topic(blocks(first, length, owner))

KAFKA_RANGE = Strategy(
    name="kafka-range",
    rocketmq_name="Kafka RangeAssignor",
    source="https://kafka.apache.org/42/javadoc/org/apache/kafka/clients/consumer/RangeAssignor.html",
    allocate=allocate,
    encoding=ENCODING,
    mutants=mutants(ENCODING),
    **PER_TOPIC,
)
