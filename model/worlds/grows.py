"""The world where all assumptions hold and queues were added to the topic.

The group after the addition is compared with the group before. The new queues are adjacent in the sort order: on their
own broker, or after the other queues of their broker. In reverse, queues are removed, as when a broker leaves.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rebalance_proofs.model.allocation.strategy import Encoding, Strategy, queues_for
from rebalance_proofs.model.group import Consumer, Group
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import AGREED, Groups, Member, SymbolicGroup, Values, variables

# Groups that change twice: before, in between, and after.
# The reference of each stage, the group that it is compared with, is the stage before it.


@dataclass(frozen=True, kw_only=True)
class StagedGroup(SymbolicGroup):
    """A symbolic group with three stages; ``reference`` is the second stage."""

    earlier: tuple[Member, ...]
    """The members of the first stage, index by index.

    A consumer that is absent at a stage is not listed in it.
    """


def stages(queues: Sequence[MessageQueue], first: Sequence[Consumer], *later: Sequence[Consumer]) -> Group:
    """Return the last of several successive groups of consumers.

    Each group's reference is the group before it.
    """
    found = Group(tuple(queues), tuple(first))
    for consumers in later:
        found = Group(tuple(queues), tuple(consumers), reference=found)
    return found


def with_ids(consumer: Consumer, ids: Sequence[str]) -> tuple[Consumer, ...]:
    """Return one copy of the consumer for each id; all copies have ``ids`` as cidAll."""
    return tuple(replace(consumer, client_id=client_id, cid_all=tuple(ids)) for client_id in ids)


def symbolic_member(
    encoding: Encoding,
    q: smt.IntTerm,
    consumers: int,
    index: smt.IntTerm,
    position: smt.IntTerm,
    there: smt.BoolTerm | None = None,
) -> Member:
    """Return one member of a group with ``consumers`` consumers, as SMT terms.

    If ``there`` is given, the member is listed only where it holds.
    """
    listed = smt.BoolVal(True) if there is None else there
    return Member(encoding, q, smt.IntVal(max(consumers, 1)), index, position, listed=listed)


def admits(n: int, q: int, values: Values) -> bool:
    """Return whether at least one queue is old, and the new queues are among the q queues."""
    first, more = values
    return more + 1 < q and first + more + 1 <= q


def nth(n: int, q: int, number: int) -> Values:
    """Return the digits of the group with this index; groups are sorted by the first digit.

    Digit 0 has as many strings as digit 1, because at least one queue must be old.
    """
    if number < q - 1:
        return 0, number
    first, more = 1, number - (q - 1)
    while more >= q - first:
        first, more = first + 1, more - (q - first)
    return first, more


def group(strategies: Sequence[Strategy], n: int, q: int, values: Values) -> Group:
    """Build the group of n consumers and q queues.

    The digits are the position of the first new queue, and the number of new queues minus 1. The reference has the same
    queues, of which its consumers see only the old ones.
    """
    first, more = values
    queues = on_three_brokers(queues_for(strategies, 1)[0], (first, more + 1, q - first - more - 1))
    old = (*queues[:first], *queues[first + more + 1 :])
    agreed = AGREED.group(strategies, n, 1, ()).consumers
    after = tuple(replace(consumer, mq_all=queues) for consumer in agreed)
    before = tuple(replace(consumer, mq_all=old) for consumer in agreed)
    return Group(queues, after, reference=Group(queues, before))


def on_three_brokers(like: MessageQueue, sizes: tuple[int, int, int]) -> tuple[MessageQueue, ...]:
    """Return queues of three brokers a, b and c; ``sizes``: the number of each.

    ``like``: a queue of broker a, from which the others are copied.
    """
    stem = like.broker_name.removesuffix("a")
    return tuple(
        like._replace(broker_name=f"{stem}{letter}", queue_id=place)
        for letter, size in zip("abc", sizes, strict=True)
        for place in range(size)
    )


def is_new(position: smt.IntTerm, first: smt.IntTerm, new: smt.IntTerm) -> smt.BoolTerm:
    """Return whether the queue at that position is new.

    There are ``new`` new queues, from position ``first`` on.
    """
    return smt.And(first <= position, position < first + new)


def symbolic(encodings: Sequence[Encoding], n: int) -> SymbolicGroup:
    """Return n consumers before and after the addition as SMT terms, for any numbers of queues."""
    q, position, first, new = variables("q", "p", "first", "new")
    constraints = (1 <= new, new < q, 0 <= first, first + new <= q, 0 <= position, position < q)
    before = smt.If(position < first, position, position - new)
    seen = smt.Not(is_new(position, first, new))
    after, reference = (
        tuple(
            Member(encodings[0], queues, smt.IntVal(n), smt.IntVal(place), place_of_queue, sees=sees)
            for place in range(n)
        )
        for queues, place_of_queue, sees in ((q, position, smt.BoolVal(True)), (q - new, before, seen))
    )
    return SymbolicGroup(q, after, constraints, (q, position, first, new), reference=reference)


def assignment(n: int, q: int, values: Values, queue: int) -> dict[str, int]:
    """Return the values of the symbolic unknowns for a concrete group and one of its queues."""
    return {"q": q, "p": queue, "first": values[0], "new": values[1] + 1}


def configuration(n: int, assignment: Mapping[str, int]) -> tuple[int, Values]:
    """Return q and the digits of the group that an assignment describes.

    The inverse of ``assignment``.
    """
    return assignment["q"], (assignment["first"], assignment["new"] - 1)


GROWS = Groups(
    name="growth",
    sentence="All consumers see the same lists, and queues were just added to the topic (in reverse: are about to be "
    "removed).",
    otherwise="",
    without="",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    radices=lambda n, q: (q, q),
    admits=admits,
    groups=lambda n, q: q * (q + 1) // 2 - 1,
    group=group,
    symbolic=symbolic,
    assignment=assignment,
    configuration=configuration,
    bound=(7, 10),
    nth=nth,
)
