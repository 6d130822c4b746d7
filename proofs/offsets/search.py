"""The search for a run of two consumers that breaks a claim about offsets: the shortest schedule is explored."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.offsets.clients import OffsetsClient
from rebalance_proofs.model.offsets.consumer import Impossible
from rebalance_proofs.model.transition.numbers import WHERES
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.happens import Schedule
from rebalance_proofs.proofs.offsets.brokers import Brokers
from rebalance_proofs.proofs.offsets.explore import shortest
from rebalance_proofs.proofs.offsets.guarantees import BAD
from rebalance_proofs.proofs.offsets.run import Run, run
from rebalance_proofs.proofs.offsets.situation import MESSAGE, WHERE, situation
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.search import Looking, Size
from rebalance_proofs.proofs.texts import labelled_text

__all__ = ["LookingAtOffsets", "explored", "smallest"]


def explored(encoding: Any, world: Brokers, guarantee: str) -> Schedule | None:
    """The shortest schedule that breaks the guarantee of that name; None when none does of as many actions as are
    tried."""
    return _explored(encoding, world).get(guarantee)


@cache
def _explored(encoding: Any, world: Brokers) -> Mapping[str, Schedule]:
    return shortest(encoding, world, BAD)


@cache
def smallest(claim: Claim) -> Counterexample | None:
    """The shortest schedule, with a message at offset 0, as the client's code runs it.

    None when there is none, or the code does something else than the terms.
    """
    client, world = claim.subjects[0], claim.world
    schedule = explored(client.encoding, world, claim.guarantee.name)
    if schedule is None:
        return None
    where = world.where or ConsumeFromWhere.LAST_OFFSET
    try:
        found = run(client, world, schedule, 0, where)
    except Impossible:
        return None
    sentence = claim.guarantee.violation(found)
    return Counterexample(2, 1, (0, WHERES.index(where)), found, sentence, len(schedule)) if sentence else None


class LookingAtOffsets(Looking):
    """A size is two consumers, one queue, and a number of actions: the fewest, by breadth-first search."""

    @property
    def _schedule(self) -> Schedule:
        found = explored(self.encodings[0], self.claim.world, self.claim.guarantee.name)
        return found or ()

    @property
    def limit(self) -> int:
        return 2

    def sizes(self) -> Iterable[Size]:
        schedule = self._schedule
        return ((2, 1, len(schedule)),) if schedule else ()

    def named(self, size: Size, bound: Any = None) -> str:
        return f"actions-{size[2]}"

    def text(self, size: Size, bound: Any = None) -> str:
        found = situation(self.encodings[0], self.claim.world, self._schedule)
        title = f"{self.title} / {size[2]} actions\n{self.claim.guarantee.sentence}: sat = violated"
        return labelled_text(title, found.constraints | {"it is violated": self.claim.guarantee.violated(found)})

    def replay(self, model: Mapping[str, int], asked: Question, size: Size, bound: Any = None) -> None:
        message, where = model.get(str(MESSAGE), 0), WHERES[model.get(str(WHERE), 0)]
        self.replays &= self._violated(message, where)

    def _violated(self, message: int, where: ConsumeFromWhere) -> bool:
        client: OffsetsClient = self.claim.subjects[0]
        try:
            found: Run = run(client, self.claim.world, self._schedule, message, where)
        except Impossible:
            return False
        return self.claim.guarantee.violation(found) is not None

    async def smallest(self, size: Size) -> Counterexample | None:
        found = smallest(self.claim)
        self.replays &= found is not None
        return found
