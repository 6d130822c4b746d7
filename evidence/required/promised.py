"""Required numbers of cases for claims about rebalances, by claim and mode of use.

The cases deviate little from a rebalance without failures.
"""

from collections.abc import Iterator

from rebalance_proofs.evidence.asked import Asked
from rebalance_proofs.evidence.required.cases import departures
from rebalance_proofs.evidence.required.transitions import transition_claims
from rebalance_proofs.model.transition.client import Mode
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.transition.scenario import Action
from rebalance_proofs.proofs.transition.search import RENEWED
from rebalance_proofs.report.evidence import Required
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.results import Enumerated, Finding
from rebalance_proofs.spark_enum.transition.bounds import TransitionBounds
from rebalance_proofs.spark_enum.transition.kinds import FARTHER, GONE, PROMISES


def promised(asked: Asked, bounds: Bounds, found: Enumerated) -> Iterator[Required]:
    """Yield the required number of cases of every claim, in every mode of its scenario."""
    claims = transition_claims(asked)
    there = {row.name: row for row in found.of(PROMISES)}
    yield Required("checked claims about transitions", len(claims), sum(claim.id in there for claim in claims))
    for claim in claims:
        if claim.id in there:
            required, gone = _cases(claim, there[claim.id], bounds.transitions)
            yield Required(f"{claim.id}: cases checked", required, gone)


def _cases(claim: Claim, row: Finding, bounds: TransitionBounds) -> tuple[int, int]:
    """Return the required and the checked number of cases, up to the requested depths.

    The depth is the number of deviations from default values. If a claim expected to fail does not fail in some mode,
    deeper cases are required there, too. In modes where it fails, the number of deeper cases does not matter.
    """
    required, gone = 0, sum(number for name, number in row.numbers.items() if name.startswith(GONE))
    for mode in claim.world.modes:
        farther = claim.expected is Verdict.REFUTED and not row.broken.get(mode.name)
        if claim.expected is Verdict.REFUTED and not farther:
            gone -= row.numbers.get(f"{FARTHER}, {mode.name}", 0)
        for queues, depth in enumerate(bounds.depths, 1):
            most = max(depth, bounds.deepest) if farther else depth
            required += sum(departures(_others(claim, mode, queues), most))
    return required, gone


def _others(claim: Claim, mode: Mode, queues: int) -> list[int]:
    """Return, for each unknown, its number of values other than the default."""
    scenario, client = claim.world, claim.subjects[0]
    if scenario.action is Action.RENEWS:
        return [len(known.values) - 1 for _, known in scenario.unknowns(queues) if known.name in RENEWED]
    return [len(client.values(known, mode.own_store)) - 1 for _, known in scenario.unknowns(queues)]
