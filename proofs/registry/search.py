"""The search for a run of a member and a broker that breaks a claim: explored, and its times are the solvers'."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import z3

from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.registry.clients import RegistryClient
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.earliest import earliest
from rebalance_proofs.proofs.happens import Schedule, times_of
from rebalance_proofs.proofs.looking_at_runs import LookingAtRuns
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.registry.examples import FEW, SHIPPED, Example
from rebalance_proofs.proofs.registry.explore import shortest
from rebalance_proofs.proofs.registry.guarantees import AS_LONG, BAD, ROUTE_AS_LONG
from rebalance_proofs.proofs.registry.run import run
from rebalance_proofs.proofs.registry.situation import situation
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.search import Size

__all__ = ["LookingAtRegistry", "example", "explored", "smallest"]


@cache
def explored(encoding: Any, claim: Claim) -> Schedule | None:
    """The shortest schedule that breaks the claim, in ticks; None when there is none, or there can be none."""
    if claim.guarantee in (AS_LONG, ROUTE_AS_LONG):
        return None
    found = example(claim)
    return shortest(encoding, claim.world, found.ticks, BAD[claim.guarantee.name], found.end)


def example(claim: Claim) -> Example:
    """With which limits a run is sought that breaks it."""
    return FEW if claim.holds else SHIPPED


@cache
def smallest(claim: Claim) -> Counterexample | None:
    """The shortest schedule, every action as early as it can be, as the code runs it.

    None when there is none, or the code does something else than the terms.
    """
    client: RegistryClient = claim.subjects[0]
    schedule = explored(client.encoding, claim)
    if schedule is None:
        return None
    limits = example(claim).limits
    found = situation(client.encoding, claim.world, limits, schedule, times_of(schedule))
    times = earliest(times_of(schedule), (*found.constraints.values(), claim.guarantee.violated(found)))
    if times is None:
        return None
    try:
        shown = run(client, claim.world, schedule, times, limits)
    except Impossible:
        return None
    sentence = claim.guarantee.violation(shown)
    return Counterexample(1, 1, tuple(times), shown, sentence, len(schedule)) if sentence else None


class LookingAtRegistry(LookingAtRuns):
    """One member."""

    around = (1, 1)

    @property
    def schedule(self) -> Schedule | None:
        return explored(self.encodings[0], self.claim)

    def found(self) -> Counterexample | None:
        return smallest(self.claim)

    def constraints(self, schedule: Schedule) -> Mapping[str, z3.BoolRef]:
        limits = example(self.claim).limits
        found = situation(self.encodings[0], self.claim.world, limits, schedule, times_of(schedule))
        return found.constraints | {"it is violated": self.claim.guarantee.violated(found)}

    def replay(self, model: Mapping[str, int], asked: Question, size: Size, bound: Any = None) -> None:
        schedule = self.schedule
        assert schedule is not None
        self.replays &= self._violated(schedule, [model.get(str(time), 0) for time in times_of(schedule)])

    def _violated(self, schedule: Schedule, times: Sequence[int]) -> bool:
        try:
            found = run(self.claim.subjects[0], self.claim.world, schedule, times, example(self.claim).limits)
        except Impossible:
            return False
        return self.claim.guarantee.violation(found) is not None
