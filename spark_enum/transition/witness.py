"""The enumeration for transition claims, and contradictions between results and claims."""

from collections.abc import Iterator, Sequence

from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.check import Run
from rebalance_proofs.spark_enum.kind import Kind
from rebalance_proofs.spark_enum.results import Enumerated, Finding
from rebalance_proofs.spark_enum.transition.kinds import PROMISES
from rebalance_proofs.spark_enum.transition.mistaken import sentence
from rebalance_proofs.spark_enum.transition.transitions import JOBS, transitions
from rebalance_proofs.spark_enum.transition.trials import promises


def found(run: Run, claims: Sequence[Claim], bounds: Bounds, solver: str) -> Iterator[tuple[Finding, ...]]:
    """Compare client code, formulas and models; then test each claim on client code."""
    clients = tuple(dict.fromkeys(client for claim in claims for client in claim.subjects))
    yield from transitions(run, clients, bounds.transitions)
    yield promises(run, claims, bounds.transitions.depths, bounds.transitions.deepest)


def against(claim: Claim, enumerated: Enumerated, result: ClaimResult | None) -> list[str]:
    """Return contradictions between the enumeration and a claim, one sentence each.

    Empty for a claim that was not tested.
    """
    promised = enumerated.named(PROMISES, claim.id)
    if promised is None:
        return []
    said = [] if promised.equal else ["some case was missed or counted twice"]
    least = promised.least
    if claim.expected is Verdict.PROVED and least:
        said.append(f"broken with {_size(least.size)}. {least.sentence}")
    unbroken = [mode for mode, violations in promised.broken.items() if not violations]
    if claim.expected is Verdict.REFUTED and unbroken:
        said.append(f"expected to fail, but nothing near to a benign round breaks it for {' and '.join(unbroken)}")
    example = result.search.counterexample if result and result.search else None
    if example and least and least.size != (example.queues, example.departures):
        solver = _size((example.queues, example.departures))
        said.append(f"smallest counterexample: solver {solver}, enumerator {_size(least.size)}")
    return said


def _size(size: tuple[int, ...]) -> str:
    queues, departures = size
    return f"{queues} {'queue' if queues == 1 else 'queues'} and {departures} departures from a benign round"


TRANSITION = Kind(jobs=lambda claims, bounds: JOBS + 1, found=found, against=against, mistaken=sentence)
