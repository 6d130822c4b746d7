"""Blocks of adjacent positions under AVG, and the positions at which a join cuts them.

A block has the queues of one consumer: the positions from ``begin`` up to ``end``. ``index`` is the consumer's index
among c consumers, for q queues.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace

from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import greatest, least
from rebalance_proofs.model.worlds.groups import Member, SymbolicGroup
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, sizes

# The lemma "spread": x * y - x * z is at least x if y > z and x >= 0.
# It serves the proofs about blocks of adjacent queues. If x is an unknown, instances of lemma.monotone imply it. They
# are about products of unknowns, and do not cover the number of consumers after i. In that case, an instance of this
# lemma is an assumption.


def _at_least(x: smt.IntTerm, y: smt.IntTerm, z: smt.IntTerm) -> smt.BoolTerm:
    return x <= x * (y - z)


SPREAD = Obligation(
    "spread",
    "A nonnegative number times a positive difference is at least that number.",
    ("x", "y", "z"),
    lambda e, v: Statement({"x is not negative": v.x >= 0, "y is greater": v.y > v.z}, _at_least(v.x, v.y, v.z)),
)


def spread(v: SimpleNamespace) -> dict[str, smt.BoolTerm]:
    """Return an instance of the lemma as an assumption.

    It is about the consumers after ``i``, q div c and q div (c + 1).
    """
    return {"spread, of c - i - 1, q div c, q div (c + 1)": instance(v.c - v.i - 1, v.q / v.c, v.q / (v.c + 1))}


def instance(x: smt.IntTerm, y: smt.IntTerm, z: smt.IntTerm) -> smt.BoolTerm:
    """Return the instance of the lemma for x, y and z."""
    return smt.Implies(smt.And(x >= 0, y > z), _at_least(x, y, z))


# The number of queues that change hands in a join under AVG, in closed form.
# The form is given as terms and as numbers. c is the number of consumers before the join. Sums are doubled to avoid
# division by two.


@dataclass(frozen=True)
class Shares:
    """Quotients and remainders of q queues by c and by c + 1 consumers.

    The block (adjacent queues) of index i among c consumers begins at i * a + min(i, m).
    """

    q: smt.IntTerm
    c: smt.IntTerm
    a: smt.IntTerm
    """Quotient of q by c."""
    m: smt.IntTerm
    """Remainder of q by c."""
    mm: smt.IntTerm
    """The square of ``m``."""
    b: smt.IntTerm
    """Quotient of q by c + 1."""
    k: smt.IntTerm
    """Remainder of q by c + 1."""
    kk: smt.IntTerm
    """The square of ``k``."""


def shares(q: smt.IntTerm, c: smt.IntTerm) -> Shares:
    """Return the quotients and remainders for an unknown number c of consumers."""
    m, k = q % c, q % (c + 1)
    return Shares(q, c, q / c, m, m * m, q / (c + 1), k, k * k)


def shares_of(q: smt.IntTerm, consumers: int) -> Shares:
    """Return the quotients and remainders for a given number of consumers.

    Squares are choices between numerals, so that everything is linear.
    """
    m, k = q % consumers, q % (consumers + 1)
    mm, kk = squared(m, consumers - 1), squared(k, consumers)
    return Shares(q, smt.IntVal(consumers), q / consumers, m, mm, q / (consumers + 1), k, kk)


def squared(term: smt.IntTerm, high: int) -> smt.IntTerm:
    """Return the square of a term that is at least 0 and at most ``high``."""
    result = smt.IntVal(high * high)
    for value in range(high - 1, -1, -1):
        result = smt.If(term == value, smt.IntVal(value * value), result)
    return result


def starts(s: Shares, index: smt.IntTerm) -> smt.IntTerm:
    """Return the first position of the block of an index among c consumers; q for the index c."""
    return index * s.a + smt.If(index < s.m, index, s.m)


def least_twice(index: smt.IntTerm, m: smt.IntTerm, mm: smt.IntTerm) -> smt.IntTerm:
    """Return twice the sum of min(y, m) over y = 1 .. index."""
    return smt.If(index <= m, index * (index + 1), 2 * index * m + m - mm)


def last_parts_twice(s: Shares, index: smt.IntTerm) -> smt.IntTerm:
    """Return twice the number of queues after the cuts of the first ``index`` blocks.

    The number for the y-th block is y * (a - b) + min(y, m) - min(y, k). Because (a - b) * (c + 1) = a + k - m, the
    doubled sum of y * (a - b), which is index * (index + 1) * (a - b), has a form without cubic terms at index = c.
    """
    even = index * (s.a + s.k - s.m) - index * (s.c - index) * (s.a - s.b)
    return even + least_twice(index, s.m, s.mm) - least_twice(index, s.k, s.kk)


def by_place_twice(s: Shares, joiner: smt.IntTerm) -> smt.IntTerm:
    """Return twice the part of the number of moved queues that depends on the joiner's index.

    In blocks before the joiner's index, the last parts change hands. From its index on, the first parts do: whole
    blocks minus their last parts.
    """
    return 2 * last_parts_twice(s, joiner) - 2 * starts(s, joiner)


def changed_hands_twice(s: Shares, joiner: smt.IntTerm) -> smt.IntTerm:
    """Return twice the number of queues that change hands in a join."""
    return by_place_twice(s, joiner) + 2 * s.q - last_parts_twice(s, s.c)


def lean(s: Shares) -> smt.IntTerm:
    """Return m * (c - m) - k * (c + 1 - k).

    If the joiner sorts last, it is twice the number of queues that change hands, minus q.
    """
    return s.c * s.m - s.mm - (s.c + 1) * s.k + s.kk


def changed_hands(queues: int, consumers: int, joiner: int) -> int:
    """Return the number of queues that change hands when a consumer joins.

    ``joiner`` is its index; ``consumers`` is the number of the others.
    """
    (a, m), (b, k) = divmod(queues, consumers), divmod(queues, consumers + 1)

    def least_twice(remainder: int) -> int:
        low = min(joiner, remainder)
        return low * (low + 1) + 2 * (joiner - low) * remainder

    last_parts = joiner * (joiner + 1) * (a - b) + least_twice(m) - least_twice(k)
    first, _ = at_ends(queues, consumers)
    return first + last_parts - joiner * a - min(joiner, m)


def at_ends(queues: int, consumers: int) -> tuple[int, int]:
    """Return how many queues change hands if the joiner sorts first, and if it sorts last."""
    m, k = queues % consumers, queues % (consumers + 1)
    lean = m * (consumers - m) - k * (consumers + 1 - k)
    return (queues - lean) // 2, (queues + lean) // 2


def most(queues: int, consumers: int) -> int:
    """Return the largest number of queues that change hands in a join.

    One consumer joins ``consumers`` others.
    """
    return max(at_ends(queues, consumers))


def begin(e: Encoding, q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm) -> smt.IntTerm:
    """Return the first position of the block of ``index``.

    For an empty block it is q, the position after all others.
    """
    return smt.If(e.count(q, c, index) > 0, e.element(q, c, index, smt.IntVal(0)), q)


def end(e: Encoding, q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm) -> smt.IntTerm:
    """Return the position after the last one of the block of ``index``."""
    return begin(e, q, c, index) + e.count(q, c, index)


def cut(e: Encoding, q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm) -> smt.IntTerm:
    """Return where a join cuts the block of ``index``.

    It is the first position of the block of the next index among c + 1 consumers.
    """
    return begin(e, q, c + 1, index + 1)


def first_part(e: Encoding, q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm) -> smt.IntTerm:
    """Return the number of queues of the block of ``index`` before its cut."""
    return cut(e, q, c, index) - begin(e, q, c, index)


def last_part(e: Encoding, q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm) -> smt.IntTerm:
    """Return the number of queues of the block of ``index`` after its cut."""
    return end(e, q, c, index) - cut(e, q, c, index)


def _block(e: Encoding, v: SimpleNamespace) -> Statement:
    inside = smt.And(begin(e, v.q, v.c, v.i) <= v.p, v.p < end(e, v.q, v.c, v.i))
    return Statement(sizes(v) | consumer(v, "i"), e.owns(v.q, v.c, v.i, v.p) == inside)


def _cut_within(e: Encoding, v: SimpleNamespace) -> Statement:
    parts = first_part(e, v.q, v.c, v.i), last_part(e, v.q, v.c, v.i)
    return Statement(sizes(v) | consumer(v, "i") | spread(v), smt.And([part >= 0 for part in parts]))


def _cut_owner(e: Encoding, v: SimpleNamespace) -> Statement:
    same, following = (e.owns(v.q, v.c + 1, index, v.p) for index in (v.i, v.i + 1))
    before = v.p < cut(e, v.q, v.c, v.i)
    return Statement(
        sizes(v) | consumer(v, "i") | {"i of c owns p": e.owns(v.q, v.c, v.i, v.p)} | spread(v),
        smt.And(same == before, following == smt.Not(before)),
    )


BLOCKS = (
    Obligation(
        "block",
        "A result contains every position between its first and its last element.",
        ("q", "c", "i", "p"),
        _block,
    ),
    Obligation("cut.within", "The cut is inside the block.", ("q", "c", "i"), _cut_within),
    Obligation(
        "cut.owner",
        "Index i of c + 1 takes the part of block i before the cut, and index i + 1 takes the rest.",
        ("q", "c", "i", "p"),
        _cut_owner,
    ),
    SPREAD,
)
"""Obligations that a join cuts each block once, at the same position for every joiner.

A consumer that sorts before the joiner keeps its index, and therefore the first part of its block. A consumer that
sorts after it gets the next index, and keeps the last part. The joiner's index only decides which part of a block
changes hands.
"""


# Effects of a join on concrete results: queues that others keep, gain and give away.

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
    (start, size), (new_start, new_size) = _block_of(before), _block_of(after)
    start += further
    kept = least([start + size, new_start + new_size]) - greatest([start, new_start])
    return smt.If(before.listed, size - greatest([smt.IntVal(0), kept]), 0)


def _block_of(member: Member) -> tuple[smt.IntTerm, smt.IntTerm]:
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


def changed_hands_observed(group: Group, results: Results) -> int:
    """Return the number of queues that some consumer had before the join and has lost."""
    return sum(len(other.given_away) for other in others(group, results))


def staying(group: Group, results: Results) -> set[MessageQueue]:
    """Return the queues that are still with their consumer of before the join."""
    return {queue for other in others(group, results) for queue in other.kept}
