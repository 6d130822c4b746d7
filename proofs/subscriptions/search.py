"""The search for a run that breaks a claim about subscriptions: explored, and its times are the solvers'."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import z3

from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.subscriptions.clients import SubscriptionsClient
from rebalance_proofs.model.subscriptions.limits import Limits
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.earliest import earliest
from rebalance_proofs.proofs.happens import Schedule, times_of
from rebalance_proofs.proofs.looking_at_runs import LookingAtRuns
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.search import Size
from rebalance_proofs.proofs.subscriptions.examples import DEFAULTS
from rebalance_proofs.proofs.subscriptions.explore import shortest
from rebalance_proofs.proofs.subscriptions.guarantees import sought
from rebalance_proofs.proofs.subscriptions.run import run
from rebalance_proofs.proofs.subscriptions.situation import Situation, situation

__all__ = ["LookingAtSubscriptions", "explored", "reached", "smallest"]


@cache
def explored(encoding: Any, claim: Claim) -> Schedule | None:
    """The shortest schedule that breaks the claim, in ticks; None when there is none."""
    return shortest(encoding, claim) if sought(claim) else None


def reached(
    encoding: Any, claim: Claim, schedule: Schedule, times: Sequence[z3.ArithRef], limits: Limits = DEFAULTS
) -> Situation:
    """It, at those times."""
    fingerprints = claim.subjects[0].fingerprints
    return situation(encoding, claim.world, limits, schedule, times, fingerprints=fingerprints)


@cache
def smallest(claim: Claim) -> Counterexample | None:
    """The shortest schedule, every action as early as it can be, as the code runs it.

    None when there is none, or the code does something else than the terms.
    """
    client: SubscriptionsClient = claim.subjects[0]
    schedule = explored(client.encoding, claim)
    if schedule is None:
        return None
    found = reached(client.encoding, claim, schedule, times_of(schedule))
    times = earliest(times_of(schedule), (*found.constraints.values(), claim.guarantee.violated(found)))
    if times is None:
        return None
    try:
        shown = run(client, claim.world, schedule, times, DEFAULTS)
    except Impossible:
        return None
    sentence = claim.guarantee.violation(shown)
    return Counterexample(2, 1, tuple(times), shown, sentence, len(schedule)) if sentence else None


class LookingAtSubscriptions(LookingAtRuns):
    """One member, and all others."""

    @property
    def schedule(self) -> Schedule | None:
        return explored(self.encodings[0], self.claim)

    def found(self) -> Counterexample | None:
        return smallest(self.claim)

    def constraints(self, schedule: Schedule) -> Mapping[str, z3.BoolRef]:
        found = reached(self.encodings[0], self.claim, schedule, times_of(schedule))
        return found.constraints | {"it is violated": self.claim.guarantee.violated(found)}

    def replay(self, model: Mapping[str, int], asked: Question, size: Size, bound: Any = None) -> None:
        schedule = self.schedule
        assert schedule is not None
        self.replays &= self._violated(schedule, [model.get(str(time), 0) for time in times_of(schedule)])

    def _violated(self, schedule: Schedule, times: Sequence[int]) -> bool:
        try:
            found = run(self.claim.subjects[0], self.claim.world, schedule, times, DEFAULTS)
        except Impossible:
            return False
        return self.claim.guarantee.violation(found) is not None
