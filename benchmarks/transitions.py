"""The cost of comparing transitions: tables of three queues, through the clients' code and through their terms."""

from collections.abc import Callable, Sequence

from rebalance_proofs.model.transition.clients import CLIENTS
from rebalance_proofs.spark_enum.jobs import run
from rebalance_proofs.spark_enum.results import Finding
from rebalance_proofs.spark_enum.session import spark_session
from rebalance_proofs.spark_enum.transition.bounds import TransitionBounds
from rebalance_proofs.spark_enum.transition.kinds import CALLS, MODELS, SINGLES, TABLES
from rebalance_proofs.spark_enum.transition.transitions import transitions

CORES = 2
WHAT = {
    (SINGLES, 1): ("every state, membership and answer of one queue, code and compiled term", None),
    (CALLS, 3): ("three queues in one call of the client's code, each as it is alone", 5),
    (TABLES, 3): ("three queues through the compiled terms, each as the code has it alone", 50),
    (MODELS, 1): ("all solutions of one queue's terms by Z3, and all runs of the code", None),
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


def rows(found: Sequence[Finding], described: Callable[[float], str]) -> list[str]:
    """A line of the table for each comparison; ``described`` writes seconds."""
    lines = []
    for (kind, queues), (words, wanted) in WHAT.items():
        alike = [one for one in found if one.kind == kind and one.bounds["queues"] == queues]
        cases, spent = sum(one.counted for one in alike), sum(one.seconds for one in alike)
        target = f"at least {wanted} million a minute" if wanted else ""
        rate = cases / spent * 60 / 1e6
        measured = f"{cases:,} in {described(spent)}" + (f": {rate:,.1f} million a minute" if rate >= 1 else "")
        lines.append(f"| transitions, {CORES} cores: {words} | {target} | {measured} |")
    return lines
