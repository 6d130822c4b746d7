"""Comparison of client code with its compiled formulas, for one queue in every case.

It uses Python and NumPy, without Spark.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from rebalance_proofs.model.client.effects import Effect
from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.model.transition.numbers import NO_OFFSET
from rebalance_proofs.model.transition.rounds import answers_of, queue_of
from rebalance_proofs.model.transition.variables import ENTRY, MODE, ROUND
from rebalance_proofs.spark_enum.check import Keep
from rebalance_proofs.spark_enum.distinct import added, digest_of, digests_of, distinct
from rebalance_proofs.spark_enum.results import Totals, Wrong
from rebalance_proofs.spark_enum.transition import columns as words
from rebalance_proofs.spark_enum.transition.cases import Cases
from rebalance_proofs.spark_enum.transition.columns import (
    NOTHING,
    QUIET,
    Became,
    Consumer,
    Outcome,
    asks_again,
    phase_of,
    restore,
    shaped,
    state_of,
    step_kernel,
    told,
)
from rebalance_proofs.spark_enum.transition.kinds import SINGLES
from rebalance_proofs.spark_enum.transition.space import FIXED, NAMES, Columns, Space

STATES = ("present", *(variable.name for variable in ENTRY))
ANSWERS = tuple(variable.name for variable in ROUND if variable.name != "in_set")

CASES = 2**14
"""Number of cases in one piece of work."""

Row = tuple[tuple[Effect, ...], Became, bool | None, int]
"""Result of a call: effects, the queue's state, return value (or None), exception's phase."""


@dataclass(frozen=True)
class Singles(Cases):
    """All cases of one client with a single queue."""

    client: Client
    space: Space

    kind: ClassVar[str] = SINGLES
    mode: Mode = field(default=Mode(""), init=False)
    """Not used, because the cases cover all modes."""
    letters: tuple[int, ...] = field(default=(), init=False)
    queues: int = field(default=1, init=False)

    @property
    def size(self) -> int:
        return self.space.size

    @property
    def step(self) -> int:
        return CASES

    def compare(self, begin: int, end: int, keep: Keep | None = None) -> Totals:
        """Run client code in the cases ``begin`` .. ``end`` - 1, and compare with the formulas."""
        totals = Totals(counted=end - begin)
        for codes, columns in self.space.parts(begin, end):
            expected, kinds = _expected(self.client, columns)
            outcomes = np.array([digest_of(row) for row in expected], dtype=np.uint64)[kinds]
            wanted = [expected[kind] for kind in kinds.tolist()]
            differs: dict[int, str] = {}
            for place, found in _differing(self.client, columns, wanted):
                outcomes[place] = digest_of(found)
                numbers = {name: int(columns[name][place]) for name in NAMES}
                differs[place] = f"{words.case(numbers)}: code: {_said(found)}. Terms: {_said(wanted[place])}"
                totals.differs(Wrong((int(codes[place]),), (), differs[place]))
            digests = digests_of(codes, outcomes)
            totals.adds(added(digests))
            if keep:
                said = np.array([_said(row) for row in expected], dtype=object)[kinds]
                digits = np.stack([columns[name] for name in NAMES], axis=1)
                self.add(keep, differs, digits=digits, found=said, digest=digests)
        return totals


def _expected(client: Client, columns: Columns) -> tuple[list[Row], np.ndarray]:
    """Return the distinct results according to the formulas, and for each case an index into them."""
    layout, kernel = step_kernel(client)
    again = asks_again(client)
    found = shaped(kernel(*(columns[name] for name in NAMES), *NOTHING), len(columns["mine"]))
    found += [columns["mine"], columns["retry"]]  # the queue is part of every effect
    first, kinds = distinct(found)
    outcomes = []
    for *row, mine, retry in zip(*(column[first].tolist() for column in found), strict=True):
        outcomes.append(_row(layout.outcome(row, queue_of(0, mine, retry)), again))
    return outcomes, kinds


def _row(found: Outcome, again: tuple[Effect, ...]) -> Row:
    """Return the result of a call for a single queue; ``again``: effects of a denied lock."""
    quiet = found.phase == QUIET
    effects = (*found.effects, *again) if found.denied and quiet else found.effects
    return effects, found.became, found.changed if quiet else None, found.phase


def _differing(client: Client, columns: Columns, expected: Sequence[Row]) -> Iterator[tuple[int, Row]]:
    """Yield the cases in which the client code has another result: index, and the code's result."""
    consumers, of_consumer = _kinds(columns, FIXED)
    states, of_state = _kinds(columns, STATES)
    answers, of_answers = _kinds(columns, ANSWERS)
    queues, of_queue = _kinds(columns, ("mine", "retry"))
    called = [_consumer(client, numbers) for numbers in consumers]
    entries = [called[0].entry(numbers | {"memory": NO_OFFSET}) for numbers in states]
    initial = [None if entry is None else state_of(entry) for entry in entries]
    known = [queue_of(0, **numbers) for numbers in queues]
    said = [[{queue: answers_of(numbers)} for numbers in answers] for queue in known]
    rows = (of_consumer, of_queue, of_state, of_answers, columns["memory"].tolist(), columns["in_set"].tolist())
    for place, (row, c, q, s, a, offset, in_set) in enumerate(zip(expected, *rows, strict=True)):
        consumer, queue, entry = called[c], known[q], entries[s]
        table = consumer.table
        table.clear()
        if entry is not None:
            table[queue] = entry
        consumer.memory.clear()
        if offset != NO_OFFSET:
            consumer.memory[queue] = offset
        changed, thrown, effects = consumer.update(said[q][a], consumer.topic, (queue,) if in_set else ())
        became = consumer.became(queue, entry)
        if became[0] != initial[s]:
            restore(entry, initial[s])
        wanted, left, returned, phase = row
        same = effects == wanted or told(effects) == wanted
        if not same or became != left or changed is not returned or phase_of(thrown) != phase:
            yield place, (effects, became, changed, phase_of(thrown))


def _kinds(columns: Columns, names: Sequence[str]) -> tuple[list[dict[str, int]], list[int]]:
    """Return the distinct values of these variables together, and each case's index into them."""
    first, kinds = distinct([columns[name] for name in names])
    return [{name: int(columns[name][place]) for name in names} for place in first], kinds.tolist()


def _consumer(client: Client, numbers: dict[str, int]) -> Consumer:
    mode = Mode("", **{variable.name: numbers[variable.name] for variable in MODE})
    return Consumer(client, mode, numbers["where"], numbers["retry"])


def _said(row: Row) -> str:
    effects, became, changed, phase = row
    return f"{words.effects(effects)}; {words.became(became)}; {words.returned(changed, phase)}"
