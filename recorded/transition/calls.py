"""Calls of ``updateProcessQueueTableInRebalance``, and files with one call and its outputs in each row."""

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
"""The cell for scheduled tasks that ran and did nothing."""

OfClient = TypeVar("OfClient", bound=Client)
Entry = TypeVar("Entry", bound=ProcessQueue)


def shape(pattern: str) -> Reader:
    """A reader of outputs that match the regular expression."""
    return fitting(re.compile(pattern).fullmatch, "which no call gives")


@dataclass(frozen=True)
class Called:
    """The client after the call."""

    dialect: Dialect[Client]
    client: Client
    former: Mapping[MessageQueue, ProcessQueue]
    """The entries that were there before."""
    changed: str
    """The method's result, 1 or 0; ``-`` when an exception has left it."""
    thrown: str
    effects: Sequence[Effect]

    @cached_property
    def later(self) -> Sequence[Effect]:
        """The effects of scheduled tasks, which are run after the call; only Java has any."""
        environment, before = self.client.environment, len(self.client.environment.effects)
        for task in self.put_off:
            task()
        return environment.effects[before:]

    @property
    def put_off(self) -> Sequence[Callable[[], None]]:
        """The scheduled tasks."""
        environment = self.client.environment
        return environment.scheduled if isinstance(environment, Environment) else ()

    def post(self, queue: MessageQueue) -> str:
        """The queue's entry in the table after the call, in the file's notation."""
        return self.dialect.post(self.client.process_queue_table.get(queue), self.former.get(queue))

    def old(self, queue: MessageQueue) -> str:
        """The state after the call of the entry that was there before, in the file's notation."""
        return self.dialect.state(self.former[queue]) if queue in self.former else ABSENT

    def later_cell(self, name_of: NameOf = None) -> str:
        """``later`` in the notation of a row."""
        return effects_cell(self.later, name_of) if self.later or not self.put_off else NOTHING

    def cells(self, queue: MessageQueue, *columns: str) -> dict[str, str]:
        """The named outputs that have the same notation in all files with calls about one queue."""
        return {column: CELLS[column](self, queue) for column in columns if column in CELLS}


CELLS: Mapping[str, Callable[[Called, MessageQueue], str]] = {
    "post": Called.post,
    "changed": lambda called, queue: called.changed,
    "exc": lambda called, queue: called.thrown,
    "old": Called.old,
    "effects": lambda called, queue: effects_cell(called.effects),
    "later": lambda called, queue: called.later_cell(),
}
"""Column -> the output's text."""


def put(
    table: MutableMapping[MessageQueue, Entry], entries: Mapping[MessageQueue, Entry | None]
) -> dict[MessageQueue, Entry]:
    """Puts the entries that are not None into a client's table, and returns them."""
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
    """Makes the call. ``former`` are the entries that the client has; ``is_order`` is an argument of Java alone."""
    changed, thrown = ABSENT, ABSENT
    try:
        changed = f"{client.update_process_queue_table_in_rebalance(topic, mq_set, *is_order):d}"
    except THROWN as error:
        thrown = dialect.thrown(error)
    return Called(dialect, client, former, changed, thrown, tuple(client.environment.effects))


@dataclass(frozen=True)
class CallRows(Generic[OfClient]):
    """The rows of one file."""

    columns: Mapping[str, Reader]
    """Column -> reader, in the order of the file; ``ver`` is read as the dialect."""
    outputs: tuple[str, ...]
    """The columns that are compared; the others are inputs."""
    compute: Callable[[Dialect[OfClient], Row], Mapping[str, str]]
    """``compute(dialect, row)``: the model's outputs for the inputs of a row, in the file's notation."""
    outputs_first: bool = True
    """Whether outputs are checked before inputs, so that of two bad cells the error is about the output."""

    def format(self, file: str) -> Format:
        """The format of a file with such rows."""
        return Format((Part(file, Table(self.columns), self.check_row),))

    def check_row(self, row: Row) -> None:
        """Checks a row; every output is a check of its own."""
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
        """Raises ``RowError`` unless the row has outputs that a call can give."""
        row.read(*self.outputs)
        changed, thrown = row.read("changed", "exc")
        expect((changed == ABSENT) != (thrown == ABSENT), "a call either returns changed or throws exc")
