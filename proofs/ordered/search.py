"""The search for two listeners on one queue: the shortest schedule is explored, and its times are the solvers'."""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import z3

from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.earliest import earliest
from rebalance_proofs.proofs.happens import Schedule, times_of
from rebalance_proofs.proofs.looking_at_runs import LookingAtRuns
from rebalance_proofs.proofs.ordered.circumstances import IN_TIME, Circumstances, needed
from rebalance_proofs.proofs.ordered.examples import example, in_ticks
from rebalance_proofs.proofs.ordered.explore import shortest
from rebalance_proofs.proofs.ordered.guarantees import is_explored
from rebalance_proofs.proofs.ordered.run import Run, run
from rebalance_proofs.proofs.ordered.situation import situation
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.search import Size

__all__ = ["LookingAtListeners", "explored", "smallest"]


def explored(encoding: Any, client: OrderedClient, world: Circumstances) -> Schedule | None:
    """The shortest schedule against a claim, in ticks; None when there is none. Of wrong terms any that is short."""
    if encoding is not client.encoding and not world.renewed and not world.prompt and not needed(client, world.name):
        # Whatever comes to it with all premises also does so without one.
        world = IN_TIME
    return _explored(encoding, client, world)


@cache
def _explored(encoding: Any, client: OrderedClient, world: Circumstances) -> Schedule | None:
    return shortest(encoding, world, in_ticks(client, world))


@cache
def smallest(claim: Claim) -> Counterexample | None:
    """The shortest schedule, every action as early as it can be, as the client's code runs it.

    None when there is none, or the code does something else than the terms.
    """
    client, world = claim.subjects[0], claim.world
    schedule = explored(client.encoding, client, world)
    times = timed(client, world, schedule, example(client, world)) if schedule else None
    if schedule is None or times is None:
        return None
    try:
        found = run(client, world, schedule, times, example(client, world))
    except Impossible:
        return None
    sentence = claim.guarantee.violation(found)
    return Counterexample(2, 1, tuple(times), found, sentence, len(schedule)) if sentence else None


def timed(client: OrderedClient, world: Circumstances, schedule: Schedule, limits: Limits) -> Sequence[int] | None:
    """Times in ms at which the schedule ends so, as early as can be; None where there are none.

    One action comes after another: at least a millisecond, so that nothing rests on what is at once.
    """
    times = times_of(schedule)
    found = situation(client.encoding, world, limits, schedule, times)
    in_order = (later > earlier for earlier, later in pairwise(times))
    return earliest(times, (*found.constraints.values(), found.left_behind if world.prompt else found.both, *in_order))


class LookingAtListeners(LookingAtRuns):
    """Two listeners at once, or a lock that is left behind: explored in ticks; its times are asked of the solvers."""

    @property
    def _client(self) -> OrderedClient:
        client: OrderedClient = self.claim.subjects[0]
        return client

    @property
    def schedule(self) -> Schedule | None:
        return explored(self.encodings[0], self._client, self.claim.world) if is_explored(self.claim) else None

    def found(self) -> Counterexample | None:
        return smallest(self.claim)

    def constraints(self, schedule: Schedule) -> Mapping[str, z3.BoolRef]:
        world = self.claim.world
        found = situation(self.encodings[0], world, example(self._client, world), schedule, times_of(schedule))
        return found.constraints | {f"not so: {self.claim.guarantee.sentence}": self.claim.guarantee.violated(found)}

    def replay(self, model: Mapping[str, int], asked: Question, size: Size, bound: Any = None) -> None:
        schedule, world = self.schedule, self.claim.world
        assert schedule is not None
        times = [model.get(str(time), 0) for time in times_of(schedule)]
        self.replays &= self._violated(schedule, times, world)

    def _violated(self, schedule: Schedule, times: Sequence[int], world: Circumstances) -> bool:
        try:
            found: Run = run(self._client, world, schedule, times, example(self._client, world))
        except Impossible:
            return False
        return self.claim.guarantee.violation(found) is not None
