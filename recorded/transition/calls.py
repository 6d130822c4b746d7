"""Calls of ``updateProcessQueueTableInRebalance``: inputs and outputs as rows of a file.

Each row has one call. The model makes the same call, and its outputs are compared with the recorded ones.
"""

import re
from collections.abc import Callable, Collection, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

from rebalance_proofs.model.client.effects import Effect
from rebalance_proofs.model.client.environment import Environment
from rebalance_proofs.model.client.process_queue import ProcessQueue
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.format import Format, Part
from rebalance_proofs.recorded.rows import Reader, Row, expect, fitting
from rebalance_proofs.recorded.transition.dialect import REBALANCE, THROWN, Client, Dialect
from rebalance_proofs.recorded.transition.effects import NameOf, effects_cell
from rebalance_proofs.recorded.transition.notation import ABSENT
from rebalance_proofs.recorded.tsv import Table

BROADCASTING = {"C": False, "B": True}
NOTHING = "none"
"""Text in a row for scheduled tasks that had no effect."""

OfClient = TypeVar("OfClient", bound=Client)
Entry = TypeVar("Entry", bound=ProcessQueue)


def shape(pattern: str) -> Reader:
    """Return a reader of outputs that match the regular expression."""
    return fitting(re.compile(pattern).fullmatch, "which is not a possible output")


@dataclass(frozen=True)
class Called:
    """The client after a call, with everything that the outputs of a row contain."""

    dialect: Dialect[Client]
    client: Client
    former: Mapping[MessageQueue, ProcessQueue]
    """Process queues that existed before the call."""
    changed: str
    """Result of the call, 1 or 0 (was the table changed?); ``-`` if the call threw."""
    thrown: str
    effects: Sequence[Effect]

    @cached_property
    def later(self) -> Sequence[Effect]:
        """Effects of scheduled tasks, which run after the call; only Java has such tasks."""
        environment, before = self.client.environment, len(self.client.environment.effects)
        for task in self.put_off:
            task()
        return environment.effects[before:]

    @property
    def put_off(self) -> Sequence[Callable[[], None]]:
        """Return the tasks that the call has scheduled."""
        environment = self.client.environment
        return environment.scheduled if isinstance(environment, Environment) else ()

    def post(self, queue: MessageQueue) -> str:
        """Return the process queue in the table after the call, as text in the file's notation."""
        return self.dialect.post(self.client.process_queue_table.get(queue), self.former.get(queue))

    def old(self, queue: MessageQueue) -> str:
        """Return the state after the call of the process queue that existed before, as text."""
        return self.dialect.state(self.former[queue]) if queue in self.former else ABSENT

    def later_cell(self, name_of: NameOf = None) -> str:
        """Return the effects of scheduled tasks as text in the file's notation."""
        return effects_cell(self.later, name_of) if self.later or not self.put_off else NOTHING

    def cells(self, queue: MessageQueue, *columns: str) -> dict[str, str]:
        """Return column -> text, for the outputs that all files about a single queue write alike."""
        return {column: CELLS[column](self, queue) for column in columns if column in CELLS}


CELLS: Mapping[str, Callable[[Called, MessageQueue], str]] = {
    "post": Called.post,
    "changed": lambda called, queue: called.changed,
    "exc": lambda called, queue: called.thrown,
    "old": Called.old,
    "effects": lambda called, queue: effects_cell(called.effects),
    "later": lambda called, queue: called.later_cell(),
}
"""Name of a column -> function that returns the text of this output."""


def put(
    table: MutableMapping[MessageQueue, Entry], entries: Mapping[MessageQueue, Entry | None]
) -> dict[MessageQueue, Entry]:
    """Add the process queues that are not None to a client's table, and return them."""
    former = {queue: entry for queue, entry in entries.items() if entry is not None}
    table.update(former)
    return former


def call(
    dialect: Dialect[Client],
    client: Client,
    topic: str,
    mq_set: Collection[MessageQueue],
    former: Mapping[MessageQueue, ProcessQueue],
    *is_order: bool,
) -> Called:
    """Make the call in the model. ``former``: the client's process queues before the call.

    ``is_order`` exists only in Java.
    """
    changed, thrown = ABSENT, ABSENT
    try:
        changed = f"{client.update_process_queue_table_in_rebalance(topic, mq_set, *is_order):d}"
    except THROWN as error:
        thrown = dialect.thrown(error)
    return Called(dialect, client, former, changed, thrown, tuple(client.environment.effects))


@dataclass(frozen=True)
class CallRows(Generic[OfClient]):
    """Rows of one file, each with one call."""

    columns: Mapping[str, Reader]
    """Name of a column -> reader, in the order of the file.

    Column ``ver`` is read as the dialect.
    """
    outputs: tuple[str, ...]
    """Names of columns whose values are compared; all others are inputs of the call."""
    compute: Callable[[Dialect[OfClient], Row], Mapping[str, str]]
    """Function ``compute(dialect, row)``: column -> the model's output in the file's notation."""
    outputs_first: bool = True
    """True if outputs are parsed before inputs.

    Of two invalid texts, the output's is then reported.
    """

    def format(self, file: str) -> Format:
        """Return the format of a file that has these rows."""
        return Format((Part(file, Table(self.columns), self.check_row),))

    def check_row(self, row: Row) -> None:
        """Compare a row with the model; every output counts as a separate check."""
        dialect = row["ver"]
        if self.outputs_first:
            self.require_outputs(row)
        computed = self.compute(dialect, row)
        self.require_outputs(row)
        cells = row.fields
        inputs = ", ".join(f"{name} {cells[name]}" for name in cells if name not in ("ver", *self.outputs))
        for column in self.outputs:
            row.compare(dialect.name, f"{column} for {inputs}", cells[column], computed[column], [REBALANCE])

    def require_outputs(self, row: Row) -> None:
        """Raise ``RowError`` unless the row has possible outputs of a call."""
        row.read(*self.outputs)
        changed, thrown = row.read("changed", "exc")
        expect((changed == ABSENT) != (thrown == ABSENT), "a call either returns changed or throws exc")
