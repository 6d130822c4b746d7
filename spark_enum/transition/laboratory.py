"""Effects of a rebalance on one queue, alone and beside queues that cause exceptions.

They are observed by running the modelled client code.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from rebalance_proofs.model.client.effects import ERROR, REBALANCE_LATER, Effect
from rebalance_proofs.model.client.environment import Answers
from rebalance_proofs.model.client.process_queue_table import ProcessQueue
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.model.transition.numbers import NO_OFFSET, PERSISTS, THROWN
from rebalance_proofs.model.transition.rounds import answers_of, queue_of
from rebalance_proofs.model.transition.variables import QUEUE, ROUND
from rebalance_proofs.spark_enum.transition.columns import (
    IN_ADDITION,
    IN_REMOVAL,
    QUIET,
    Became,
    Consumer,
    Outcome,
    phase_of,
    told,
)

GOES, COMES = 98, 99
"""Numbers of two queues beside the tested one: one that is removed, and one that is added."""

Effects = tuple[Effect, ...]
Numbers = Mapping[str, int]
Turns = tuple[Effects, Effects, Effects, Effects]
"""Effects on a queue in four phases: before removals, in removals, in additions, afterwards.

If a client iterates over its table only once, all effects of the removal are in the first phase.
"""


@dataclass(frozen=True)
class Alone:
    """Effects of a rebalance on a queue in one case, without and with exceptions of other queues."""

    queue: MessageQueue
    numbers: Numbers
    entry: ProcessQueue | None
    """The process queue before the rebalance; must not be changed."""
    answers: Answers
    turns: tuple[Turns, ...]
    """The effects by phase, for each element of ``columns.OTHERS`` (exceptions of other queues)."""
    became: tuple[Became, ...]
    """The queue's state afterwards, for each element of ``columns.OTHERS``."""
    changed: bool
    """Return value of the client's method, without other queues and exceptions."""
    phase: int
    """Phase in which this queue causes an exception that leaves the client's method."""
    again: Effects
    """The request for another rebalance, if the queue makes the client send one; otherwise empty."""

    def effects(self, thrown: int) -> Effects:
        """Return the effects of all phases; ``thrown`` is an index into ``columns.OTHERS``."""
        return sum(self.turns[thrown], ())


class Laboratory:
    """A client in one mode, which rebalances one tested queue, and other queues beside it."""

    def __init__(self, client: Client, mode: Mode) -> None:
        self._consumer = Consumer(client, mode)
        benign = {variable.name: variable.benign for variable in (*QUEUE, *ROUND)}
        goes, comes = benign | {"in_set": 0}, benign | {"present": 0}
        self._goes, self._comes = (GOES, goes), (COMES, comes)
        self._fails_to_go = GOES, goes | {"persist": PERSISTS.index("throw")}
        self._fails_to_come = COMES, comes | {"stored": THROWN}
        self.removal_throws = self._call([self._fails_to_go])[3] == IN_REMOVAL
        """True if some queue can cause an exception while the client removes queues."""
        self.addition_throws = self._call([self._fails_to_come])[3] == IN_ADDITION

    @property
    def others(self) -> tuple[int, ...]:
        """Exceptions of other queues that can occur in this mode: indexes into ``columns.OTHERS``."""
        return (0, *([1] if self.addition_throws else []), *([2, 3] if self.removal_throws else []))

    def alone(self, numbers: Numbers, place: int = 0) -> Alone:
        """Return the effects on the queue number ``place`` in the case with these values."""
        queue, own = queue_of(place, numbers["mine"]), (place, numbers)
        effects, became, changed, phase = self._call([own])
        nothing = _own(effects, queue), became[queue]
        cuts = self._cuts(own, queue)
        ever = adding = removing = nothing  # never looked up if nothing can throw
        if self.addition_throws:
            ever = self._beside([own, self._fails_to_come], queue)
        if self.removal_throws:
            adding = self._beside([own, self._fails_to_go], queue)
            removing = self._beside([self._fails_to_go, own], queue)
            if not self.addition_throws:
                ever = nothing[0][: cuts[-1]], nothing[1]
        did = (nothing, ever, adding, removing)
        return Alone(
            queue=queue,
            numbers=numbers,
            entry=self._consumer.entry(numbers),
            answers=answers_of(numbers),
            turns=tuple(_cut(found, cuts) for found, _ in did),
            became=tuple(left for _, left in did),
            changed=bool(changed),
            phase=phase,
            again=tuple(effect for effect in effects if effect[0] == REBALANCE_LATER),
        )

    def _beside(self, letters: Sequence[tuple[int, Numbers]], queue: MessageQueue) -> tuple[Effects, Became]:
        effects, became, _, _ = self._call(letters)
        return _own(effects, queue), became[queue]

    def _cuts(self, own: tuple[int, Numbers], queue: MessageQueue) -> tuple[int, int, int]:
        """Return where to divide the queue's effects into phases, as three numbers of effects.

        In order: effects before another queue's removal, up to its end, and before another queue's addition.
        """
        effects, _, _, _ = self._call([own, self._goes, self._comes])
        goes, comes = queue_of(GOES, 1), queue_of(COMES, 1)
        going = [place for place, effect in enumerate(effects) if effect[1] == goes]
        coming = [place for place, effect in enumerate(effects) if effect[1] == comes]
        ends = (min(going, default=len(effects)), max(going, default=len(effects)), min(coming, default=len(effects)))
        first, second, third = (len(_own(effects[:end], queue)) for end in ends)
        return first, second, third

    def _call(
        self, letters: Sequence[tuple[int, Numbers]]
    ) -> tuple[Effects, dict[MessageQueue, Became], bool | None, int]:
        """Make one call of the client's method for these queues and cases.

        Return all effects, the state of each queue, the return value, and the phase of an exception.
        """
        consumer = self._consumer
        queues = [queue_of(place, numbers["mine"]) for place, numbers in letters]
        entries = [consumer.entry(numbers) for _, numbers in letters]
        consumer.table.clear()
        consumer.memory.clear()
        for queue, entry, (_, numbers) in zip(queues, entries, letters, strict=True):
            if entry is not None:
                consumer.table[queue] = entry
            if numbers["memory"] != NO_OFFSET:
                consumer.memory[queue] = numbers["memory"]
        answers = {queue: answers_of(numbers) for queue, (_, numbers) in zip(queues, letters, strict=True)}
        mq_set = [queue for queue, (_, numbers) in zip(queues, letters, strict=True) if numbers["in_set"]]
        changed, thrown, effects = consumer.update(answers, consumer.topic, mq_set)
        became = {queue: consumer.became(queue, entry) for queue, entry in zip(queues, entries, strict=True)}
        return effects, became, changed, phase_of(thrown)


