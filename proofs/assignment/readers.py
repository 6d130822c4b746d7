"""Guarantees about pop mode: who reads a queue, and how many queues a member reads."""

from types import SimpleNamespace

from rebalance_proofs.model.assignment.encoding import PopEncoding
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import greatest, how_many, least
from rebalance_proofs.model.terms.smt import BoolTerm as Bool
from rebalance_proofs.model.terms.smt import IntTerm as Int
from rebalance_proofs.model.worlds.assignments import SOURCE, PopGroup
from rebalance_proofs.proofs.allocation.amounts import BALANCED as OF_ONE
from rebalance_proofs.proofs.allocation.covers import COVERS as OF_COVERS
from rebalance_proofs.proofs.allocation.stated import extremes, name_consumer, name_queue
from rebalance_proofs.proofs.assignment.steps import (
    ALL_READ,
    CASE_ALL,
    CASE_FEW,
    CASE_SHARED,
    FEW_QUEUES,
    FEW_READERS,
    FEW_READS,
    FEW_SOME,
    LISTED,
    OWNED,
    SHARED_READERS,
    SHARED_READS,
    SHARING,
    K,
    around,
    fewer,
    numbers,
    read_by,
    shares,
    some_share,
)
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.movement.lemmas import SPREAD
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, sizes

# Guarantee: every queue is read.

COVERS = Guarantee(
    name="covers",
    sentence="Every queue is read by some member",
    where=(K,),
    source=SOURCE,
    obligations=agreed(CASE_ALL, ALL_READ, CASE_SHARED, *OWNED, SPREAD, SHARED_READS, CASE_FEW, FEW_SOME, FEW_READS),
    violated=OF_COVERS.violated,
    violation=OF_COVERS.violation,
)


# Guarantees: the number of readers of each queue, in each case.


def _readers(group: PopGroup) -> Int:
    return how_many([member.owns for member in group.members])


def _at(group: PopGroup) -> tuple[Int, int, Int, Int]:
    """Return q, c, k and the position p of the group's queue."""
    return group.queues, len(group.members), group.share, group.members[0].position


def violated_shared(group: PopGroup) -> Bool:
    """Return the condition that members share, and a queue has another number of readers than k + 1."""
    q, c, k, _ = _at(group)
    return smt.And(c <= q, some_share(smt.IntVal(c), k), _readers(group) != k + 1)


def violation_shared(group: Group, results: Results) -> str | None:
    """Describe the first queue with another number of readers, if members share."""
    q, c, k = numbers(group)
    return _miscounted(group, results, k + 1) if 1 <= k < c - 1 and c <= q else None


def _miscounted(group: Group, results: Results, right: int) -> str | None:
    for queue, found in zip(group.queues, read_by(group, results), strict=True):
        if len(found) != right:
            return f"{name_queue(group, queue)} has {_members(len(found))}, not {right}."
    return None


def _members(number: int) -> str:
    return f"{number} reader{'' if number == 1 else 's'}"


SHARED = Guarantee(
    name="shared",
    sentence="When members share, exactly k + 1 of them read each queue",
    where=(SHARING, K),
    source=SOURCE,
    obligations=agreed(*SHARED_READERS),
    violated=violated_shared,
    violation=violation_shared,
)


def violated_everyone(group: PopGroup) -> Bool:
    """Return the condition that k is not from 1 to c - 2, and some member does not read a queue."""
    _, c, k, _ = _at(group)
    return smt.And(smt.Not(some_share(smt.IntVal(c), k)), _readers(group) != c)


def violation_everyone(group: Group, results: Results) -> str | None:
    """Describe the first queue that not all members read, if k is not from 1 to c - 2."""
    _, c, k = numbers(group)
    return None if 1 <= k < c - 1 else _miscounted(group, results, c)


