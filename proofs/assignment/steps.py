"""Proof steps about pop mode: its three cases, and who reads a queue in each of them."""

from collections.abc import Callable
from types import SimpleNamespace

from rebalance_proofs.model.assignment.encoding import PopEncoding
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.smt import BoolTerm as Bool
from rebalance_proofs.model.terms.smt import IntTerm as Int
from rebalance_proofs.model.worlds.assignments import Share
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.proofs.allocation.covers import COVERS as OF_COVERS
from rebalance_proofs.proofs.movement.lemmas import SPREAD, instance
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, position, sizes

Given = Callable[[SimpleNamespace], dict[str, Bool]]

# The three cases, as conditions in claims and as assumptions of obligations.

K = "k: popShareQueueNum, c: the number of members, q: the number of queues"
SHARING = "sharing: c <= q and 1 <= k < c - 1"
FEW_QUEUES = "few queues: q < c and 1 <= k < c - 1"


def some_share(c: Int, k: Int) -> Bool:
    """Return the condition 1 <= k < c - 1."""
    return smt.And(1 <= k, k < c - 1)


def shares(v: SimpleNamespace) -> dict[str, Bool]:
    """Return the assumption that members share queues."""
    return {"1 <= k < c - 1": some_share(v.c, v.k), "at least as many queues as members": v.c <= v.q}


def fewer(v: SimpleNamespace) -> dict[str, Bool]:
    """Return the assumption that there are few queues."""
    return {"1 <= k < c - 1": some_share(v.c, v.k), "fewer queues than members": v.q < v.c}


def everybody(v: SimpleNamespace) -> dict[str, Bool]:
    """Return the assumption that k is not from 1 to c - 2."""
    return {"k <= 0 or k >= c - 1": smt.Or(v.k <= 0, v.k >= v.c - 1)}


def share_of(group: Group) -> Share:
    """Return the popShareQueueNum of a concrete group and its further settings."""
    assert isinstance(group.setting, Share)
    return group.setting


def numbers(group: Group) -> tuple[int, int, int]:
    """Return q, c and k of a concrete group."""
    return len(group.queues), len(group.consumers), share_of(group).number


def read_by(group: Group, results: Results) -> list[list[int]]:
    """Return for each queue the indexes of its readers."""
    return [[place for place, result in enumerate(results) if queue in result] for queue in group.queues]


# Obligations: in which case the broker is, and who reads a queue in each case.


def _case(name: str, sentence: str, given: Given, right: Callable[[PopEncoding, SimpleNamespace], Bool]) -> Obligation:
    return Obligation(name, sentence, ("q", "c", "k"), lambda e, v: Statement(sizes(v) | given(v), right(e, v)))


CASE_ALL = _case(
    "case.all", "Unless 1 <= k < c - 1, the first case applies.", everybody, lambda e, v: e.reads_all(v.c, v.k)
)
CASE_SHARED = _case(
    "case.shared",
    "If 1 <= k < c - 1 and c <= q, the second case applies.",
    shares,
    lambda e, v: smt.And(smt.Not(e.reads_all(v.c, v.k)), e.enough(v.q, v.c)),
)
CASE_FEW = _case(
    "case.few",
    "If 1 <= k < c - 1 and q < c, the third case applies.",
    fewer,
    lambda e, v: smt.And(smt.Not(e.reads_all(v.c, v.k)), smt.Not(e.enough(v.q, v.c))),
)
ALL_READ = Obligation(
    "all.reads",
    "In the first case, a member reads every queue.",
    ("q", "c", "p"),
    lambda e, v: Statement(sizes(v) | position(v, "p"), e.all_reads(v.q, v.p)),
)


def around(v: SimpleNamespace, *owners: Int) -> dict[str, Bool]:
    """Return instances of the lemma "spread", about the last of the k + 1 members from i on.

    Its index is i + k, or i + k - c. It is compared with c, and with the index of each owner.
    """
    a, last = v.q / v.c, v.i + v.k
    given = {"i + k + 1 and c": (last + 1, v.c), "c and i + k": (v.c, last), "2 c and i + k": (2 * v.c, last)}
    for o in owners:
        given |= {"i + k + 1 and o": (last + 1, o), "o and i + k": (o, last)}
        given |= {"i + k + 1 and o + c": (last + 1, o + v.c), "o + c and i + k": (o + v.c, last)}
    return {f"spread, of q div c, {which}": instance(a, *pair) for which, pair in given.items()}


def owned(e: PopEncoding, v: SimpleNamespace) -> dict[str, Bool]:
    """Return the assumptions that members share, and that o owns p in pull mode."""
    owns = {"o owns p in pull mode": e.owns(v.q, v.c, v.o, v.p)}
    return sizes(v) | shares(v) | consumer(v, "o") | position(v, "p") | owns


def _shared_reads(e: PopEncoding, v: SimpleNamespace) -> Statement:
    given = {
        "t is from 0 to k": smt.And(0 <= v.t, v.t <= v.k),
        "i is t places before o": v.i == e.before(v.c, v.o, v.t),
    }
    reads = smt.And(0 <= v.i, v.i < v.c, e.shared_reads(v.q, v.c, v.k, v.i, v.p))
    return Statement(owned(e, v) | given | around(v, v.o), reads)


def _shared_only(e: PopEncoding, v: SimpleNamespace) -> Statement:
    turn = e.before(v.c, v.o, v.i)
    given = consumer(v, "i") | {"i reads p": e.shared_reads(v.q, v.c, v.k, v.i, v.p)}
    numbered = smt.And(0 <= turn, turn <= v.k, e.before(v.c, v.o, turn) == v.i)
    return Statement(owned(e, v) | given | around(v, v.o), numbered)


