"""The counterexample as an HTML table: process queues before and after each round, and effects."""

from dataclasses import dataclass

from rebalance_proofs.model.transition.client import Mode
from rebalance_proofs.model.transition.rounds import Held, Round, Rounds
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.english import queues
from rebalance_proofs.report.rendering import environment
from rebalance_proofs.report.transition import effects
from rebalance_proofs.report.transition.sides import sides

_TEMPLATES = environment(escapes=True)


@dataclass(frozen=True)
class State:
    """A cell of the table: a queue's process queue at one time."""

    kind: str
    """CSS class: ``none`` (no process queue), ``live`` or ``dropped``."""
    words: str


@dataclass(frozen=True)
class Deed:
    """One action of the client in a round, such as marking a process queue as dropped."""

    number: int
    """Number of the action among all actions of the round, from 1."""
    words: str


@dataclass(frozen=True)
class Line:
    """A row of the table: one queue of one client."""

    client: str
    """The client's name; empty if there is only one client."""
    queue: str
    states: tuple[State, ...]
    """The queue's process queue before the first round, and after each round."""
    deeds: tuple[tuple[Deed, ...], ...]
    """The client's actions on the queue in each round."""


@dataclass(frozen=True)
class Chart:
    """The whole table, with all queues of all clients."""

    rounds: tuple[str, ...]
    """Names of the rounds, which are the table's columns."""
    lines: tuple[Line, ...]


def drawn(claim: Claim, example: Counterexample) -> str:
    """Return the counterexample's table as HTML."""
    return _TEMPLATES.get_template("rounds.html").render(chart=chart(claim, example))


def chart(claim: Claim, example: Counterexample) -> Chart:
    """Return the table of the counterexample, with the rows of a second client below those of the first."""
    told = sides(claim, example)
    count = len(example.group.rounds)
    names = ("actions of the client",) if count == 1 else ("in the first rebalance", "in the second rebalance")
    lines = [
        _line(side, place, claim, alone=len(told) == 1)
        for side in told
        for place in range(len(example.group.case.queues))
    ]
    return Chart(names[:count], tuple(lines))


def _line(found: Rounds, place: int, claim: Claim, *, alone: bool) -> Line:
    seen = [done.queues[place] for done in found.rounds]
    queue = queues([seen[0].queue.queue_id], seen[0].queue.topic)
    if claim.world.apart:
        queue += f", consumer {place}"
    return Line(
        client="" if alone else found.client.rocketmq_name,
        queue=queue,
        states=tuple(state(held, found.mode) for held in (seen[0].before, *(one.after for one in seen))),
        deeds=tuple(deeds(done, place, apart=claim.world.apart) for done in found.rounds),
    )


def state(held: Held | None, mode: Mode) -> State:
    """Return a process queue in words.

    The broker's lock is named only for consumers that use it.
    """
    if held is None:
        return State("none", "no process queue")
    locked = (", locked" if held.locked else ", not locked") if mode.order else ""
    words = f"{'new ' if held.fresh else ''}process queue{', dropped' if held.dropped else ''}{locked}"
    return State("dropped" if held.dropped else "live", words)


def deeds(done: Round, place: int, *, apart: bool = False) -> tuple[Deed, ...]:
    """Return the effects on one queue, numbered over all queues of the round.

    With ``apart``, they are numbered over this queue alone.
    """
    own = done.queues[place]
    everything = enumerate(own.effects if apart else done.effects, 1)
    return tuple(Deed(number, *effects.one_by_one([effect])) for number, effect in everything if effect[1] == own.queue)