EVERYONE = Guarantee(
    name="everyone",
    sentence="If k <= 0 or k >= c - 1, every member reads every queue",
    where=(K,),
    source=SOURCE,
    obligations=agreed(CASE_ALL, ALL_READ),
    violated=violated_everyone,
    violation=violation_everyone,
)


def violated_few(group: PopGroup) -> Bool:
    """Return the condition that there are few queues, and one has a wrong number of readers."""
    q, c, k, p = _at(group)
    right = c / q + smt.If(p < c % q, 1, 0)
    return smt.And(q < c, some_share(smt.IntVal(c), k), _readers(group) != right)


def violation_few(group: Group, results: Results) -> str | None:
    """Describe the first queue with a wrong number of readers, if there are few queues."""
    q, c, k = numbers(group)
    for place, found in enumerate(read_by(group, results) if 1 <= k < c - 1 and q < c else ()):
        right = c // q + (place < c % q)
        if len(found) != right:
            return f"{name_queue(group, group.queues[place])} has {_members(len(found))}, not {right}."
    return None


FEW = Guarantee(
    name="few",
    sentence="With few queues, c div q members read each queue, one more if p < c mod q",
    where=(FEW_QUEUES, "p: the queue's position", K),
    source=SOURCE,
    obligations=agreed(*FEW_READERS),
    violated=violated_few,
    violation=violation_few,
)


def violated_exact(group: PopGroup) -> Bool:
    """Return the condition that 1 <= k < c - 1, and a queue has another number of readers than k + 1."""
    _, c, k, _ = _at(group)
    return smt.And(some_share(smt.IntVal(c), k), _readers(group) != k + 1)


def violation_exact(group: Group, results: Results) -> str | None:
    """Describe the first queue with another number of readers than k + 1, if 1 <= k < c - 1."""
    _, c, k = numbers(group)
    return _miscounted(group, results, k + 1) if 1 <= k < c - 1 else None


EXACT = Guarantee(
    name="exact",
    sentence="If 1 <= k < c - 1, exactly k + 1 members read each queue",
    where=(K,),
    source=SOURCE,
    obligations=agreed(),
    violated=violated_exact,
    violation=violation_exact,
)


def violated_enough(group: PopGroup) -> Bool:
    """Return the condition that 1 <= k < c - 1, and a queue has fewer than two readers."""
    _, c, k, _ = _at(group)
    return smt.And(some_share(smt.IntVal(c), k), _readers(group) < 2)


def violation_enough(group: Group, results: Results) -> str | None:
    """Describe the first queue with fewer than two readers, if 1 <= k < c - 1."""
    _, c, k = numbers(group)
    for queue, found in zip(group.queues, read_by(group, results), strict=True):
        if 1 <= k < c - 1 and len(found) < 2:
            return f"{name_queue(group, queue)} has {_members(len(found))}, although k is {k}."
    return None


BACKED_UP = Guarantee(
    name="backed-up",
    sentence="If k >= 1 and c > 2, at least two members read each queue",
    where=(K,),
    source=SOURCE,
    obligations=agreed(),
    violated=violated_enough,
    violation=violation_enough,
)


# Guarantees: the number of queues that a member reads.

BALANCED = Guarantee(
    name="balanced",
    sentence=OF_ONE.sentence,
    where=(K,),
    source=SOURCE,
    obligations=agreed(),
    violated=OF_ONE.violated,
    violation=OF_ONE.violation,
)


def extra(c: Int, k: Int, i: Int, m: Int) -> Int:
    """Return how many of the k + 1 members from i on, in the circle of c, have an index below m."""
    low, gone = smt.If(m < i, 0, m - i), i + k - c + 1
    wrapped = smt.If(m < gone, m, gone) + low
    return smt.If(i + k >= c, wrapped, smt.If(low < k + 1, low, k + 1))


def widest(q: Int, c: Int | int, k: Int) -> Int:
    """Return the bound of the difference: min(k + 1, c - k - 1, q mod c, c - q mod c)."""
    return least([k + 1, c - k - 1, q % c, c - q % c])


