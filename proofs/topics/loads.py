"""Loads: numbers of a consumer's queues over all topics.

The inductions add one topic after another. A state of the induction has t topics with s queues in total; index i has
x of them and index j has y. Every topic has a queue. The next topic has q queues.
"""

from dataclasses import dataclass
from itertools import pairwise
from types import SimpleNamespace

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import greatest, how_many, least
from rebalance_proofs.model.topics.encoding import TopicsEncoding, bits_of
from rebalance_proofs.model.topics.family import TOPICS, TopicsGroup
from rebalance_proofs.model.worlds.groups import AGREED, SymbolicGroup
from rebalance_proofs.proofs.allocation.lists import SUBLIST
from rebalance_proofs.proofs.allocation.observed import observe, observe_lists
from rebalance_proofs.proofs.allocation.stated import extremes, name_consumer
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.named import number
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, sizes

# The client's code with the interface of an encoding, for topics of given sizes.


@dataclass(frozen=True)
class ObservedTopics(TopicsEncoding):
    """An encoding whose parts, including loads over several topics, run the client's code."""

    strategy: Strategy

    def load(
        self, before: smt.IntTerm, so_far: smt.IntTerm, q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm
    ) -> smt.IntTerm:
        """Return a consumer's number of queues over all topics, after one more topic of q queues.

        First a topic of ``so_far`` queues (if any) is allocated, then one of q queues. See ``TopicsEncoding.load``.
        """
        sizes = [number(size) for size in (so_far, q) if number(size)]
        group = TOPICS.group((self.strategy,), number(c), sum(sizes), bits_of(sizes))
        result = group.consumers[number(index)].allocate()
        if self.per_topic:
            last = group.queues[-1].topic
            return before + sum(queue.topic == last for queue in result)
        return smt.IntVal(len(result))


@observe.register
def _topics(encoding: TopicsEncoding, strategy: Strategy) -> ObservedTopics:
    return ObservedTopics(**vars(observe_lists(encoding, strategy)), per_topic=encoding.per_topic, strategy=strategy)


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


# Guarantee: the largest skew over several topics occurs.
# Of t topics with one queue each, the first consumer gets all queues, the last none.

FIRST, ONE = smt.IntVal(0), smt.IntVal(1)


def several(v: SimpleNamespace) -> dict[str, smt.BoolTerm]:
    """Return the assumption that the first and the last consumer are different."""
    return {"at least two consumers": v.c >= 2}


def _base_attained(e: TopicsEncoding, v: SimpleNamespace) -> Statement:
    first, last = (first_load(e, ONE, v.c, index) for index in (FIRST, v.c - 1))
    return Statement(several(v), smt.And(first == 1, last == 0))


def _step(e: TopicsEncoding, v: SimpleNamespace) -> Statement:
    first, last = e.load(v.x, v.s, ONE, v.c, FIRST), e.load(v.y, v.s, ONE, v.c, v.c - 1)
    return Statement(
        several(v)
        | {
            "t topics, at least one": v.t >= 1,
            "each topic has one queue": v.s == v.t,
            "so far the first consumer has all queues": v.x == v.t,
            "so far the last consumer has no queue": v.y == 0,
        },
        smt.And(first == v.t + 1, last == 0),
    )


def violated(group: TopicsGroup) -> smt.BoolTerm:
    """Return the condition that the first or last consumer has a wrong number of queues.

    Each topic has one queue.
    """
    first, *others = loads(group)
    if not others:
        return smt.BoolVal(False)
    return smt.And(group.topics == group.queues, smt.Or(first != group.topics, others[-1] != 0))


def violation(group: Group, results: Results) -> str | None:
    """Describe the first or last consumer, if its number of queues is wrong.

    None if both are right.
    """
    topics = topics_of(group)
    if len(results) < 2 or topics < len(group.queues):
        return None
    for place, expected in ((0, topics), (len(results) - 1, 0)):
        if len(results[place]) != expected:
            who = name_consumer(group, place)
            return f"{who} has {len(results[place])} of {topics} topics with one queue each, not {expected}."
    return None


ATTAINED = Guarantee(
    name="attained",
    sentence="If c > 1, t one-queue topics give the first consumer t queues and the last none",
    source=ISSUE,
    obligations=agreed(
        Obligation(
            "attained.base",
            "The queue of one one-queue topic goes to the first consumer, not to the last.",
            ("c",),
            _base_attained,
        ),
        Obligation(
            "attained.step",
            "If the first consumer has all queues of t topics and the last none, one more one-queue topic keeps that.",
            ("t", "s", "x", "y", "c"),
            _step,
        ),
        *COUNTED,
    ),
    violated=violated,
    violation=violation,
)


