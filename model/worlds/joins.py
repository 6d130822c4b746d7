"""The world where all assumptions hold and one consumer has just joined.

The group after the join is compared with the group before. In reverse, one consumer leaves.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rebalance_proofs.model.allocation.strategy import Encoding, Strategy
from rebalance_proofs.model.group import Group
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import AGREED, Groups, Member, SymbolicGroup, Values, digit_variables


def group(strategies: Sequence[Strategy], n: int, q: int, values: Values) -> Group:
    """Build the group of n consumers after the join.

    The single digit is the index of the joining consumer. The reference is the group without that consumer.
    """
    after = AGREED.group(strategies, n, q, ())
    return with_reference(after, values[0])


def with_reference(after: Group, joiner: int) -> Group:
    """Return the group ``after`` a join, with the group before the join as its reference.

    ``joiner`` is the index of the joining consumer.
    """
    newcomer = after.consumers[joiner].client_id
    before = tuple(
        replace(consumer, cid_all=tuple(client_id for client_id in consumer.cid_all if client_id != newcomer))
        for place, consumer in enumerate(after.consumers)
        if place != joiner
    )
    return replace(after, reference=Group(after.queues, before, after.setting))


def symbolic(encodings: Sequence[Encoding], n: int) -> SymbolicGroup:
    """Return n consumers before and after the join as SMT terms, for any number q of queues.

    A consumer behind the joining one had an index smaller by one before.
    """
    after = AGREED.symbolic(encodings, n)
    (joiner,), ranges = digit_variables("joiner", 1, n)
    q, position = after.variables
    before = tuple(
        Member(
            encodings[0],
            q,
            smt.IntVal(max(n - 1, 1)),
            smt.If(joiner < place, place - 1, place),
            position,
            listed=joiner != place,
        )
        for place in range(n)
    )
    return SymbolicGroup(q, after.members, (*after.constraints, *ranges), (q, position, joiner), reference=before)


def assignment(n: int, q: int, values: Values, queue: int) -> dict[str, int]:
    """Return the values of the symbolic unknowns for a concrete group and one of its queues."""
    return {"q": q, "p": queue, "joiner0": values[0]}


def configuration(n: int, assignment: Mapping[str, int]) -> tuple[int, Values]:
    """Return q and the digits of the group that an assignment describes.

    The inverse of ``assignment``.
    """
    return assignment["q"], (assignment["joiner0"],)


JOINS = Groups(
    name="join",
    sentence="All consumers see the same lists, and one of them has just joined (in reverse: is about to leave).",
    otherwise="",
    without="",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    radices=lambda n, q: (n,),
    admits=lambda n, q, values: True,
    groups=lambda n, q: n,
    group=group,
    symbolic=symbolic,
    assignment=assignment,
    configuration=configuration,
    bound=(32, 32),
)
