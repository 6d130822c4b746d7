"""A counterexample effect by effect, with each client's process queues after every effect."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rebalance_proofs.model.client import effects as does
from rebalance_proofs.model.client.effects import Effect
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.transition.client import Mode
from rebalance_proofs.model.transition.rounds import Held, Round, Rounds
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.claims.steps import BOTH, FIRST, NOBODY, Party, Played, Step, TraceVariable, Value
from rebalance_proofs.report.rendering import environment
from rebalance_proofs.report.text.english import capitalized, queues
from rebalance_proofs.report.transition import effects
from rebalance_proofs.report.transition.document import brought, story
from rebalance_proofs.report.transition.effects import sides

# The counterexample as an HTML table: process queues before and after each round, and effects.

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


COLOURS = {"live": FIRST, "dropped": BOTH, "none": NOBODY}
ENTRY = "The queue's process queue in the client's table (`ProcessQueueTable`)."

Table = dict[MessageQueue, Held | None]


def played(claim: Claim, example: Counterexample) -> Played | None:
    """Return the steps of the counterexample, one client after the other, round by round.

    None if the effects do not lead to the table that the model computes for the round's end.
    """
    told = sides(claim, example)
    if not all(_same(done) for side in told for done in side.rounds):
        return None
    every = [one for place, side in enumerate(told) for one in _told(claim, side, place, told)]
    lines = story(claim, example)
    first, *steps = (
        Step(words, None, tuple(_values(now, before, told)))
        for (words, now), (_, before) in zip(every, [every[0], *every], strict=False)
    )
    return Played(tuple(_parties(told)), first, tuple(steps), lines[-1], whole=False)


Now = tuple[Table, ...]
"""Client -> its process queue table at one time."""


def _told(claim: Claim, side: Rounds, place: int, told: Sequence[Rounds]) -> Iterator[tuple[str, Now]]:
    """Yield (text, tables of all clients) for each step of one client.

    The first client finishes before the second begins.
    """
    others = [_last(one) if number < place else _first(one) for number, one in enumerate(told)]
    whose = f"{side.client.rocketmq_name}: " if len(told) > 1 else ""
    if not place:
        yield "Initial state.", tuple(others)
    for number, done in enumerate(side.rounds):
        table = {one.queue: one.before for one in done.queues}
        yield whose + brought(claim, told[0], number), (*others[:place], dict(table), *others[place + 1 :])
        for effect, then in _one_by_one(done):
            yield f"{whose}{_said(effect, len(done.queues))}.", (*others[:place], then, *others[place + 1 :])
        if done.thrown:
            yield f"{whose}An exception ends the rebalance.", (*others[:place], _of(done), *others[place + 1 :])


def _said(effect: Effect, of: int) -> str:
    """Return an effect in words, with its queue if there are several."""
    queue, (words,) = effect[1], effects.one_by_one([effect])
    about = "" if queue is None or of == 1 else f": {queues([queue.queue_id])}"
    return f"{capitalized(words)}{about}"


def _one_by_one(done: Round) -> Iterator[tuple[Effect, Table]]:
    """Yield each effect, and the table after it."""
    table: Table = {one.queue: one.before for one in done.queues}
    ends = _of(done)
    for effect in done.effects:
        table = after(table, effect, ends)
        yield effect, table


def after(table: Table, effect: Effect, ends: Mapping[MessageQueue, Held | None]) -> Table:
    """Return the table after one effect.

    Whether a new process queue is locked is taken from ``ends``, the table at the end of the round.
    """
    name, queue, *details = effect
    if queue not in table:
        return table
    held, end = table[queue], ends[queue]
    if name == does.OUT:
        held = None
    elif name == does.IN:
        held = Held(dropped=False, locked=bool(end and end.locked), tries=0, fresh=True)
    elif held is not None:
        if name == does.DROP:
            held = replace(held, dropped=True)
        elif name == does.PROCESS_QUEUE_LOCKED:
            held = replace(held, locked=bool(details and details[0]))
        elif name == does.TRY_UNLOCK_TIMES:
            held = replace(held, tries=held.tries + 1)
    return table | {queue: held}


def _same(done: Round) -> bool:
    """Check whether the round's effects, applied one by one, lead to the table at its end."""
    ends = _of(done)
    *_, last = [{one.queue: one.before for one in done.queues}, *(table for _, table in _one_by_one(done))]
    return last == ends


def _of(done: Round) -> Table:
    return {one.queue: one.after for one in done.queues}


def _first(side: Rounds) -> Table:
    return {one.queue: one.before for one in side.rounds[0].queues}


def _last(side: Rounds) -> Table:
    return _of(side.last)


def _values(now: Now, before: Now, told: Sequence[Rounds]) -> Iterator[Value]:
    for side, table, was in zip(told, now, before, strict=True):
        for queue, held in table.items():
            said = state(held, side.mode)
            yield Value(said.words, COLOURS[said.kind], said != state(was[queue], side.mode))


def _parties(told: Sequence[Rounds]) -> Iterator[Party]:
    for side in told:
        names = [queues([one.queue.queue_id], one.queue.topic) for one in side.rounds[0].queues]
        yield Party(side.client.rocketmq_name, tuple(TraceVariable("table", name, meaning=ENTRY) for name in names))
