"""The world where all assumptions hold and two consumers have joined, one after the other.

The group has three stages: before, in between, and after both.
"""

from collections.abc import Mapping, Sequence

from rebalance_proofs.model.allocation.strategy import Encoding, Strategy, queues_for
from rebalance_proofs.model.group import Consumer, Group, client_ids
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import Groups, Member, Values, digit_variables, some_queue, variables
from rebalance_proofs.model.worlds.grows import StagedGroup, stages, symbolic_member, with_ids


def admits(n: int, q: int, values: Values) -> bool:
    """Return whether the digits encode a group.

    Two different consumers must join, and at least one must have been present before.
    """
    first, second = values
    return first != second and n > 2


def nth(n: int, q: int, number: int) -> Values:
    """Return the digits of the group with this index.

    The second joiner is one of the other consumers.
    """
    first, other = divmod(number, n - 1)
    return first, other + (other >= first)


def group(strategies: Sequence[Strategy], n: int, q: int, values: Values) -> Group:
    """Build the group of n consumers after both joins; its reference is the group in between.

    The digits are the indexes, among all n, of the first and the second joining consumer.
    """
    queues, ids = queues_for(strategies, q), client_ids(n)
    first, second = (ids[place] for place in values)
    consumer = Consumer(ids[0], queues, ids, strategies[0])
    between = [client_id for client_id in ids if client_id != second]
    before = [client_id for client_id in between if client_id != first]
    return stages(queues, *(with_ids(consumer, listed) for listed in (before, between, ids)))


def symbolic(encodings: Sequence[Encoding], n: int) -> StagedGroup:
    """Return the three stages of n consumers as SMT terms, for any number q of queues.

    An index is smaller by one for each consumer before it that is still absent.
    """
    q, position = variables("q", "p")
    joiners, ranges = digit_variables("joiner", 2, n)
    first, second = joiners
    constraints = (*some_queue(q, position), *ranges, first != second, smt.BoolVal(n > 2))

    def members(consumers: int, *missing: smt.IntTerm) -> tuple[Member, ...]:
        return tuple(
            symbolic_member(
                encodings[0],
                q,
                consumers,
                place - smt.Sum([smt.IntVal(0), *(smt.If(joiner < place, 1, 0) for joiner in missing)]),
                position,
                smt.And([joiner != place for joiner in missing]),
            )
            for place in range(n)
        )

    return StagedGroup(
        q,
        members(n),
        constraints,
        (q, position, *joiners),
        reference=members(n - 1, second),
        earlier=members(n - 2, first, second),
    )


def assignment(n: int, q: int, values: Values, queue: int) -> dict[str, int]:
    """Return the values of the symbolic unknowns for a concrete group and one of its queues."""
    return {"q": q, "p": queue, "joiner0": values[0], "joiner1": values[1]}


def configuration(n: int, assignment: Mapping[str, int]) -> tuple[int, Values]:
    """Return q and the digits of the group that an assignment describes.

    The inverse of ``assignment``.
    """
    return assignment["q"], (assignment["joiner0"], assignment["joiner1"])


TWO_JOINS = Groups(
    name="two-joins",
    sentence="All consumers see the same lists, and two of them have joined, one after the other.",
    otherwise="",
    without="",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    radices=lambda n, q: (n, n),
    admits=admits,
    groups=lambda n, q: n * (n - 1) if n > 2 else 0,
    group=group,
    symbolic=symbolic,
    assignment=assignment,
    configuration=configuration,
    bound=(6, 10),
    nth=nth,
)
