"""Comparison of explored runs with claims that a run of actions can violate."""

from collections.abc import Callable, Mapping, Sequence

from rebalance_proofs.model.machine.happens import Schedule
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.models.evaluated import true_in
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.proofs.timed_search import TimedRuns
from rebalance_proofs.spark_enum.results import Enumerated


def explored_against(
    kind: str,
    explored: Callable[[Claim], Schedule | None],
    comes: str,
    never: Callable[[Claim], str],
    sought: Callable[[Claim], bool] = lambda claim: True,
) -> Callable[[Claim, Enumerated, ClaimResult | None], list[str]]:
    """Return a function that lists contradictions between explored runs and a claim's verdict.

    It applies if the check ``kind`` was made. ``explored(claim)`` is the shortest run of the client that violates the
    claim, or None. ``comes`` and ``never(claim)`` are the sentences for an existing and for a missing run, without the
    number of actions. ``sought(claim)`` is true if a run is searched for at all.
    """

    def against(claim: Claim, enumerated: Enumerated, result: ClaimResult | None) -> list[str]:
        if not sought(claim) or not enumerated.of(kind):
            return []
        known = result.explored if result else None
        schedule = explored(claim) if known is None else known
        if claim.expected is Verdict.PROVED and schedule:
            return [f"{comes} in {len(schedule)} actions"]
        if claim.expected is Verdict.REFUTED and not schedule:
            return [f"expected to fail, but {never(claim)}"]
        return []

    return against


def mistaken_in(runs: TimedRuns) -> Callable[[Claim, Mutant, Mapping[str, int], Sequence[int]], str | None]:
    """Return a function ``mistaken``, which tests claims on mutants: wrong formulas of a client.

    It returns a sentence if the mutant's run, at the times of the solver's model, violates the guarantee; otherwise
    None.
    """

    def mistaken(claim: Claim, mutant: Mutant, model: Mapping[str, int], size: Sequence[int]) -> str | None:
        for schedule in runs.asked(claim, mutant):
            told = runs.stated(mutant.encoding, claim, schedule).values()
            if len(schedule) == size[-1] and true_in(model, list(told)):
                return f"the guarantee is violated after {len(schedule)} actions."
        return None

    return mistaken
