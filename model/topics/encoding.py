"""SMT encoding of a strategy over several topics: which lists it divides, and how."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TypedDict

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.strategy import Count, Encoding, Owner, Strategy
from rebalance_proofs.model.queues import MessageQueue, one_broker, utf16_units
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.values import Mutant

# Helpers for queues of several topics: lists of them, and divisions into topics as bits.


def topic_names(count: int) -> tuple[str, ...]:
    """Return ``count`` topic names, in an order that every client uses."""
    return tuple(f"T{number}" if count <= 10 else f"T{number:04d}" for number in range(count))


def queues_of(sizes: Sequence[int]) -> tuple[MessageQueue, ...]:
    """Return the queues of topics of these sizes, in an order that every client uses.

    One topic follows after the other.
    """
    named = zip(sizes, topic_names(len(sizes)), strict=True)
    return tuple(queue for size, topic in named for queue in one_broker(size, topic))


def by_topic(mq_all: Sequence[MessageQueue]) -> dict[str, list[MessageQueue]]:
    """Return each topic's queues, in the order of the list."""
    found: dict[str, list[MessageQueue]] = {}
    for queue in mq_all:
        found.setdefault(queue.topic, []).append(queue)
    return found


def in_order_of_kafka(queue: MessageQueue) -> tuple[bytes, bytes, int]:
    """Return Kafka's sort key of a queue: strings are compared by UTF-16 units."""
    return utf16_units(queue.topic), utf16_units(queue.broker_name), queue.queue_id


def sizes_of(bits: Sequence[int]) -> tuple[int, ...]:
    """Return the number of queues of each topic.

    Bit k - 1 says that a new topic begins at queue k.
    """
    sizes = [1]
    for new in bits:
        if new:
            sizes.append(1)
        else:
            sizes[-1] += 1
    return tuple(sizes)


def bits_of(sizes: Sequence[int]) -> tuple[int, ...]:
    """Return the bits that encode topics of these sizes: the inverse of ``sizes_of``."""
    begins = set(accumulate(sizes))
    return tuple(int(place in begins) for place in range(1, sum(sizes)))


# SMT encodings of strategies that give every consumer one block of a list of queues.


def blocks(first: Count, length: Count, owner: Owner) -> Encoding:
    """Return the encoding of a strategy that gives each consumer one block of the list.

    The block of an index is ``length(q, c, index)`` positions long and begins at ``first(q, c, index)``.
    """

    def owns(q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm, position: smt.IntTerm) -> smt.BoolTerm:
        begin = first(q, c, index)
        return smt.And(begin <= position, position < begin + length(q, c, index))

    return Encoding(
        owns=owns,
        count=length,
        element=lambda q, c, index, k: first(q, c, index) + k,
        rank=lambda q, c, index, position: position - first(q, c, index),
        owner=owner,
    )


# Guarantees claimed for strategies over several topics.
# They depend on whether a strategy divides one list per topic or one list of all topics.


class Promises(TypedDict):
    """Names of guarantees that a strategy gives or does not give, as arguments of ``Strategy``."""

    holds: frozenset[str]
    fails: frozenset[str]


PER_TOPIC: Promises = {"holds": frozenset({"tilt", "attained", "lowest-first"}), "fails": frozenset({"level"})}
ONE_LIST: Promises = {"holds": frozenset({"level", "tilt", "lowest-first"}), "fails": frozenset({"attained"})}


@dataclass(frozen=True)
class TopicsEncoding(Encoding):
    """SMT encoding of a strategy over several topics.

    It encodes how one list of q queues is divided, and which lists there are.
    """

    per_topic: bool
    """Whether each topic's queues are a list of their own.

    Otherwise the queues of all topics are one list.
    """

    def takes(
        self,
        c: smt.IntTerm,
        index: smt.IntTerm,
        in_topic: tuple[smt.IntTerm, smt.IntTerm],
        in_all: tuple[smt.IntTerm, smt.IntTerm],
    ) -> smt.BoolTerm:
        """Return the condition that the consumer gets a queue.

        ``in_topic``, ``in_all``: the number of queues, and the position of the queue among them, in its topic
        and in all topics.
        """
        q, position = in_topic if self.per_topic else in_all
        return self.owns(q, c, index, position)

    def load(
        self, before: smt.IntTerm, so_far: smt.IntTerm, q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm
    ) -> smt.IntTerm:
        """Return the consumer's number of queues of all topics after one topic is added.

        The added topic has ``q`` queues. The other topics have ``so_far`` queues; the consumer has ``before``
        of them.
        """
        if self.per_topic:
            return before + self.count(q, c, index)
        return self.count(so_far + q, c, index)


def of_each_topic(encoding: Encoding) -> TopicsEncoding:
    """Return the encoding of a strategy that divides each topic on its own by ``encoding``."""
    return TopicsEncoding(**vars(encoding), per_topic=True)


