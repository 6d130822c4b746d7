"""The number of old queues that change hands under AVG when queues are appended.

The proof is by induction over the new queues. A block has the adjacent queues of one consumer. Every block begins at
its old position or later. The queues before its new beginning move to lower indexes.
"""

from types import SimpleNamespace

from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import SymbolicGroup
from rebalance_proofs.proofs.growth.grown import STEPS, added, steps
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.movement import lemmas as joined
from rebalance_proofs.proofs.movement.lemmas import BLOCKS, SPREAD, begin, given_away_between, instance, squared
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, sizes


def begins_twice(q: smt.IntTerm, c: smt.IntTerm, m: smt.IntTerm, mm: smt.IntTerm) -> smt.IntTerm:
    """Return twice the sum of the first positions of all blocks, for q queues and c consumers."""
    return (c - 1) * q + c * m - mm


def begins(queues: int, consumers: int) -> int:
    """Return the sum of the first positions of all blocks, for given numbers."""
    return sum(i * (queues // consumers) + min(i, queues % consumers) for i in range(consumers))


def most(queues: int, consumers: int, new: int) -> int:
    """Return the largest number of old queues that can change hands.

    ``new`` queues are appended to ``queues`` old ones.
    """
    return begins(queues + new, consumers) - begins(queues, consumers)


def most_twice(queues: smt.IntTerm, consumers: int, new: smt.IntTerm) -> smt.IntTerm:
    """Return twice the largest number of old queues that can change hands, as a term.

    The number of consumers is given.
    """
    c = smt.IntVal(consumers)
    before, after = (
        begins_twice(q, c, q % consumers, squared(q % consumers, consumers - 1)) for q in (queues, queues + new)
    )
    return after - before


def shift(e: Encoding, v: SimpleNamespace, new: smt.IntTerm | int, index: smt.IntTerm) -> smt.IntTerm:
    """Return by how many positions the block of ``index`` begins later with ``new`` more queues."""
    return begin(e, v.q + new, v.c, index) - begin(e, v.q, v.c, index)


def appended(v: SimpleNamespace) -> dict[str, smt.BoolTerm]:
    """Return the assumption that k queues are added, with instances of lemma.spread.

    The instances are for i and for the consumers after i.
    """
    quotients = (v.q + v.k) / v.c, v.q / v.c
    return {
        "k queues are added": v.k >= 1,
        "spread, of i, (q + k) div c, q div c": instance(v.i, *quotients),
        "spread, of c - i - 1, (q + k) div c, q div c": instance(v.c - v.i - 1, *quotients),
    }


def _cut(e: Encoding, v: SimpleNamespace) -> Statement:
    return Statement(
        sizes(v) | consumer(v, "i") | appended(v) | {"i owned p": e.owns(v.q, v.c, v.i, v.p)},
        smt.And(
            shift(e, v, v.k, v.i) >= 0,
            e.owns(v.q + v.k, v.c, v.i, v.p) == (v.p >= begin(e, v.q + v.k, v.c, v.i)),
        ),
    )


def one_more(v: SimpleNamespace, name: str, x: smt.IntTerm) -> dict[str, smt.BoolTerm]:
    """Return the instance of lemma.steps for the quotients of q and q + 1, as an assumption."""
    return {f"steps by {name}, of q div c + 1 and (q + 1) div c": steps(x, v.q / v.c + 1, (v.q + 1) / v.c)}


def _one(e: Encoding, v: SimpleNamespace) -> Statement:
    return Statement(
        sizes(v) | consumer(v, "i") | one_more(v, "c", v.c) | one_more(v, "i", v.i),
        shift(e, v, 1, v.i) == smt.If(v.i > v.q % v.c, 1, 0),
    )


def _next(e: Encoding, v: SimpleNamespace) -> Statement:
    m = v.q % v.c
    following, square = smt.If(m + 1 == v.c, 0, m + 1), smt.If(m + 1 == v.c, 0, m * m + 2 * m + 1)
    grown = begins_twice(v.q + 1, v.c, following, square) - begins_twice(v.q, v.c, m, m * m)
    return Statement(
        sizes(v) | one_more(v, "c", v.c) | {"steps by m, of m + 1 and c": steps(m, m + 1, v.c)},
        smt.And((v.q + 1) % v.c == following, grown == 2 * (v.c - 1 - m)),
    )


def few(v: SimpleNamespace) -> smt.BoolTerm:
    """Return the condition that no consumer gives away more than its whole block of queues."""
    fits: smt.BoolTerm = v.k * (v.c - 1) <= v.q
    return fits


def _within(e: Encoding, v: SimpleNamespace) -> Statement:
    return Statement(
        sizes(v) | consumer(v, "i") | appended(v) | {"k(c - 1) <= q": few(v)},
        shift(e, v, v.k, v.i) <= e.count(v.q, v.c, v.i),
    )


def _beyond(e: Encoding, v: SimpleNamespace) -> Statement:
    return Statement(
        sizes(v) | {"k queues are added": v.k >= 1, "k(c - 1) > q": smt.Not(few(v))},
        shift(e, v, v.k, v.c - 1) > e.count(v.q, v.c, v.c - 1),
    )


def violated(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that the number of queues that change hands breaks the rule.

    More queues change hands than the bound allows. Or the bound is reached with many new queues, or missed with few.
    """
    n, (q, _, first, new) = len(group.members), group.variables
    old = q - new
    found, bound = 2 * joined.changed_hands_symbolic(group), most_twice(old, n, new)
    return smt.And(first == old, smt.Or(found > bound, (found == bound) != (new * (n - 1) <= old)))


def violation(group: Group, results: Results) -> str | None:
    """Describe the number of queues that change hands, if it breaks the rule.

    None if it does not.
    """
    first, new = added(group)
    old, c = len(group.queues) - new, len(group.consumers)
    if first < old:
        return None
    found, bound = joined.changed_hands_observed(group, results), most(old, c, new)
    if found > bound or (found == bound) != (new * (c - 1) <= old):
        exactly = "exactly" if new * (c - 1) <= old else "fewer than"
        return f"{found} queues change hands, not {exactly} {bound}."
    return None


GROWN = (
    Obligation(
        "one",
        "One appended queue moves the beginnings of exactly the blocks with an index above q mod c, by one position.",
        ("q", "c", "i"),
        _one,
    ),
    Obligation(
        "next", "There are c - 1 - q mod c such blocks; the closed form grows by this number.", ("q", "c"), _next
    ),
    SPREAD,
    STEPS,
)
"""Obligations that the closed form is the total shift of the blocks.

The proof is by induction over the new queues.
"""

APPENDED = Guarantee(
    name="appended",
    sentence="Appending k queues to q moves at most B old queues, and exactly B if and only if k(c - 1) <= q",
    where=("B = (k(c - 1) + n(c - n) - m(c - m)) / 2", "m = q mod c", "n = (q + k) mod c"),
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    obligations=agreed(
        BLOCKS[0],
        Obligation(
            "cut",
            "No block begins earlier. A consumer gives away exactly the positions before its block's new beginning.",
            ("q", "c", "i", "p", "k"),
            _cut,
        ),
        Obligation(
            "within",
            "If k(c - 1) <= q, no block begins later by more than its old length.",
            ("q", "c", "i", "k"),
            _within,
        ),
        Obligation(
            "beyond",
            "If k(c - 1) > q, the last block begins later by more than its old length.",
            ("q", "c", "k"),
            _beyond,
        ),
        *GROWN,
    ),
    violated=violated,
    violation=violation,
)
"""The guarantee. Consumer i gives away the queues before its block's new beginning.

It gives away at most its block (``cut``). The sum over the blocks is at most the closed form. It is less if a block
begins later by more than its length. Therefore the obligations suffice.
"""


# The number of old queues that change hands under AVG when new queues come first.
# This is the mirror image of ``appended``. Relative to the old queues, every consumer's block begins at its old
# position or earlier. The queues after its new end move to higher indexes.


def _cut_prepended(e: Encoding, v: SimpleNamespace) -> Statement:
    return Statement(
        sizes(v)
        | consumer(v, "i")
        | appended(v)
        | {"i is not the first": v.i >= 1, "i - 1 owned p": e.owns(v.q, v.c, v.i - 1, v.p)},
        e.owns(v.q + v.k, v.c, v.i - 1, v.p + v.k) == (v.p + v.k < begin(e, v.q + v.k, v.c, v.i)),
    )


def _last(e: Encoding, v: SimpleNamespace) -> Statement:
    return Statement(
        sizes(v) | {"k queues are added": v.k >= 1, "the last consumer owned p": e.owns(v.q, v.c, v.c - 1, v.p)},
        e.owns(v.q + v.k, v.c, v.c - 1, v.p + v.k),
    )


def _behind(e: Encoding, v: SimpleNamespace) -> Statement:
    return Statement(
        sizes(v) | consumer(v, "i") | appended(v) | {"i is not the first": v.i >= 1},
        smt.And(
            begin(e, v.q, v.c, v.i - 1) + e.count(v.q, v.c, v.i - 1) == begin(e, v.q, v.c, v.i),
            v.k - shift(e, v, v.k, v.i) >= 0,
        ),
    )


def _within_prepended(e: Encoding, v: SimpleNamespace) -> Statement:
    return Statement(
        sizes(v)
        | consumer(v, "i")
        | appended(v)
        | {
            "spread, of i - 1, (q + k) div c, q div c": instance(v.i - 1, (v.q + v.k) / v.c, v.q / v.c),
            "i is not the first": v.i >= 1,
            "k(c - 1) <= q": few(v),
        },
        v.k - shift(e, v, v.k, v.i) <= e.count(v.q, v.c, v.i - 1),
    )


def violated_prepended(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that the number of queues that change hands breaks the rule.

    There are more than the bound, or fewer although few queues are new.
    """
    n, (q, _, first, new) = len(group.members), group.variables
    pairs = zip(group.reference, group.members, strict=True)
    found = 2 * smt.Sum([given_away_between(before, after, new) for before, after in pairs])
    bound = 2 * new * (n - 1) - most_twice(q - new, n, new)
    few_ = new * (n - 1) <= q - new
    return smt.And(first == 0, smt.Or(found > bound, smt.And(few_, found != bound)))


def violation_prepended(group: Group, results: Results) -> str | None:
    """Describe the number of queues that change hands, if it breaks the rule.

    None if it does not.
    """
    first, new = added(group)
    old, c = len(group.queues) - new, len(group.consumers)
    if first:
        return None
    found, bound = joined.changed_hands_observed(group, results), new * (c - 1) - most(old, c, new)
    if found > bound or (found < bound and new * (c - 1) <= old):
        return f"{found} queues change hands, not {'exactly' if found < bound else 'at most'} {bound}."
    return None


PREPENDED = Guarantee(
    name="prepended",
    sentence="Prepending k queues to q moves at most B old queues, and exactly B if k(c - 1) <= q",
    where=("B = (k(c - 1) - n(c - n) + m(c - m)) / 2", "m = q mod c", "n = (q + k) mod c"),
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    obligations=agreed(
        BLOCKS[0],
        Obligation(
            "front.cut",
            "Of the block of i - 1, exactly the positions before the new beginning of block i stay.",
            ("q", "c", "i", "p", "k"),
            _cut_prepended,
        ),
        Obligation("front.last", "The last consumer gives away no queue.", ("q", "c", "p", "k"), _last),
        Obligation(
            "front.behind",
            "Each block begins where the previous one ends. Relative to old queues, none begins later than before.",
            ("q", "c", "i", "k"),
            _behind,
        ),
        Obligation(
            "front.within",
            "If k(c - 1) <= q, no block begins earlier by more than the length of the block before it.",
            ("q", "c", "i", "k"),
            _within_prepended,
        ),
        *GROWN,
    ),
    violated=violated_prepended,
    violation=violation_prepended,
)
"""The guarantee. Consumer i gives away the queues by which the next block moves.

They are at most its own block. For each of c - 1 blocks, this number is k, minus the positions by which the block
begins later if the new queues are appended. Therefore the obligations suffice.
"""
