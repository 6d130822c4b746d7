"""What the clients' code says against a claim about transitions, or against what the solvers found."""

from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.spark_enum.transition.results import Promised


def promised_against(claim: Claim, promised: Promised | None, result: ClaimResult | None) -> list[str]:
    """One sentence each; nothing is said of a claim that was not run."""
    if promised is None:
        return []
    said = [] if promised.complete else ["not every case was met, or some were met twice"]
    if claim.expected is Verdict.PROVED and promised.smallest:
        said.append(f"broken with {_size(promised.smallest)}. {promised.sentence}")
    unbroken = [mode for mode, violations in promised.violations.items() if not violations]
    if claim.expected is Verdict.REFUTED and unbroken:
        said.append(f"expected to fail, but nothing near to a benign round breaks it for {' and '.join(unbroken)}")
    example = result.search.counterexample if result and result.search else None
    if example and promised.smallest and promised.smallest != (example.queues, example.departures):
        found = _size((example.queues, example.departures))
        said.append(f"smallest counterexample: solver {found}, enumerator {_size(promised.smallest)}")
    return said


def _size(size: tuple[int, int]) -> str:
    queues, departures = size
    return f"{queues} {'queue' if queues == 1 else 'queues'} and {departures} departures from a benign round"
