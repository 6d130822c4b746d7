"""The world where all assumptions hold and one consumer has left and returned.

The group has three stages: before, in between, and after. The client id contains a process id or a time, so the
consumer may return at another position of the sort order.
"""

from collections.abc import Mapping, Sequence

from rebalance_proofs.model.allocation.strategy import Encoding, Strategy, queues_for
from rebalance_proofs.model.group import Consumer, Group, client_ids
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import Groups, Values, digit_variables, some_queue, variables
from rebalance_proofs.model.worlds.grows import StagedGroup, stages, symbolic_member, with_ids


def ids_of(n: int, left: int, back: int) -> tuple[list[str], list[str], list[str]]:
    """Return three lists of client ids: before, in between and after a consumer's restart.

    The consumer moves from index ``left`` of n to index ``back``. At the same index it has the same id.
    """
    if left == back:
        ids = [*client_ids(n)]
        return ids, [*ids[:left], *ids[left + 1 :]], ids
    ids = [*client_ids(n + 1)]
    old, new = (left, back + 1) if left < back else (left + 1, back)
    without = [client_id for place, client_id in enumerate(ids) if place not in (old, new)]
    return [*without[:left], ids[old], *without[left:]], without, [*without[:back], ids[new], *without[back:]]


def group(strategies: Sequence[Strategy], n: int, q: int, values: Values) -> Group:
    """Build the group of n consumers after the restart; its reference is the group in between.

    The digits are the indexes of the restarting consumer, before and after.
    """
    queues = queues_for(strategies, q)
    consumer = Consumer("", queues, (), strategies[0])
    return stages(queues, *(with_ids(consumer, ids) for ids in ids_of(n, *values)))


def symbolic(encodings: Sequence[Encoding], n: int) -> StagedGroup:
    """Return the three stages of n consumers as SMT terms, for any number q of queues.

    Indexes are those after the restart.
    """
    q, position = variables("q", "p")
    places, ranges = digit_variables("place", 2, n)
    left, back = places
    after, between, before = [], [], []
    for place in range(n):
        restarts = back == place
        without = smt.If(back < place, place - 1, smt.IntVal(place))
        index = smt.If(restarts, left, smt.If(without >= left, without + 1, without))
        after.append(symbolic_member(encodings[0], q, n, smt.IntVal(place), position))
        between.append(symbolic_member(encodings[0], q, n - 1, without, position, smt.Not(restarts)))
        before.append(symbolic_member(encodings[0], q, n, index, position))
    constraints = (*some_queue(q, position), *ranges)
    return StagedGroup(
        q, tuple(after), constraints, (q, position, *places), reference=tuple(between), earlier=tuple(before)
    )


def assignment(n: int, q: int, values: Values, queue: int) -> dict[str, int]:
    """Return the values of the symbolic unknowns for a concrete group and one of its queues."""
    return {"q": q, "p": queue, "place0": values[0], "place1": values[1]}


def configuration(n: int, assignment: Mapping[str, int]) -> tuple[int, Values]:
    """Return q and the digits of the group that an assignment describes.

    The inverse of ``assignment``.
    """
    return assignment["q"], (assignment["place0"], assignment["place1"])


RESTARTS = Groups(
    name="restart",
    sentence=(
        "All consumers see the same lists, and one of them has left and returned, at the same position or at another "
        "one."
    ),
    otherwise="",
    without="",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    radices=lambda n, q: (n, n),
    admits=lambda n, q, values: True,
    groups=lambda n, q: n * n,
    group=group,
    symbolic=symbolic,
    assignment=assignment,
    configuration=configuration,
    bound=(6, 10),
)