def _shared_distinct(e: PopEncoding, v: SimpleNamespace) -> Statement:
    given = {"t before u, up to k": smt.And(0 <= v.t, v.t < v.u, v.u <= v.k)}
    return Statement(
        sizes(v) | shares(v) | consumer(v, "o") | given, e.before(v.c, v.o, v.t) != e.before(v.c, v.o, v.u)
    )


OWNED = OF_COVERS.obligations(AGREED)
"""Obligations that each queue has an owner in pull mode."""

SHARED_READS = Obligation(
    "shared.reads",
    "The members from 0 to k places before a queue's owner read it.",
    ("q", "c", "k", "i", "o", "p", "t"),
    _shared_reads,
)
SHARED_READERS = (
    CASE_SHARED,
    *OWNED,
    SPREAD,
    SHARED_READS,
    Obligation(
        "shared.only",
        "A member that reads a queue is from 0 to k places before its owner.",
        ("q", "c", "k", "i", "o", "p"),
        _shared_only,
    ),
    Obligation(
        "shared.distinct",
        "Members at different distances before an owner differ.",
        ("q", "c", "k", "o", "t", "u"),
        _shared_distinct,
    ),
)
"""Obligations that k + 1 members read each queue if members share."""


def _few_reads(e: PopEncoding, v: SimpleNamespace) -> Statement:
    reader = e.few_reader(v.q, v.p, v.t)
    given = {"t numbers readers": smt.And(0 <= v.t, v.t < e.few_readers(v.q, v.c, v.p))}
    return Statement(
        sizes(v) | fewer(v) | position(v, "p") | given,
        smt.And(0 <= reader, reader < v.c, e.few_queue(v.q, reader) == v.p),
    )


def _few_only(e: PopEncoding, v: SimpleNamespace) -> Statement:
    turn = e.few_turn(v.q, v.i)
    given = {"i reads p": e.few_queue(v.q, v.i) == v.p}
    numbered = smt.And(0 <= turn, turn < e.few_readers(v.q, v.c, v.p), e.few_reader(v.q, v.p, turn) == v.i)
    return Statement(sizes(v) | fewer(v) | consumer(v, "i") | position(v, "p") | given, numbered)


def _few_distinct(e: PopEncoding, v: SimpleNamespace) -> Statement:
    return Statement(
        sizes(v) | position(v, "p") | {"t before u": smt.And(0 <= v.t, v.t < v.u)},
        e.few_reader(v.q, v.p, v.t) != e.few_reader(v.q, v.p, v.u),
    )


def _few_some(e: PopEncoding, v: SimpleNamespace) -> Statement:
    return Statement(sizes(v) | fewer(v) | position(v, "p"), e.few_readers(v.q, v.c, v.p) >= 1)


def _few_count(e: PopEncoding, v: SimpleNamespace) -> Statement:
    right = v.c / v.q + smt.If(v.p < v.c % v.q, 1, 0)
    return Statement(sizes(v) | fewer(v) | position(v, "p"), e.few_readers(v.q, v.c, v.p) == right)


FEW_READS = Obligation(
    "few.reads", "With few queues, each numbered reader reads the queue.", ("q", "c", "k", "p", "t"), _few_reads
)
FEW_SOME = Obligation("few.some", "With few queues, each queue has a reader.", ("q", "c", "k", "p"), _few_some)
FEW_READERS = (
    CASE_FEW,
    FEW_READS,
    Obligation(
        "few.only", "With few queues, a reader of the queue has a number.", ("q", "c", "k", "i", "p"), _few_only
    ),
    Obligation("few.distinct", "With few queues, no reader has two numbers.", ("q", "c", "p", "t", "u"), _few_distinct),
    Obligation(
        "few.count",
        "With few queues, the queue at position p has c div q readers, and one more if p < c mod q.",
        ("q", "c", "k", "p"),
        _few_count,
    ),
)
"""Obligations that c div q or one more member reads each queue if there are few queues."""


# Obligations: the count is the number of queues that a member reads if members share.


def _sound(e: PopEncoding, v: SimpleNamespace) -> Statement:
    view = v.q, v.c, v.k, v.i
    given = {"n counts elements": smt.And(0 <= v.n, v.n < e.shared_count(*view))}
    return Statement(
        sizes(v) | consumer(v, "i") | shares(v) | given | around(v),
        e.shared_reads(*view, e.shared_element(*view, v.n)),
    )


def _complete(e: PopEncoding, v: SimpleNamespace) -> Statement:
    view = v.q, v.c, v.k, v.i
    rank = e.shared_rank(*view, v.p)
    return Statement(
        sizes(v) | consumer(v, "i") | shares(v) | {"i reads p": e.shared_reads(*view, v.p)} | around(v),
        smt.And(0 <= rank, rank < e.shared_count(*view), e.shared_element(*view, rank) == v.p),
    )


def _ascending(e: PopEncoding, v: SimpleNamespace) -> Statement:
    view = v.q, v.c, v.k, v.i
    given = {"n before m": smt.And(0 <= v.n, v.n < v.m, v.m < e.shared_count(*view))}
    return Statement(
        sizes(v) | consumer(v, "i") | shares(v) | given | around(v),
        e.shared_element(*view, v.n) < e.shared_element(*view, v.m),
    )


LISTED = (
    CASE_SHARED,
    SPREAD,
    Obligation("shared.sound", "The member reads every element of its list.", ("q", "c", "k", "i", "n"), _sound),
    Obligation(
        "shared.complete", "Every queue that a member reads is in its list.", ("q", "c", "k", "i", "p"), _complete
    ),
    Obligation("shared.ascending", "The list is strictly ascending.", ("q", "c", "k", "i", "n", "m"), _ascending),
)
