"""Comparison of a client call with several queues with calls for each queue alone.

It shows that queues influence each other only by exceptions. It uses Python and NumPy, without Spark.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from rebalance_proofs.model.client.effects import Effect
from rebalance_proofs.model.client.environment import BENIGN
from rebalance_proofs.model.client.process_queue_table import ProcessQueue
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.model.transition.numbers import NO_OFFSET
from rebalance_proofs.spark_enum.check import Keep, added, digest_of, digests_of, mix
from rebalance_proofs.spark_enum.results import Totals, Wrong
from rebalance_proofs.spark_enum.transition.columns import (
    OTHERS,
    QUIET,
    Became,
    Consumer,
    State,
    became_words,
    consumer_words,
    effects_words,
    phase_of,
    queue_words,
    restore,
    returned_words,
    state_of,
)
from rebalance_proofs.spark_enum.transition.laboratory import Alone, Effects, Laboratory, Numbers, Turns, flags_table
from rebalance_proofs.spark_enum.transition.space import CALLS, Cases, of_mode

STEP = 2**12
"""Number of calls in one piece of work."""

PLACES = 3
"""Largest number of queues in a call. A missing queue is replaced by ``NONE``."""

NONE = MessageQueue("", "", -1)
"""Placeholder for a missing queue, on which a call has no effect."""

Found = tuple[tuple[Effect, ...], bool | None, int, Sequence[tuple[State | None, State | None, bool, int]]]
"""Result of a call: effects, return value (or None), exception's phase, ``Became`` per queue."""


@dataclass(frozen=True)
class Calls(Cases):
    """All calls with ``queues`` queues, each in one of the representative cases (letters).

    The queues are in the order of the process queue table.
    """

    client: Client
    mode: Mode
    letters: tuple[int, ...]
    """The representative cases of a queue, as codes of ``space.of_mode``."""
    queues: int
    """Number of queues in each call: 2 or 3."""
    ways: int = 1
    """Number of orders of mqSet: 1 for the table's order; 2 to try the reverse order, too."""

    kind: ClassVar[str] = CALLS

    @property
    def size(self) -> int:
        size: int = self.ways * len(self.letters) ** self.queues
        return size

    @property
    def step(self) -> int:
        return STEP

    def compare(self, begin: int, end: int, keep: Keep | None = None) -> Totals:
        """Make the calls with these numbers, and compare each result with that of its queues alone."""
        codes = np.arange(begin, end)
        totals = Totals(counted=len(codes))
        way, *letters = self._decode(codes)
        chosen = list(zip(self._places, letters, strict=True))
        phases = sum(place.phases[column] * 3**number for number, (place, column) in enumerate(chosen))
        *thrown, gone = np.stack([flags_table(PLACES), flags_table(PLACES, backwards=True)])[way, phases].T
        outcomes = way.astype(np.uint64)
        for (place, column), told in zip(chosen, thrown, strict=True):
            outcomes = mix(outcomes + place.digests[column, told])
        columns = [column.tolist() for column in (way, *letters, *thrown, gone)]
        differs: dict[int, str] = {}
        for row, expected, found in self._differing(zip(*columns, strict=True)):
            outcomes[row] = digest_of(found)
            differs[row] = self._said([column[row] for column in columns], expected, found)
            totals.differs(Wrong((begin + row,), (), differs[row]))
        digests = digests_of(codes, outcomes)
        totals.adds(added(digests))
        if keep:
            used = [np.array(self.letters)[column] for column in letters[: self.queues]]
            self.add(keep, differs, digits=np.stack([way, *used], axis=1), digest=digests)
        return totals

    @cached_property
    def _places(self) -> "tuple[_Place, ...]":
        laboratory = Laboratory(self.client, self.mode)
        letters = of_mode(self.client, self.mode).cases(self.letters)
        found = [
            _Place([_Letter(laboratory.alone(numbers, place)) for numbers in letters]) for place in range(self.queues)
        ]
        return (*found, *[_Place([_Letter(None)])] * (PLACES - self.queues))

    def _decode(self, codes: np.ndarray) -> list[np.ndarray]:
        """Decode numbers of calls: whether mqSet is reversed, and the letter of each queue."""
        digits = []
        for place in reversed(self._places):
            codes, digit = np.divmod(codes, len(place.letters))
            digits.append(digit)
        return [codes, *digits[::-1]]

    def _differing(self, calls: Iterable[tuple[int, ...]]) -> Iterator[tuple[int, Found, Found]]:
        """Yield the calls with a difference: index, expected result and actual result."""
        consumer = Consumer(self.client, self.mode)
        table, memory, topic, update = consumer.table, consumer.memory, consumer.topic, consumer.update
        first, second, third = (place.letters for place in self._places)
        for row, (way, a, b, c, thrown, thrown2, thrown3, gone) in enumerate(calls):
            letters = one, two, three = first[a], second[b], third[c]
            table.clear()
            mq_set = []
            for letter in letters:
                if letter.entry is not None:
                    table[letter.queue] = letter.entry
                if letter.in_set:
                    mq_set.append(letter.queue)
            memory.clear()
            memory.update({letter.queue: letter.memory for letter in letters if letter.memory != NO_OFFSET})
            if way:
                mq_set.reverse()
            answers = {one.queue: one.answers, two.queue: two.answers, three.queue: three.answers}
            changed, said, effects = update(answers, topic, mq_set)

            marks, removal, addition, rest = one.turns[thrown]
            marks2, removal2, addition2, rest2 = two.turns[thrown2]
            marks3, removal3, addition3, rest3 = three.turns[thrown3]
            if way:
                addition, rest, addition3, rest3 = addition3, rest3, addition, rest
            again: Effects = ()
            returned: bool | None = None
            if not gone:
                again = one.again or two.again or three.again
                returned = one.changed or two.changed or three.changed
            expected = (
                *marks,
                *marks2,
                *marks3,
                *removal,
                *removal2,
                *removal3,
                *addition,
                *addition2,
                *addition3,
                *again,
                *rest,
                *rest2,
                *rest3,
            )
            wanted = [one.became[thrown], two.became[thrown2], three.became[thrown3]]
            became = []
            for letter in letters:
                entry, now = letter.entry, table.get(letter.queue)
                former = None if entry is None else state_of(entry)
                after = former if now is entry else None if now is None else state_of(now)
                fresh = now is not entry and now is not None
                became.append((former, after, fresh, memory.get(letter.queue, NO_OFFSET)))
                if former != letter.initial:
                    assert entry is not None
                    assert letter.initial is not None
                    restore(entry, letter.initial)
            if effects != expected or became != wanted or changed is not returned or phase_of(said) != gone:
                yield row, (expected, returned, gone, wanted), (effects, changed, phase_of(said), became)

    def _said(self, call: list[int], expected: Found, found: Found) -> str:
        way, *letters = call[: 1 + self.queues]
        used = [place.letters[letter].numbers for place, letter in zip(self._places, letters, strict=False)]
        order = ", mqSet in reverse order" if way else ""
        called = f"{consumer_words(used[0])}{order}: {' | '.join(queue_words(numbers) for numbers in used)}"
        return f"{called}: code: {_call(found, self.queues)}. Expected: {_call(expected, self.queues)}"


