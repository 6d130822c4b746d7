"""The number of old queues that change hands under AVG when new queues come first.

This is the mirror image of ``appended``. Relative to the old queues, every consumer's block begins at its old
position or earlier. The queues after its new end move to higher indexes.
"""

from types import SimpleNamespace

from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import SymbolicGroup
from rebalance_proofs.proofs.growth.appended import GROWN, appended, few, most, most_twice, shift
from rebalance_proofs.proofs.growth.grown import added
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.movement.lemmas import joined
from rebalance_proofs.proofs.movement.lemmas.blocks import BLOCKS, begin
from rebalance_proofs.proofs.movement.lemmas.spread import instance
from rebalance_proofs.proofs.movement.lemmas.symbolic import given_away_between
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, sizes


def _cut(e: Encoding, v: SimpleNamespace) -> Statement:
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


def _within(e: Encoding, v: SimpleNamespace) -> Statement:
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


def violated(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that the number of queues that change hands breaks the rule.

    There are more than the bound, or fewer although few queues are new.
    """
    n, (q, _, first, new) = len(group.members), group.variables
    pairs = zip(group.reference, group.members, strict=True)
    found = 2 * smt.Sum([given_away_between(before, after, new) for before, after in pairs])
    bound = 2 * new * (n - 1) - most_twice(q - new, n, new)
    few_ = new * (n - 1) <= q - new
    return smt.And(first == 0, smt.Or(found > bound, smt.And(few_, found != bound)))


def violation(group: Group, results: Results) -> str | None:
    """Describe the number of queues that change hands, if it breaks the rule.

    None if it does not.
    """
    first, new = added(group)
    old, c = len(group.queues) - new, len(group.consumers)
    if first:
        return None
    found, bound = joined.changed_hands(group, results), new * (c - 1) - most(old, c, new)
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
            _cut,
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
            _within,
        ),
        *GROWN,
    ),
    violated=violated,
    violation=violation,
)
"""The guarantee. Consumer i gives away the queues by which the next block moves.

They are at most its own block. For each of c - 1 blocks, this number is k, minus the positions by which the block
begins later if the new queues are appended. Therefore the obligations suffice.
"""