# Guarantee: a consumer never has fewer queues than one with a higher index.
# The queues are counted over all topics. A skew therefore always favours the same side.


def two(v: SimpleNamespace) -> dict[str, smt.BoolTerm]:
    """Return the assumption that i and j are indexes, and i is the lower one."""
    return sizes(v) | consumer(v, "i") | consumer(v, "j") | {"i is lower than j": v.i < v.j}


def _base_lowest(e: TopicsEncoding, v: SimpleNamespace) -> Statement:
    return Statement(two(v), first_load(e, v.q, v.c, v.i) >= first_load(e, v.q, v.c, v.j))


def _step_lowest_first(e: TopicsEncoding, v: SimpleNamespace) -> Statement:
    return Statement(
        two(v) | some_topics(v) | {"so far i has at least as many queues as j": v.x >= v.y},
        e.load(v.x, v.s, v.q, v.c, v.i) >= e.load(v.y, v.s, v.q, v.c, v.j),
    )


def violated_lowest_first(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that some consumer has fewer queues than the next one."""
    return how_many([lower < higher for lower, higher in pairwise(loads(group))]) > 0


def violation_lowest_first(group: Group, results: Results) -> str | None:
    """Describe the first consumer that has fewer queues than the next one.

    None if there is none.
    """
    for place, (lower, higher) in enumerate(pairwise(results)):
        if len(lower) < len(higher):
            this, following = name_consumer(group, place), name_consumer(group, place + 1)
            return f"{this} has {len(lower)} queues, {following}, the next consumer, has {len(higher)}."
    return None


LOWEST_FIRST = Guarantee(
    name="lowest-first",
    sentence="Over all topics, a lower index never has fewer queues than a higher one",
    source=ISSUE,
    obligations=agreed(
        Obligation(
            "lowest-first.base",
            "With one topic, a lower index has at least as many queues as a higher one.",
            ("q", "c", "i", "j"),
            _base_lowest,
        ),
        Obligation(
            "lowest-first.step",
            "If a lower index has at least as many queues with t topics, it does so with one more topic.",
            ("t", "s", "x", "y", "q", "c", "i", "j"),
            _step_lowest_first,
        ),
        *COUNTED,
    ),
    violated=violated_lowest_first,
    violation=violation_lowest_first,
)


# Guarantee: the queue counts of two consumers, over t topics, differ by at most t.


def within(x: smt.IntTerm, y: smt.IntTerm, bound: smt.IntTerm | int) -> smt.BoolTerm:
    """Return the condition that the two numbers differ by at most ``bound``."""
    return smt.And(x - y <= bound, y - x <= bound)


def _base_tilt(e: TopicsEncoding, v: SimpleNamespace) -> Statement:
    given = sizes(v) | consumer(v, "i") | consumer(v, "j")
    return Statement(given, within(first_load(e, v.q, v.c, v.i), first_load(e, v.q, v.c, v.j), 1))


def _step_tilt(e: TopicsEncoding, v: SimpleNamespace) -> Statement:
    given = sizes(v) | consumer(v, "i") | consumer(v, "j") | some_topics(v)
    return Statement(
        given | {"so far they differ by at most t": within(v.x, v.y, v.t)},
        within(e.load(v.x, v.s, v.q, v.c, v.i), e.load(v.y, v.s, v.q, v.c, v.j), v.t + 1),
    )


def violated_tilt(group: TopicsGroup) -> smt.BoolTerm:
    """Return the condition that two consumers' loads differ by more than the number of topics.

    The load is the number of a consumer's queues over all topics.
    """
    return greatest(loads(group)) - least(loads(group)) > group.topics


def violation_tilt(group: Group, results: Results) -> str | None:
    """Describe two consumers whose loads differ by more than the number of topics.

    None if there are none.
    """
    difference, said = extremes(group, results)
    topics = topics_of(group)
    return f"{said}, of {topics} topic{'' if topics == 1 else 's'}." if difference > topics else None


TILT = Guarantee(
    name="tilt",
    sentence="Queue counts over t topics differ by at most t",
    source=ISSUE,
    obligations=agreed(
        Obligation("tilt.base", "With one topic, two loads differ by at most one.", ("q", "c", "i", "j"), _base_tilt),
        Obligation(
            "tilt.step",
            "If two loads differ by at most t with t topics, they differ by at most t + 1 with one more topic.",
            ("t", "s", "x", "y", "q", "c", "i", "j"),
            _step_tilt,
        ),
        *COUNTED,
    ),
    violated=violated_tilt,
    violation=violation_tilt,
)
