"""The story as a table: each queue's entry before and after each round, and in between what was done, in order."""

from collections.abc import Sequence
from dataclasses import dataclass

from rebalance_proofs.model.transition.client import Mode
from rebalance_proofs.model.transition.rounds import Held, Round
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.rendering import environment
from rebalance_proofs.report.transition import effects
from rebalance_proofs.report.transition.circumstances import queues
from rebalance_proofs.report.transition.sides import Side, sides

_TEMPLATES = environment(escapes=True)


@dataclass(frozen=True)
class State:
    """A queue's entry in a table."""

    kind: str
    """``none``, ``live`` or ``dropped``."""
    words: str


@dataclass(frozen=True)
class Deed:
    """One effect."""

    number: int
    """Its place among all of its round, from 1."""
    words: str


@dataclass(frozen=True)
class Line:
    """One queue in one client's table."""

    client: str
    """Empty where there is only one."""
    queue: str
    states: tuple[State, ...]
    """Before the first round, and after each."""
    deeds: tuple[tuple[Deed, ...], ...]
    """Round by round."""


@dataclass(frozen=True)
class Chart:
    """All queues of all clients."""

    rounds: tuple[str, ...]
    """What each is called."""
    lines: tuple[Line, ...]


def drawn(claim: Claim, example: Counterexample) -> str:
    """The table as HTML."""
    return _TEMPLATES.get_template("rounds.html").render(chart=chart(claim, example))


def chart(claim: Claim, example: Counterexample) -> Chart:
    """The counterexample's own rounds; those of a second client below them."""
    told = sides(claim, example)
    count = len(example.group.rounds)
    names = ("what the client does",) if count == 1 else ("in the first rebalance", "in the second rebalance")
    lines = [
        _line(side, place, claim, alone=len(told) == 1)
        for side in told
        for place in range(len(example.group.case.queues))
    ]
    return Chart(names[:count], tuple(lines))


def _line(side: Side, place: int, claim: Claim, *, alone: bool) -> Line:
    found = side.rounds
    seen = [done.queues[place] for done in found.rounds]
    queue = queues([seen[0].queue.queue_id], seen[0].queue.topic)
    if claim.world.apart:
        queue += f", consumer {place}"
    return Line(
        client="" if alone else side.name,
        queue=queue,
        states=tuple(state(held, found.mode) for held in (seen[0].before, *(one.after for one in seen))),
        deeds=tuple(deeds(done, place, apart=claim.world.apart) for done in found.rounds),
    )


def state(held: Held | None, mode: Mode) -> State:
    """An entry in words; the broker's lock matters to consumers that ask for it."""
    if held is None:
        return State("none", "no entry")
    parts = ["new" if held.fresh else "", "entry", ", dropped" if held.dropped else ""]
    locked = (", locked" if held.locked else ", not locked") if mode.order else ""
    words = " ".join(filter(None, parts[:2])) + parts[2] + locked
    return State("dropped" if held.dropped else "live", words)


def deeds(done: Round, place: int, *, apart: bool = False) -> tuple[Deed, ...]:
    """What was done with one queue; numbers are counted over all queues of the round."""
    own = done.queues[place].effects
    everything = own if apart else done.effects
    return tuple(
        Deed(number, words) for number, words in zip(_numbers(everything, own), effects.one_by_one(own), strict=True)
    )


def _numbers(everything: Sequence[tuple], own: Sequence[tuple]) -> list[int]:
    """Effects of one queue are those of its name, in order."""
    if not own:
        return []
    return [number for number, effect in enumerate(everything, 1) if effect[1] == own[0][1]]
