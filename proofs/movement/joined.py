"""Effects of a join on concrete results: queues that others keep, gain and give away."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace

from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import greatest, least
from rebalance_proofs.model.worlds.groups import Member, SymbolicGroup

# Indexes of consumers before and after a join.
# Obligations are about c consumers, and a joiner j as one more consumer.


def joiner_places(v: SimpleNamespace) -> dict[str, smt.BoolTerm]:
    """Return the assumption that ``j`` is the index of the joiner."""
    return {"j is an index among c + 1 consumers": smt.And(0 <= v.j, v.j <= v.c)}


def behind(v: SimpleNamespace) -> smt.IntTerm:
    """Return 1 if consumer ``i`` of c sorts after the joiner, 0 if it sorts before it."""
    return smt.If(v.i < v.j, smt.IntVal(0), smt.IntVal(1))


def later(v: SimpleNamespace) -> smt.IntTerm:
    """Return the index after the join of the consumer with index ``i`` before it."""
    index: smt.IntTerm = v.i + behind(v)
    return index


# Effects of a join on a symbolic group, as terms: the joiner, and queues that stay or move.

NOT_FURTHER = smt.IntVal(0)


def when_joining(group: SymbolicGroup, says: Callable[[int], smt.BoolTerm]) -> smt.BoolTerm:
    """Return the condition ``says(place)`` for the joiner's index ``place``.

    False if there was no consumer before the join.
    """
    if len(group.members) == 1:
        return smt.BoolVal(False)
    return smt.Or([smt.And(smt.Not(before.listed), says(place)) for place, before in enumerate(group.reference)])


def position(group: SymbolicGroup) -> smt.IntTerm:
    """Return the position of an arbitrary, fixed queue, the same for all members."""
    return group.members[0].position


def stays(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that an arbitrary, fixed queue stays with its former consumer."""
    pairs = zip(group.reference, group.members, strict=True)
    return smt.Or([smt.And(before.listed, before.owns, after.owns) for before, after in pairs])


@cache
def given_away(group: SymbolicGroup) -> tuple[smt.IntTerm, ...]:
    """Return, for each consumer, how many queues it had before the join and has lost.

    Zero for the joiner.
    """
    return tuple(
        given_away_between(before, after) for before, after in zip(group.reference, group.members, strict=True)
    )


def changed_hands_symbolic(group: SymbolicGroup) -> smt.IntTerm:
    """Return the number of queues that some consumer had before the join and has lost.

    The sum is over the blocks of adjacent queues of all consumers.
    """
    return smt.Sum(given_away(group))


def given_away_between(before: Member, after: Member, further: smt.IntTerm = NOT_FURTHER) -> smt.IntTerm:
    """Return the number of queues that a member had before and has lost.

    Its queues are a block of adjacent positions. 0 for a new consumer. ``further`` is the number of positions by
    which every queue comes later than before.
    """
    (start, size), (new_start, new_size) = _block(before), _block(after)
    start += further
    kept = least([start + size, new_start + new_size]) - greatest([start, new_start])
    return smt.If(before.listed, size - greatest([smt.IntVal(0), kept]), 0)


def _block(member: Member) -> tuple[smt.IntTerm, smt.IntTerm]:
    """Return the first position and the length of the member's block of queues.

    The first position of an empty block is irrelevant.
    """
    first = member.encoding.element(member.queues, member.consumers, member.index, smt.IntVal(0))
    return first, member.count


@dataclass(frozen=True)
class Other:
    """A consumer that existed before the join, with its queues before and after."""

    place: int
    """The consumer's index in the group after the join."""
    before: Sequence[MessageQueue]
    after: Sequence[MessageQueue]

    @property
    def gained(self) -> list[MessageQueue]:
        """Return the queues that the consumer has now and did not have before."""
        return [queue for queue in self.after if queue not in self.before]

    @property
    def given_away(self) -> list[MessageQueue]:
        """Return the queues that the consumer had before and has lost."""
        return [queue for queue in self.before if queue not in self.after]

    @property
    def kept(self) -> list[MessageQueue]:
        """Return the queues that the consumer had before and still has."""
        return [queue for queue in self.before if queue in self.after]


def others(group: Group, results: Results) -> list[Other]:
    """Return the consumers that are also in the group before the join, in the group's order.

    Consumers are identified by id.
    """
    before = group.compared_with
    had = dict(zip((consumer.client_id for consumer in before.consumers), before.allocated, strict=True))
    return [
        Other(place, had[consumer.client_id], results[place])
        for place, consumer in enumerate(group.consumers)
        if consumer.client_id in had
    ]


def joiner(group: Group) -> int:
    """Return the index of the consumer that was not in the group before the join."""
    before = {consumer.client_id for consumer in group.compared_with.consumers}
    return next(place for place, consumer in enumerate(group.consumers) if consumer.client_id not in before)


def changed_hands(group: Group, results: Results) -> int:
    """Return the number of queues that some consumer had before the join and has lost."""
    return sum(len(other.given_away) for other in others(group, results))


def staying(group: Group, results: Results) -> set[MessageQueue]:
    """Return the queues that are still with their consumer of before the join."""
    return {queue for other in others(group, results) for queue in other.kept}
