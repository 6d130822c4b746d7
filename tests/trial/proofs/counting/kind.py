"""Claims about the two workers, as the engine sees them."""

from collections.abc import Iterable, Mapping
from typing import Any

from rebalance_proofs.proofs.claim import EXISTS, Claim
from rebalance_proofs.proofs.counting.machine import MACHINES, observed, run
from rebalance_proofs.proofs.counting.nothing_lost import NOTHING_LOST
from rebalance_proofs.proofs.counting.schedules import Schedules, Situation
from rebalance_proofs.proofs.kind import Kind
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.search import Looking, Size
from rebalance_proofs.proofs.texts import labelled_text

SCHEDULES = Schedules(6)


def claims() -> tuple[Claim, ...]:
    """With the lock nothing is lost; without it something can be."""
    return tuple(
        Claim(
            "counting",
            (machine,),
            NOTHING_LOST,
            SCHEDULES,
            machine.locks,
            f"{machine.rocketmq_name}: {NOTHING_LOST.sentence}.",
            "for all schedules and any number to begin with" if machine.locks else EXISTS,
            NOTHING_LOST.source,
            NOTHING_LOST.obligations(SCHEDULES) if machine.locks else (),
        )
        for machine in MACHINES
    )


def smallest(claim: Claim, steps: int) -> Counterexample | None:
    """The first schedule of so many steps in which the guarantee does not hold."""
    for schedule in claim.world.of(steps):
        found = run(claim.subjects[0], schedule)
        sentence = claim.guarantee.violation(found)
        if sentence:
            return Counterexample(2, 1, schedule, found, sentence, steps)
    return None


class LookingAtSchedules(Looking):
    """A size is a number of steps."""

    @property
    def limit(self) -> int:
        return self.claim.world.most_steps

    def sizes(self) -> Iterable[Size]:
        return ((steps,) for steps in range(1, self.limit + 1))

    def named(self, size: Size, bound: Any = None) -> str:
        return f"steps-{size[0]}"

    def text(self, size: Size, bound: Any = None) -> str:
        found = Situation(self.encodings[0], size[0])
        return labelled_text(
            f"{self.title} / a schedule of {size[0]} steps\n{self.claim.guarantee.sentence}: sat = violated",
            {"the guarantee is violated": self.claim.guarantee.violated(found)},
        )

    def replay(self, model: Mapping[str, int], asked: Question, size: Size, bound: Any = None) -> None:
        schedule = [model.get(f"goes{step}", 0) for step in range(size[0])]
        self.replays &= self.claim.guarantee.violation(run(self.claim.subjects[0], schedule)) is not None

    async def smallest(self, size: Size) -> Counterexample | None:
        found = smallest(self.claim, *size)
        self.replays &= found is not None
        return found


COUNTING = Kind(claims, LookingAtSchedules, observed)
