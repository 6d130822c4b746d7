"""The search for a run of one consumer that breaks a claim about pull requests: the shortest schedule is explored."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import z3

from rebalance_proofs.model.client.process_queue import PULL_MAX_IDLE_TIME
from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.pulls.clients import PullsClient
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.happens import Schedule
from rebalance_proofs.proofs.looking_at_runs import LookingAtRuns
from rebalance_proofs.proofs.pulls.explore import shortest
from rebalance_proofs.proofs.pulls.guarantees import BAD
from rebalance_proofs.proofs.pulls.run import run
from rebalance_proofs.proofs.pulls.situation import LIMIT, situation
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.search import Size

__all__ = ["LookingAtPulls", "explored", "smallest"]


@cache
def explored(encoding: Any, claim: Claim) -> Schedule | None:
    """The shortest schedule that breaks the claim; None when none does of as many actions as are tried."""
    name = claim.guarantee.name
    return shortest(encoding, claim.world, {name: BAD[name]}).get(name)


def _broken(claim: Claim, schedule: Schedule, limit: int) -> tuple[Any, str] | None:
    """What the client's code does, and what is wrong with it."""
    client: PullsClient = claim.subjects[0]
    try:
        found = run(client, claim.world, schedule, limit)
    except Impossible:
        return None
    sentence = claim.guarantee.violation(found)
    return (found, sentence) if sentence else None


@cache
def smallest(claim: Claim) -> Counterexample | None:
    """The shortest schedule, with the longest time without a pull that is shipped, as the client's code runs it.

    None when there is none, or the code does something else than the terms.
    """
    schedule = explored(claim.subjects[0].encoding, claim)
    broken = _broken(claim, schedule, PULL_MAX_IDLE_TIME) if schedule else None
    if schedule is None or broken is None:
        return None
    found, sentence = broken
    return Counterexample(1, 1, (PULL_MAX_IDLE_TIME,), found, sentence, len(schedule))


class LookingAtPulls(LookingAtRuns):
    """One consumer, any longest time without a pull."""

    around = (1, 1)

    @property
    def schedule(self) -> Schedule:
        return explored(self.encodings[0], self.claim) or ()

    def found(self) -> Counterexample | None:
        return smallest(self.claim)

    def constraints(self, schedule: Schedule) -> Mapping[str, z3.BoolRef]:
        found = situation(self.encodings[0], self.claim.world, schedule)
        return found.constraints | {"it is violated": self.claim.guarantee.violated(found)}

    def replay(self, model: Mapping[str, int], asked: Question, size: Size, bound: Any = None) -> None:
        self.replays &= _broken(self.claim, self.schedule, model.get(str(LIMIT), 0)) is not None
