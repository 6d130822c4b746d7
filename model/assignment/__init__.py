"""The broker's assignment (``QueryAssignment``) over each strategy that the broker knows.

To add one, name its encoding in ``STRATEGIES``.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.strategy import Allocate, Strategy
from rebalance_proofs.model.assignment.broker import popping
from rebalance_proofs.model.assignment.encoding import PopEncoding, Shared, shared_blocks, shared_circle
from rebalance_proofs.model.assignment.encoding import popping as pop_encoding
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.values import Mutant

__all__ = ["POP_AVG", "POP_CIRCLE", "STRATEGIES", "pulled"]

SOURCE = "org.apache.rocketmq.broker.processor.QueryAssignmentProcessor#allocate4Pop"

HOLDS = frozenset(
    {
        "covers",
        "shared",
        "everyone",
        "few",
        "window",
        "one-queue",
        "still",
        "pulled-once",
        "listed",
        "retry",
        "empty",
    }
)
FAILS = frozenset({"exact", "balanced", "no-fewer", "monotone", "backed-up", "unmixed", "unlisted"})


def mutants(right: PopEncoding) -> tuple[Mutant, ...]:
    """Return mutants of a pop encoding; each guarantee must reject some."""

    def fewer_neighbours(part: Callable[..., Any]) -> Callable[..., Any]:
        return lambda q, c, k, *others: part(q, c, k - 1, *others)

    return (
        Mutant(
            "more-than-c",
            "Every member reads every queue only if k > c - 1, instead of k >= c - 1.",
            replace(right, reads_all=lambda c, k: smt.Or(k <= 0, k > c - 1)),
            breaks="everyone",
        ),
        Mutant(
            "zero-shares",
            "Every member reads every queue only if k < 0 or k >= c - 1.",
            replace(right, reads_all=lambda c, k: smt.Or(k < 0, k >= c - 1)),
            breaks="still",
        ),
        Mutant(
            "all-at-once",
            "Every member reads every queue already if k >= c - 2.",
            replace(right, reads_all=lambda c, k: smt.Or(k <= 0, k >= c - 2)),
            breaks="shared",
        ),
        Mutant(
            "one-neighbour-less",
            "A member shares the queues of k - 1 neighbours.",
            replace(
                right,
                shared_reads=fewer_neighbours(right.shared_reads),
                shared_count=fewer_neighbours(right.shared_count),
                shared_element=fewer_neighbours(right.shared_element),
                shared_rank=fewer_neighbours(right.shared_rank),
            ),
            breaks="shared",
        ),
        Mutant(
            "first-queue-for-all",
            "With few queues, every member reads the first one.",
            replace(right, few_queue=lambda q, i: smt.IntVal(0)),
            breaks="covers",
        ),
        Mutant(
            "two-queues",
            "With few queues, the last member reads two queues.",
            replace(right, few_count=lambda q, c, i: smt.If(i == c - 1, 2, 1)),
            breaks="one-queue",
        ),
        Mutant(
            "few-as-shared",
            "Members share although there is one queue too few.",
            replace(right, enough=lambda q, c: c <= q + 1),
            breaks="few",
        ),
        Mutant(
            "first-counts-twice",
            "The first member counts its queues twice.",
            replace(right, shared_count=lambda q, c, k, i: right.shared_count(q, c, k, i) * smt.If(i == 0, 2, 1)),
            breaks="window",
        ),
        Mutant(
            "retry-popped",
            "A retry topic is popped like every other topic.",
            replace(right, pops=lambda retry, requested, default: smt.And(requested != 1, default == 1)),
            breaks="retry",
        ),
        Mutant(
            "unlisted-shares",
            "A member that is not in cidAll reads queues in every case.",
            replace(right, listed_only=lambda c, k: smt.BoolVal(False)),
            breaks="listed",
        ),
        Mutant(
            "never-null",
            "No request gets null.",
            replace(right, null=lambda q, c, k: smt.BoolVal(False)),
            breaks="empty",
        ),
        Mutant(
            "two-pull",
            "In pull mode, the member after the owner reads the queue too.",
            replace(right, owns=lambda q, c, i, p: smt.Or(right.owns(q, c, i, p), right.owns(q, c, i - 1, p))),
            breaks="pulled-once",
        ),
    )


def popped(inner: Strategy, shared: Shared) -> Strategy:
    """Return pop mode over a strategy that the broker knows. ``shared``: the encoding of the second case."""

    def configure(share: int) -> Allocate:
        return popping(inner.allocate, share)

    encoding = pop_encoding(inner.encoding, shared)
    return Strategy(
        name=f"pop-{inner.name}",
        rocketmq_name=f"{inner.rocketmq_name} in pop mode",
        source=SOURCE,
        allocate=configure(-1),
        encoding=encoding,
        holds=HOLDS,
        fails=FAILS,
        mutants=mutants(encoding),
        configure=configure,
    )


POP_AVG = popped(AVERAGELY, shared_blocks(AVERAGELY.encoding))
POP_CIRCLE = popped(AVERAGELY_BY_CIRCLE, shared_circle())

STRATEGIES: tuple[Strategy, ...] = (POP_AVG, POP_CIRCLE)
"""Pop mode over each strategy of the broker; pull mode is the strategy itself."""

_PULLED: Mapping[str, Strategy] = {POP_AVG.name: AVERAGELY, POP_CIRCLE.name: AVERAGELY_BY_CIRCLE}


def pulled(strategy: Strategy) -> Strategy:
    """Return the broker's answer in pull mode: the strategy over which the given one pops."""
    return _PULLED[strategy.name]