class _Letter:
    """A representative case (letter) at one position of the table, prepared for many calls."""

    __slots__ = (
        "again",
        "answers",
        "became",
        "changed",
        "entry",
        "in_set",
        "initial",
        "memory",
        "numbers",
        "phase",
        "queue",
        "turns",
    )

    entry: ProcessQueue | None
    numbers: Numbers
    again: Effects
    turns: Sequence[Turns]
    became: Sequence[Became]

    def __init__(self, alone: Alone | None) -> None:
        """Prepare the case from its effect in a call for one queue; None for a missing queue."""
        if alone is None:
            self.queue, self.answers, self.entry, self.numbers = NONE, BENIGN, None, {"in_set": 0, "memory": NO_OFFSET}
            self.phase, self.again, self.changed = QUIET, (), False
            self.turns = [((), (), (), ())] * len(OTHERS)
            self.became = [Became(None, None, False, NO_OFFSET)] * len(OTHERS)
        else:
            self.queue, self.answers, self.entry, self.numbers = alone.queue, alone.answers, alone.entry, alone.numbers
            self.phase, self.again, self.changed = alone.phase, alone.again, alone.changed
            self.turns, self.became = alone.turns, alone.became
        self.in_set, self.memory = self.numbers["in_set"], self.numbers["memory"]
        self.initial = None if self.entry is None else state_of(self.entry)


class _Place:
    """All representative cases (letters) of the queue at one position of the table."""

    def __init__(self, letters: list[_Letter]) -> None:
        self.letters = letters
        self.phases = np.array([letter.phase for letter in letters])
        self.digests = np.array(
            [[digest_of(pair) for pair in zip(letter.turns, letter.became, strict=True)] for letter in letters],
            dtype=np.uint64,
        )
        """Digests of effects: a row per letter, a column per kind of exceptions of other queues."""


def _call(found: Found, queues: int) -> str:
    effects, changed, phase, became = found
    left = " | ".join(became_words(Became(*entry)) for entry in became[:queues])
    return f"{effects_words(effects, numbered=True)}; {left}; {returned_words(changed, phase)}"
