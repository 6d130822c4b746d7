"""The cost of comparing transitions: tables of three queues, through the clients' code and through their terms."""

from collections.abc import Sequence

from benchmarks.history import Measured
from benchmarks.timing import seconds
from rebalance_proofs.model.transition.clients import CLIENTS
from rebalance_proofs.spark_enum.jobs import run
from rebalance_proofs.spark_enum.results import Finding
from rebalance_proofs.spark_enum.session import spark_session
from rebalance_proofs.spark_enum.transition.bounds import TransitionBounds
from rebalance_proofs.spark_enum.transition.space import CALLS, MODELS, SINGLES, TABLES
from rebalance_proofs.spark_enum.transition.witness import transitions

CORES = 2
WHAT = {
    (SINGLES, 1): ("comparison of one queue, every state and answer", None),
    (CALLS, 3): ("comparison of three queues, one call", 5),
    (TABLES, 3): ("comparison of three queues, compiled terms", 50),
    (MODELS, 1): ("all solutions of one queue's terms", None),
}
"""(Kind, queues) of a comparison -> what is compared, in words, and the target in million cases a minute."""


def enumerated(bounds: TransitionBounds | None = None) -> list[Finding]:
    """The comparisons of all clients in all modes, on two cores; raises ``RuntimeError`` where two sides differ."""
    with spark_session(f"local[{CORES}]", None) as spark:
        jobs = transitions(lambda checks: run(spark, checks), CLIENTS, bounds or TransitionBounds())
        found = [one for job in jobs for one in job]
    for one in found:
        if not one.equal:
            raise RuntimeError(f"{one.name}: {one.first or 'not every case was met once'}")
    return found


def figures(found: Sequence[Finding]) -> list[Measured]:
    """One figure for each comparison."""
    figures = []
    for (kind, queues), (words, wanted) in WHAT.items():
        alike = [one for one in found if one.kind == kind and one.bounds["queues"] == queues]
        cases, spent = sum(one.counted for one in alike), sum(one.seconds for one in alike)
        goal = f"at least {wanted} million a minute" if wanted else ""
        rate = cases / spent * 60 / 1e6
        total = f"{cases:,} in {seconds(spent)}"
        measured = f"{rate:,.1f} million a minute" if rate >= 1 else total
        met = rate >= wanted if wanted else None
        figures.append(Measured(words, measured, goal, met, f"{CORES} cores; {total}"))
    return figures
