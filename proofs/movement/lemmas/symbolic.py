"""Effects of a join on a symbolic group, as terms: the joiner, and queues that stay or move."""

from collections.abc import Callable
from functools import cache

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.finite import greatest, least
from rebalance_proofs.model.worlds.groups import Member, SymbolicGroup

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


def changed_hands(group: SymbolicGroup) -> smt.IntTerm:
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