def _load(e: PopEncoding, v: SimpleNamespace) -> Statement:
    return Statement(
        sizes(v) | consumer(v, "i") | shares(v) | around(v),
        e.shared_count(v.q, v.c, v.k, v.i) == (v.k + 1) * (v.q / v.c) + extra(v.c, v.k, v.i, v.q % v.c),
    )


def _differ(e: PopEncoding, v: SimpleNamespace) -> Statement:
    i, j = (e.shared_count(v.q, v.c, v.k, index) for index in (v.i, v.j))
    other = around(SimpleNamespace(**vars(v) | {"i": v.j}))
    given = around(v) | {f"{which} for j": lemma for which, lemma in other.items()}
    return Statement(sizes(v) | consumer(v, "i") | consumer(v, "j") | shares(v) | given, i - j <= widest(v.q, v.c, v.k))


def violated_window(group: PopGroup) -> Bool:
    """Return the condition that members share, and two of them differ by more than the bound."""
    q, c, k, _ = _at(group)
    counts = [member.count for member in group.members]
    far = greatest(counts) - least(counts) > widest(q, c, k)
    return smt.And(c <= q, some_share(smt.IntVal(c), k), far)


def violation_window(group: Group, results: Results) -> str | None:
    """Describe two members that differ by more than the bound, if members share."""
    q, c, k = numbers(group)
    difference, said = extremes(group, results)
    bound = min(k + 1, c - k - 1, q % c, c - q % c)
    return f"{said}; the bound is {bound}." if 1 <= k < c - 1 and c <= q and difference > bound else None


WINDOW = Guarantee(
    name="window",
    sentence="When members share, their queue counts differ by at most b",
    where=("b: min(k + 1, c - k - 1, q mod c, c - q mod c)", SHARING, K),
    source=SOURCE,
    obligations=agreed(
        Obligation(
            "window.load",
            "A member reads (k + 1)(q div c) queues, and one more for each of k + 1 members below q mod c.",
            ("q", "c", "k", "i"),
            _load,
        ),
        Obligation(
            "window.differ",
            "The counts of two members differ by at most the bound.",
            ("q", "c", "k", "i", "j"),
            _differ,
        ),
        *LISTED,
    ),
    violated=violated_window,
    violation=violation_window,
)


def _one(e: PopEncoding, v: SimpleNamespace) -> Statement:
    return Statement(sizes(v) | consumer(v, "i") | fewer(v), e.few_count(v.q, v.c, v.i) == 1)


def _one_inside(e: PopEncoding, v: SimpleNamespace) -> Statement:
    queue = e.few_queue(v.q, v.i)
    return Statement(sizes(v) | consumer(v, "i") | fewer(v), smt.And(0 <= queue, queue < v.q))


def violated_one(group: PopGroup) -> Bool:
    """Return the condition that there are few queues, and a member does not read exactly one."""
    q, c, k, _ = _at(group)
    return smt.And(q < c, some_share(smt.IntVal(c), k), smt.Or([member.count != 1 for member in group.members]))


def violation_one(group: Group, results: Results) -> str | None:
    """Describe the first member that does not read exactly one queue, if there are few."""
    q, c, k = numbers(group)
    for place, result in enumerate(results):
        if 1 <= k < c - 1 and q < c and len(result) != 1:
            return f"{name_consumer(group, place)} reads {len(result)} queues."
    return None


ONE_QUEUE = Guarantee(
    name="one-queue",
    sentence="With few queues, each member reads exactly one queue, whatever k is",
    where=(FEW_QUEUES, K),
    source=SOURCE,
    obligations=agreed(
        CASE_FEW,
        Obligation("one-queue", "With few queues, a member reads one queue.", ("q", "c", "k", "i"), _one),
        Obligation("one-queue.inside", "That queue is one of the topic.", ("q", "c", "k", "i"), _one_inside),
    ),
    violated=violated_one,
    violation=violation_one,
)
