"""The search for a run of two consumers that breaks a claim about offsets: the shortest schedule is explored."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import z3

from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.offsets.clients import OffsetsClient
from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.transition.numbers import WHERES
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.happens import Schedule
from rebalance_proofs.proofs.looking_at_runs import LookingAtRuns
from rebalance_proofs.proofs.offsets.brokers import Brokers
from rebalance_proofs.proofs.offsets.explore import shortest
from rebalance_proofs.proofs.offsets.guarantees import (
    BAD,
    BAD_FINISHING,
    BAD_HANDED,
    BAD_IN_ORDER,
    BAD_LATER,
    BAD_OF_RESETS,
    BAD_REPLICATED,
    Bad,
)
from rebalance_proofs.proofs.offsets.run import Run, run
from rebalance_proofs.proofs.offsets.situation import MESSAGE, WHERE, situation
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.search import Size

__all__ = ["LookingAtOffsets", "explored", "smallest"]


def explored(encoding: Any, claim: Claim) -> Schedule | None:
    """The shortest schedule that breaks the claim; None when none does of as many actions as are tried."""
    name = claim.guarantee.name
    # One search for all guarantees of a client; without a premise, and of wrong terms, one is asked for.
    bad = _bad(claim.world)
    sought = tuple(bad) if encoding is claim.subjects[0].encoding and not claim.world.dropped else (name,)
    return _explored(encoding, claim.world, sought).get(name)


def _bad(world: Brokers) -> Mapping[str, Bad]:
    if world.finishing:
        return BAD_FINISHING
    if world.replica:
        return BAD_REPLICATED
    if world.later:
        return BAD_LATER
    if world.resets:
        return BAD_OF_RESETS
    return BAD_IN_ORDER if world.orderly else BAD_HANDED if world.handed else BAD


@cache
def _explored(encoding: Any, world: Brokers, sought: tuple[str, ...]) -> Mapping[str, Schedule]:
    return shortest(encoding, world, {name: _bad(world)[name] for name in sought})


@cache
def smallest(claim: Claim) -> Counterexample | None:
    """The shortest schedule, with a message at the least offset, as the client's code runs it.

    None when there is none, or the code does something else than the terms.
    """
    client, world = claim.subjects[0], claim.world
    schedule = explored(client.encoding, claim)
    if schedule is None:
        return None
    where = world.where or ConsumeFromWhere.LAST_OFFSET
    try:
        found = run(client, world, schedule, world.least, where)
    except Impossible:
        return None
    sentence = claim.guarantee.violation(found)
    return (
        Counterexample(2, 1, (world.least, WHERES.index(where)), found, sentence, len(schedule)) if sentence else None
    )


class LookingAtOffsets(LookingAtRuns):
    """One message, anywhere."""

    @property
    def schedule(self) -> Schedule:
        return explored(self.encodings[0], self.claim) or ()

    def found(self) -> Counterexample | None:
        return smallest(self.claim)

    def constraints(self, schedule: Schedule) -> Mapping[str, z3.BoolRef]:
        found = situation(self.encodings[0], self.claim.world, schedule)
        return found.constraints | {"it is violated": self.claim.guarantee.violated(found)}

    def replay(self, model: Mapping[str, int], asked: Question, size: Size, bound: Any = None) -> None:
        message, where = model.get(str(MESSAGE), self.claim.world.least), WHERES[model.get(str(WHERE), 0)]
        self.replays &= self._violated(message, where)

    def _violated(self, message: int, where: ConsumeFromWhere) -> bool:
        client: OffsetsClient = self.claim.subjects[0]
        try:
            found: Run = run(client, self.claim.world, self.schedule, message, where)
        except Impossible:
            return False
        return self.claim.guarantee.violation(found) is not None
