"""Scenarios that nobody thought of, drawn by a seed: the same seed and number give the same one."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from rebalance_proofs.recorded.live import step as steps
from rebalance_proofs.recorded.live.scenario import Member, Scenario, Send
from rebalance_proofs.recorded.live.step import Step
from rebalance_proofs.recorded.live.valid import check

__all__ = ["draw"]

MEMBERS, STEPS = (3, 6), (4, 8)
"""How many there are, at least and at most."""
LISTENERS = (10, 50, 300, 2_000, 5_000, 12_000, 25_000)
"""Times of listeners, in ms: short ones, and some that meet the limits of locks."""
PAUSES = (0.5, 2, 5, 10, 20, 30, 45)
STOPS = (5, 25, 35, 65)
DELAYS = (200, 1_500, 4_000)
QUICK = 20
"""The time of listeners at the end, in ms, so that what has piled up is consumed."""


def draw(seed: int, number: int) -> Scenario:
    """The ``number``-th scenario of the seed; ``check`` has nothing against it."""
    random = Random(f"{seed}/{number}")
    mode = random.choice(("concurrent", "ordered"))
    ms = random.choice(LISTENERS)
    count = random.randint(*MEMBERS)
    members = {f"c{each}": Member(mode=mode, ms=ms) for each in range(count)}
    drawn = _Drawn(random, list(members), random.choice((2, 4, 8)))
    queues = drawn.queues
    for _ in range(random.randint(*STEPS)):
        drawn.add()
    made = Scenario(
        name=f"random_{seed}_{number}",
        about=f"Drawn by --seed {seed}: number {number}.",
        topics={"T1": queues},
        members={name: members[name] for name in drawn.joined},
        send=Send(rate=8 if ms < 1000 else 2),
        steps=(*drawn.steps, steps.Listener(of=tuple(drawn.there), ms=QUICK)),
        patience=200.0,
    )
    check(made)
    return made


@dataclass
class _Drawn:
    """A list of steps, and where it has come to."""

    random: Random
    waiting: list[str]
    """Members that have not joined."""
    queues: int
    there: list[str] = field(default_factory=list)
    joined: list[str] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._join(20.0)

    def add(self) -> None:
        """One more step, of those that can be done now."""
        able: list[Callable[[float], None]] = [self._stop, self._broker, self._delay, self._grow]
        able += [self._join] * 3 if self.waiting else []
        able += [self._shutdown, self._kill] * 2 if len(self.there) > 1 else []
        self.random.choice(able)(float(self.random.choice(PAUSES)))

    def _join(self, then: float) -> None:
        who = self.waiting.pop(0)
        self.there.append(who)
        self.joined.append(who)
        self.steps.append(steps.Join(of=who, then=then))

    def _leaver(self) -> str:
        return self.there.pop(self.random.randrange(len(self.there)))

    def _shutdown(self, then: float) -> None:
        self.steps.append(steps.Shutdown(of=self._leaver(), then=then))

    def _kill(self, then: float) -> None:
        self.steps.append(steps.Kill(of=self._leaver(), then=then))

    def _stop(self, then: float) -> None:
        who = self.random.choice(self.there)
        self.steps.append(steps.Stop(of=who, for_=float(self.random.choice(STOPS)), then=then))

    def _broker(self, then: float) -> None:
        end = self.random.choice((steps.StopBroker, steps.KillBroker))
        self.steps += [end(then=float(self.random.choice((2, 8)))), steps.StartBroker(then=then)]

    def _delay(self, then: float) -> None:
        ms = self.random.choice(DELAYS)
        self.steps.append(steps.Delay(ms=ms, for_=float(self.random.choice((10, 30))), then=then))

    def _grow(self, then: float) -> None:
        self.queues += self.random.choice((1, 2, 4))
        self.steps.append(steps.Queues(topic="T1", to=self.queues, then=then))
