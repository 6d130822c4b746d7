"""Loads: how many queues of all topics a consumer has. They grow topic by topic, which the inductions are about.

A state of the induction has t topics with s queues in all, of which index i has x and index j has y. Every topic has a
queue. The next topic has q queues.
"""

from collections.abc import Sequence
from types import SimpleNamespace

import z3

from model.group import Group
from model.premises.premise import SymbolicGroup
from model.topics.encoding import TopicsEncoding
from proofs.allocation.names import name_consumer
from proofs.allocation.sublist import SUBLIST
from proofs.guarantee import Results

COUNTED = SUBLIST.obligations
"""The number of queues that a consumer has of one list is ``count``: they stand in a list of that length, each once."""

ISSUE = "https://github.com/apache/rocketmq/issues/1945"


def some_topics(v: SimpleNamespace) -> dict[str, z3.BoolRef]:
    """There are topics so far."""
    return {"t topics, at least one": v.t >= 1, "each topic has a queue": v.s >= v.t}


def first_load(e: TopicsEncoding, q: z3.ArithRef, c: z3.ArithRef, index: z3.ArithRef) -> z3.ArithRef:
    """The load when the only topic has q queues."""
    return e.load(z3.IntVal(0), z3.IntVal(0), q, c, index)


def loads(group: SymbolicGroup) -> list[z3.ArithRef]:
    """Everybody's number of queues."""
    views = [(member.encoding, (member.queues, member.consumers, member.index)) for member in group.members]
    return [encoding.count(*view) for encoding, view in views]


def topics_of(group: Group) -> int:
    """How many topics there are."""
    return len({queue.topic for queue in group.queues})


def extremes(group: Group, results: Results) -> tuple[int, str]:
    """By how much loads differ, and who has most and least: ``c0 has 2 queues, c1 has 0``."""
    sizes: Sequence[int] = [len(result) for result in results]
    low, high = min(sizes), max(sizes)
    most, least = name_consumer(group, sizes.index(high)), name_consumer(group, sizes.index(low))
    return high - low, f"{most} has {high} queues, {least} has {low}"
