"""Effects of a join on a symbolic group, as terms: the joiner, queues that stay, and how many change hands."""

from collections.abc import Callable
from functools import cache

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.finite import greatest, least
from rebalance_proofs.model.worlds.groups import Member, SymbolicGroup

NOT_FURTHER = smt.IntVal(0)


def when_joining(group: SymbolicGroup, says: Callable[[int], smt.BoolTerm]) -> smt.BoolTerm:
    """The condition ``says(place)`` for the joiner's place; false if the consumer joins nobody."""
    if len(group.members) == 1:
        return smt.BoolVal(False)
    return smt.Or([smt.And(smt.Not(before.listed), says(place)) for place, before in enumerate(group.reference)])


def position(group: SymbolicGroup) -> smt.IntTerm:
    """The position of the queue under consideration, the same for all members."""
    return group.members[0].position


def stays(group: SymbolicGroup) -> smt.BoolTerm:
    """Somebody had the queue under consideration before, and still has it."""
    pairs = zip(group.reference, group.members, strict=True)
    return smt.Or([smt.And(before.listed, before.owns, after.owns) for before, after in pairs])


@cache
def given_away(group: SymbolicGroup) -> tuple[smt.IntTerm, ...]:
    """For each place, the number of queues in the block before that are not in the block after.

    Zero for a consumer that was not there before.
    """
    return tuple(
        given_away_between(before, after) for before, after in zip(group.reference, group.members, strict=True)
    )


def changed_hands(group: SymbolicGroup) -> smt.IntTerm:
    """The total number of queues, over all blocks, that somebody had before and has no more."""
    return smt.Sum(given_away(group))


def given_away_between(before: Member, after: Member, further: smt.IntTerm = NOT_FURTHER) -> smt.IntTerm:
    """The number of queues in the block before that are not in the block after; 0 if the consumer was not there before.

    ``further`` is the number of positions by which every queue stands further back than before.
    """
    (start, size), (new_start, new_size) = _block(before), _block(after)
    start += further
    kept = least([start + size, new_start + new_size]) - greatest([start, new_start])
    return smt.If(before.listed, size - greatest([smt.IntVal(0), kept]), 0)


def _block(member: Member) -> tuple[smt.IntTerm, smt.IntTerm]:
    """First position and length of a member's block; the first position of an empty block does not matter here."""
    first = member.encoding.element(member.queues, member.consumers, member.index, smt.IntVal(0))
    return first, member.count
