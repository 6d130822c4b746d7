"""Claims about the broker's assignment: each strategy of the broker with each guarantee."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.strategy import AllocationError, Strategy
from rebalance_proofs.model.assignment import STRATEGIES, broker, pulled
from rebalance_proofs.model.assignment.encoding import PopEncoding
from rebalance_proofs.model.group import client_ids
from rebalance_proofs.model.queues import one_broker, positions_in
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.smt import BoolTerm as Bool
from rebalance_proofs.model.terms.smt import IntTerm as Int
from rebalance_proofs.model.worlds.assignments import (
    ALL_MODES,
    GROUP,
    JOINED,
    MIXED,
    MIXED_STRATEGIES,
    POPS,
    REQUESTED,
    UNLISTED,
    processor,
)
from rebalance_proofs.model.worlds.groups import Groups
from rebalance_proofs.proofs.allocation.observed import observe, observe_lists
from rebalance_proofs.proofs.allocation.stated import stated
from rebalance_proofs.proofs.assignment import changes, readers
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.named import number

ROOM = "assignment"
ANY_SHARE = "for all numbers of queues, members and popShareQueueNum"

GUARANTEES: tuple[tuple[Guarantee, Groups, str | None], ...] = (
    (readers.COVERS, POPS, None),
    (readers.SHARED, POPS, None),
    (readers.EVERYONE, POPS, None),
    (readers.FEW, POPS, None),
    (readers.EXACT, POPS, None),
    (readers.BACKED_UP, POPS, None),
    (readers.BALANCED, POPS, None),
    (readers.WINDOW, POPS, None),
    (readers.ONE_QUEUE, POPS, None),
    (changes.STILL, JOINED, None),
    (changes.NO_FEWER, JOINED, None),
    (changes.MONOTONE, JOINED, None),
    (changes.MIXED_COVERS, MIXED, "mixed"),
    (changes.PULLED_ONCE, MIXED, "mixed"),
    (changes.UNMIXED, MIXED, "mixed"),
    (changes.LISTED, UNLISTED, None),
    (changes.UNLISTED_IDLE, UNLISTED, None),
    (changes.RETRY, ALL_MODES, None),
    (changes.EMPTY, POPS, None),
)
"""Guarantees, each with the assumptions of its claims and the end of their ids."""

PULLS = (AVERAGELY, AVERAGELY_BY_CIRCLE)
"""Strategies by which members pull that do not ask the broker."""


def claims(strategies: tuple[Strategy, ...] = STRATEGIES) -> tuple[Claim, ...]:
    """Return all claims about the broker's assignment, in the order of the ledger."""
    return tuple(_claims(strategies))


def _claims(strategies: tuple[Strategy, ...]) -> Iterator[Claim]:
    for strategy in strategies:
        for guarantee, world, variant in GUARANTEES:
            holds = guarantee.name in strategy.holds
            yield stated(ROOM, (strategy,), guarantee, world, holds=holds, scope=ANY_SHARE, variant=variant)
    for pops in strategies:
        for pulls in PULLS:
            if pulls is not pulled(pops):
                yield stated(ROOM, (pops, pulls), readers.COVERS, MIXED_STRATEGIES, holds=False)


# Mutants of pop encodings, each wrong in one part, for no specific guarantee.


def slips(right: PopEncoding) -> Iterator[tuple[str, str, Any]]:
    """Yield (name, fault, encoding) for parts of pop mode; the parts of pull mode have mutants of their own."""
    for part in ("before", "few_queue", "few_count", "few_readers", "few_reader", "few_turn"):
        yield _one_more(right, part)
    for part in ("shared_count", "shared_element", "shared_rank"):
        yield _one_more(right, part)

    def backwards(q: Int, c: Int, k: Int, i: Int, n: Int) -> Int:
        return right.shared_element(q, c, k, i, right.shared_count(q, c, k, i) - 1 - n)

    def the_next_too(q: Int, c: Int, k: Int, i: Int, p: Int) -> Bool:
        return smt.Or(right.shared_reads(q, c, k, i, p), right.shared_reads(q, c, k, i, p - 1))

    def every_second(q: Int, c: Int, k: Int, i: Int, p: Int) -> Bool:
        return smt.And(right.shared_reads(q, c, k, i, p), p % 2 == 0)

    for name, fault, wrong in (
        ("first-unread", "If members read all queues, they miss the first.", {"all_reads": lambda q, p: p > 0}),
        ("owner-only", "If members share, every reader is the owner.", {"before": lambda c, place, steps: place}),
        ("one-reader", "With few queues, every reader is the same.", {"few_reader": lambda q, p, t: p}),
        ("unread", "With few queues, a queue has one reader too few.", {"few_readers": lambda q, c, p: c / q - 1}),
        ("shared-backwards", "The list of a member that shares is reversed.", {"shared_element": backwards}),
        (
            "shared-next-too",
            "A member that shares also reads the queue after each one.",
            {"shared_reads": the_next_too},
        ),
        ("shared-every-second", "A member that shares misses every second queue.", {"shared_reads": every_second}),
        ("always-null", "Every request gets null.", {"null": lambda q, c, k: smt.BoolVal(True)}),
    ):
        yield name, fault, replace(right, **wrong)