Seen = tuple[Effects, Became, tuple[bool | None, int, bool | None] | None]
"""Observation of a queue: effects, its state and, if no other queue throws, three more values.

These values are the return value (None: nothing), the phase of an exception that left the method, and whether another
rebalance is requested (None: the client never does that).
"""


def seen_by_code(letter: Alone, others: int, asks: bool) -> Seen:
    """Return the observation of a queue when the client code runs.

    ``others`` is an index into ``columns.OTHERS``. ``asks``: whether the client ever requests another rebalance.
    """
    ends = _ends(letter.changed, letter.phase, bool(letter.again), others, asks)
    return told(letter.effects(others)), letter.became[others], ends


def seen_by_terms(outcome: Outcome, others: int, asks: bool) -> Seen:
    """Return the observation of a queue by the formulas, in the form of ``seen_by_code``."""
    return outcome.effects, outcome.became, _ends(outcome.changed, outcome.phase, outcome.denied, others, asks)


def _ends(
    changed: bool, phase: int, again: bool, others: int, asks: bool
) -> tuple[bool | None, int, bool | None] | None:
    if others:
        return None
    quiet = phase == QUIET
    return changed if quiet else None, phase, again if quiet and asks else None


def _own(effects: Effects, queue: MessageQueue) -> Effects:
    """Return the effects on this queue, including messages to the user about it."""
    found, last = [], None
    for effect in effects:
        if effect[1] == queue or (effect[0] == ERROR and last == queue):
            found.append(effect)
        last = effect[1] or last
    return tuple(found)


def _cut(effects: Effects, cuts: tuple[int, int, int]) -> Turns:
    first, second, third = cuts
    return effects[:first], effects[first:second], effects[second:third], effects[third:]


def flags(phases: Sequence[int], order: Sequence[int]) -> tuple[int, ...]:
    """Return the exceptions of others that affect each queue, and the phase of an escaped exception.

    The exceptions are indexes into ``columns.OTHERS``. ``phases``: in which phase each queue causes an exception, in
    the order of the table. ``order``: the order of mqSet. The last returned number is the phase of the exception that
    leaves the client's method.
    """
    thrown = [0] * len(phases)
    gone = QUIET
    for place, phase in enumerate(phases):
        if gone:
            thrown[place] = 3
        elif phase == IN_REMOVAL:
            gone = phase
    for place in order:
        if gone:
            thrown[place] = max(thrown[place], 2)
        elif phases[place] == IN_ADDITION:
            gone = IN_ADDITION
    return *(max(one, int(gone != QUIET)) for one in thrown), gone


def flags_table(queues: int, backwards: bool = False) -> np.ndarray:
    """Return ``flags`` for ``queues`` queues and every combination of their phases, as rows.

    The row index is the sum, over the queues, of the phase times 3 to the power of the queue's position. ``backwards``:
    mqSet is in reverse order.
    """
    order = range(queues)[:: -1 if backwards else 1]
    choices = product((QUIET, IN_REMOVAL, IN_ADDITION), repeat=queues)
    return np.array([flags(phases[::-1], order) for phases in choices])