def of_one_list(encoding: Encoding) -> TopicsEncoding:
    """Return the encoding of a strategy that divides one list of all topics by ``encoding``."""
    return TopicsEncoding(**vars(encoding), per_topic=False)


# Mutants of strategies over several topics; each guarantee about topics must reject some.


def mutants(right: TopicsEncoding) -> tuple[Mutant, ...]:
    """Return four mutants, with errors that each of these strategies could have."""
    return (
        other_lists(right),
        Mutant(
            "remainder-to-first",
            "A list is cut into blocks, and the first consumer takes the whole remainder.",
            replace(right, **vars(REMAINDER_TO_FIRST)),
            breaks="tilt",
        ),
        Mutant(
            "last-left-out",
            "A list is divided among one consumer too few.",
            seen_as(right, lambda c, index: (smt.If(c > 1, c - 1, 1), index)),
            breaks="tilt" if right.per_topic else "level",
        ),
        Mutant(
            "last-first",
            "Indexes are counted from the last consumer.",
            seen_as(right, lambda c, index: (c, c - 1 - index)),
            breaks="lowest-first",
        ),
    )


def other_lists(right: TopicsEncoding) -> Mutant:
    """Return the mutant that divides one list of all topics instead of one per topic.

    Or the opposite, if the right strategy divides one list.
    """
    if right.per_topic:
        name, sentence, breaks = "one-list", "The queues of all topics are divided as one list.", "attained"
    else:
        name, sentence, breaks = "topic-by-topic", "Every topic is divided on its own.", "level"
    return Mutant(name, sentence, replace(right, per_topic=not right.per_topic), breaks)


def seen_as(
    right: TopicsEncoding, see: Callable[[smt.IntTerm, smt.IntTerm], tuple[smt.IntTerm, smt.IntTerm]]
) -> TopicsEncoding:
    """Return an encoding that computes with another number of consumers and another index.

    ``see(c, index)`` returns both.
    """
    return replace(
        right,
        owns=lambda q, c, index, position: right.owns(q, *see(c, index), position),
        count=lambda q, c, index: right.count(q, *see(c, index)),
        element=lambda q, c, index, k: right.element(q, *see(c, index), k),
        rank=lambda q, c, index, position: right.rank(q, *see(c, index), position),
    )


REMAINDER_TO_FIRST = blocks(
    first=lambda q, c, index: smt.If(index == 0, 0, index * (q / c) + q % c),
    length=lambda q, c, index: smt.If(index == 0, q / c + q % c, q / c),
    owner=lambda q, c, position: smt.If(position < q / c + q % c, 0, (position - q % c) / (q / c)),
)


# Strategies that allocate each topic on its own, as RocketMQ clients do.
# cidAll is the same for all topics.

# Strategies that allocate the queues of all topics as one list; no RocketMQ client does.


def one_list(inner: Strategy) -> Strategy:
    """Return the strategy that applies ``inner`` to one list of all topics' queues."""
    encoding = of_one_list(inner.encoding)
    return Strategy(
        name=f"{inner.name}-one-list",
        rocketmq_name=f"{inner.rocketmq_name} over all topics' queues together",
        source=inner.source,
        allocate=inner.allocate,
        encoding=encoding,
        mutants=mutants(encoding),
        **ONE_LIST,
    )


AVERAGELY_OF_ONE_LIST = one_list(AVERAGELY)
CIRCLE_OF_ONE_LIST = one_list(AVERAGELY_BY_CIRCLE)


def per_topic(inner: Strategy) -> Strategy:
    """Return the strategy that applies ``inner`` to each topic, as the client's loop does."""

    def allocate(current_cid: str, mq_all: Sequence[MessageQueue], cid_all: Sequence[str]) -> list[MessageQueue]:
        result: list[MessageQueue] = []
        for queues in by_topic(mq_all).values():
            result.extend(inner.allocate(current_cid, queues, cid_all) or ())
        return result

    encoding = of_each_topic(inner.encoding)
    return Strategy(
        name=f"{inner.name}-per-topic",
        rocketmq_name=f"{inner.rocketmq_name}, topic by topic",
        source="org.apache.rocketmq.client.impl.consumer.RebalanceImpl#doRebalance",
        allocate=allocate,
        encoding=encoding,
        mutants=mutants(encoding),
        **PER_TOPIC,
    )


AVERAGELY_PER_TOPIC = per_topic(AVERAGELY)
CIRCLE_PER_TOPIC = per_topic(AVERAGELY_BY_CIRCLE)

TOPIC_BY_TOPIC = (AVERAGELY_PER_TOPIC, CIRCLE_PER_TOPIC)
"""Strategies of RocketMQ clients, applied to each topic."""