def _one_more(right: PopEncoding, part: str) -> tuple[str, str, Any]:
    count: Callable[..., Int] = getattr(right, part)
    wrong: dict[str, Any] = {part: lambda *arguments: count(*arguments) + 1}
    return f"{part.replace('_', '-')}-off-by-one", f"The part {part} is too large by one.", replace(right, **wrong)


# The broker's code with the interface of a pop encoding: each part runs the code for given numbers.


STRANGER = "z"
"""A client id that is in no list."""


@observe.register
def _pop(encoding: PopEncoding, strategy: Strategy) -> PopEncoding:
    inner = pulled(strategy)

    def read(q: int, c: int, k: int, i: int) -> list[int]:
        queues, ids = one_broker(q), client_ids(c)
        return positions_in(queues, strategy.configured(share=k).allocate(ids[i], queues, ids) or ())

    def reads(q: Int, c: Int, k: Int, i: Int, p: Int) -> Bool:
        return smt.BoolVal(number(p) in read(*map(number, (q, c, k, i))))

    def count(q: Int, c: Int, k: Int, i: Int) -> Int:
        return smt.IntVal(len(read(*map(number, (q, c, k, i)))))

    def element(q: Int, c: Int, k: Int, i: Int, n: Int) -> Int:
        return _at(read(*map(number, (q, c, k, i))), number(n))

    def rank(q: Int, c: Int, k: Int, i: Int, p: Int) -> Int:
        return _place(read(*map(number, (q, c, k, i))), number(p))

    def all_queues(c: Int, k: Int) -> Bool:
        answer = broker.allocate_4_pop(inner.allocate, "c0", one_broker(1), client_ids(number(c)), number(k))
        return smt.BoolVal(answer[0].queue_id == broker.ALL_QUEUES)

    def of_few(q: int, c: int) -> list[list[int]]:
        """Return what each member reads with few queues; nothing if the sizes are those of another case."""
        return [read(q, c, 1, i) for i in range(c)] if q < c and c > 2 else []

    def few_queue(q: Int, i: Int) -> Int:
        return smt.IntVal(of_few(number(q), max(number(i), number(q), 2) + 1)[number(i)][0])

    def readers(q: int, c: int, p: int) -> list[int]:
        return [i for i, queues in enumerate(of_few(q, c)) if p in queues]

    def few_reader(q: Int, p: Int, t: Int) -> Int:
        c = (number(t) + 1) * number(q) + number(p) + 3
        return _at(readers(number(q), c, number(p)), number(t))

    def few_turn(q: Int, i: Int) -> Int:
        c = max(number(i), number(q), 2) + 1
        return _place(readers(number(q), c, of_few(number(q), c)[number(i)][0]), number(i))

    def few_count(q: Int, c: Int, i: Int) -> Int:
        every = of_few(number(q), number(c))
        return smt.IntVal(len(every[number(i)]) if every else 0)

    def pops(retry: Int, requested: Int, default: Int) -> Bool:
        topic = f"{broker.RETRY_GROUP_TOPIC_PREFIX}{GROUP}" if number(retry) == 1 else "T"
        asked = processor(topic, one_broker(1, topic), ("c0",), REQUESTED[number(requested)], number(default), 1)
        return smt.BoolVal(asked.request_mode(topic, GROUP).mode == broker.POP)

    def answer(client_id: str, q: Int, c: Int, k: Int) -> Sequence[object] | None:
        """Return what a member reads; None if the broker throws, and so answers with null."""
        try:
            reads_of = strategy.configured(share=number(k)).allocate
            return reads_of(client_id, one_broker(number(q)), client_ids(number(c)))
        except AllocationError:
            return None

    def listed_only(c: Int, k: Int) -> Bool:
        return smt.BoolVal(not any(answer(STRANGER, smt.IntVal(q), c, k) for q in (1, number(c))))

    return PopEncoding(
        **vars(observe_lists(encoding, inner)),
        shared_reads=reads,
        shared_count=count,
        shared_element=element,
        shared_rank=rank,
        reads_all=all_queues,
        all_reads=lambda q, p: smt.BoolVal(number(p) in read(number(q), 1, 0, 0)),
        enough=lambda q, c: smt.BoolVal(not of_few(number(q), max(number(c), 3))),
        few_queue=few_queue,
        few_count=few_count,
        few_readers=lambda q, c, p: smt.IntVal(len(readers(number(q), number(c), number(p)))),
        few_reader=few_reader,
        few_turn=few_turn,
        pops=pops,
        listed_only=listed_only,
        null=lambda q, c, k: smt.BoolVal(answer("c0", q, c, k) is None),
    )


def _at(listed: list[int], n: int) -> Int:
    return smt.IntVal(listed[n] if 0 <= n < len(listed) else -1)


def _place(listed: list[int], one: int) -> Int:
    return smt.IntVal(listed.index(one) if one in listed else -1)
