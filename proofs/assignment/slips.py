"""Mutants of pop encodings, each wrong in one part, for no specific guarantee."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from rebalance_proofs.model.assignment.encoding import PopEncoding
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.smt import BoolTerm as Bool
from rebalance_proofs.model.terms.smt import IntTerm as Int


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
