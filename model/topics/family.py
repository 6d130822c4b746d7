"""The world of groups whose q queues are divided into topics in every possible way.

All consumers agree on everything.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.group import Consumer, Group, client_ids
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.topics.encoding import TopicsEncoding, queues_of, sizes_of, topic_names
from rebalance_proofs.model.worlds.groups import Groups, SymbolicGroup, Values, in_range, variables
from rebalance_proofs.model.worlds.settings import sized_member


@dataclass(frozen=True)
class Topics:
    """The number of queues of each topic, for the printed description of a group."""

    sizes: tuple[int, ...]
    """Number of queues of each topic, in the order of topics."""

    @property
    def notes(self) -> tuple[str, ...]:
        """One sentence about the topics; a queue is named by its position among all queues."""
        said, first = [], 0
        for topic, size in zip(topic_names(len(self.sizes)), self.sizes, strict=True):
            places = f"queue {first}" if size == 1 else f"queues {first} to {first + size - 1}"
            said.append(f"{topic} has {places}")
            first += size
        return (f"Topic {', topic '.join(said)}.",)


@dataclass(frozen=True, kw_only=True)
class TopicsGroup(SymbolicGroup):
    """A symbolic group whose queues belong to several topics."""

    topics: smt.IntTerm
    """The number of topics, as a term."""


def group(strategies: Sequence[Strategy], n: int, q: int, values: Values) -> Group:
    """Return a group of n consumers that agree on everything.

    Each digit is 1 where a new topic begins. Each consumer's mqAll has all topics in order.
    """
    sizes = sizes_of(values)
    queues, ids = queues_of(sizes), client_ids(n)
    consumers = tuple(Consumer(client_id, queues, ids, strategies[0]) for client_id in ids)
    return Group(queues, consumers, Topics(sizes))


def names(q: int) -> list[str]:
    """Return the names of the SMT unknowns: ``new3`` is 1 if a topic begins at queue 3."""
    return [f"new{place}" for place in range(1, q)]


def symbolic(encodings: Sequence[TopicsEncoding], n: int, q: int) -> TopicsGroup:
    """Return n consumers and q queues with unknown division into topics, as SMT terms."""
    (position,), bits = variables("p"), variables(*names(q))
    begins = [bit == 1 for bit in bits]
    first, after = [smt.IntVal(0)], [smt.IntVal(q)]
    for place, new in enumerate(begins, start=1):
        first.append(smt.If(new, place, first[-1]))
    for place, new in reversed(list(enumerate(begins, start=1))):
        after.insert(0, smt.If(new, place, after[0]))

    def takes(index: int, place: int) -> smt.BoolTerm:
        in_topic = (after[place] - first[place], place - first[place])
        return encodings[0].takes(smt.IntVal(n), smt.IntVal(index), in_topic, (smt.IntVal(q), smt.IntVal(place)))

    members = [sized_member([takes(index, place) for place in range(q)], n, index, position) for index in range(n)]
    return TopicsGroup(
        queues=smt.IntVal(q),
        members=tuple(members),
        constraints=(0 <= position, position < q, *in_range(bits, [2] * len(bits))),
        variables=(position, *bits),
        topics=smt.Sum([smt.IntVal(1), *bits]),
    )


def assignment(n: int, q: int, values: Values, queue: int) -> dict[str, int]:
    """Return the values of the symbolic unknowns for a concrete group and one of its queues."""
    return {"p": queue} | dict(zip(names(q), values, strict=True))


def configuration(n: int, assignment: Mapping[str, int]) -> tuple[int, Values]:
    """Return q and the digits of the group that an assignment describes.

    The inverse of ``assignment``.
    """
    q = len(assignment)  # p and q - 1 bits
    return q, tuple(assignment[name] for name in names(q))


TOPICS = Groups(
    name="topics",
    sentence="All consumers see the same sorted lists, and subscribe to the same topics.",
    otherwise="",
    without="",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    radices=lambda n, q: (2,) * (q - 1),
    admits=lambda n, q, values: True,
    groups=lambda n, q: 2 ** (q - 1),
    group=group,
    symbolic=symbolic,
    assignment=assignment,
    configuration=configuration,
    bound=(4, 6),
    sized=True,
)
