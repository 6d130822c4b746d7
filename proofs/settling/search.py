"""The search for a run of a rebalance thread that breaks a claim: explored, and its times are the solvers'."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import z3

from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.settling.clients import SettlingClient
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.earliest import earliest
from rebalance_proofs.proofs.happens import Schedule, times_of
from rebalance_proofs.proofs.looking_at_runs import LookingAtRuns
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.search import Size
from rebalance_proofs.proofs.settling.examples import DEFAULTS, TICKS
from rebalance_proofs.proofs.settling.explore import shortest
from rebalance_proofs.proofs.settling.guarantees import bad_of
from rebalance_proofs.proofs.settling.run import run
from rebalance_proofs.proofs.settling.situation import situation

__all__ = ["LookingAtSettling", "explored", "smallest"]


@cache
def explored(encoding: Any, claim: Claim) -> Schedule | None:
    """The shortest schedule that breaks the claim, in ticks; None when there is none."""
    return shortest(encoding, claim.world, TICKS, bad_of(claim))


@cache
def smallest(claim: Claim) -> Counterexample | None:
    """The shortest schedule, every action as early as it can be, as the client's code runs it.

    None when there is none, or the code does something else than the terms.
    """
    client: SettlingClient = claim.subjects[0]
    schedule = explored(client.encoding, claim)
    if schedule is None:
        return None
    found = situation(client.encoding, claim.world, DEFAULTS, schedule, times_of(schedule))
    times = earliest(times_of(schedule), (*found.constraints.values(), claim.guarantee.violated(found)))
    if times is None:
        return None
    try:
        shown = run(client, claim.world, schedule, times, DEFAULTS)
    except Impossible:
        return None
    sentence = claim.guarantee.violation(shown)
    return Counterexample(1, 1, tuple(times), shown, sentence, len(schedule)) if sentence else None


class LookingAtSettling(LookingAtRuns):
    """One client."""

    around = (1, 1)

    @property
    def schedule(self) -> Schedule | None:
        return explored(self.encodings[0], self.claim)

    def found(self) -> Counterexample | None:
        return smallest(self.claim)

    def constraints(self, schedule: Schedule) -> Mapping[str, z3.BoolRef]:
        found = situation(self.encodings[0], self.claim.world, DEFAULTS, schedule, times_of(schedule))
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
