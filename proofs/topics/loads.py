"""Loads: numbers of a consumer's queues over all topics.

The inductions add one topic after another. A state of the induction has t topics with s queues in total; index i has
x of them and index j has y. Every topic has a queue. The next topic has q queues.
"""

from types import SimpleNamespace

from rebalance_proofs.model.group import Group
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.topics.encoding import TopicsEncoding
from rebalance_proofs.model.worlds.agreed import AGREED
from rebalance_proofs.model.worlds.groups import SymbolicGroup
from rebalance_proofs.proofs.allocation.sublist import SUBLIST

COUNTED = SUBLIST.obligations(AGREED)
"""Obligations that ``count`` is the number of a consumer's queues in one topic.

The consumer's list has no repetitions.
"""

ISSUE = "https://github.com/apache/rocketmq/issues/1945"


def some_topics(v: SimpleNamespace) -> dict[str, smt.BoolTerm]:
    """Return the assumption that there are t >= 1 topics so far, each with a queue."""
    return {"t topics, at least one": v.t >= 1, "each topic has a queue": v.s >= v.t}


def first_load(e: TopicsEncoding, q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm) -> smt.IntTerm:
    """Return the load of a consumer if there is only one topic, with q queues."""
    return e.load(smt.IntVal(0), smt.IntVal(0), q, c, index)


def loads(group: SymbolicGroup) -> list[smt.IntTerm]:
    """Return the number of queues of each consumer, over all topics."""
    return [member.count for member in group.members]


def topics_of(group: Group) -> int:
    """Return the number of topics."""
    return len({queue.topic for queue in group.queues})
