"""Calls of ``updateProcessQueueTableInRebalance``: inputs and outputs as rows of a file.

Each row has one call. The model makes the same call, and its outputs are compared with the recorded ones.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.client.effects import ALLOCATE, Effect
from rebalance_proofs.model.client.environment import Answers, Environment
from rebalance_proofs.model.client.node_environment import scripted
from rebalance_proofs.model.client.process_queue_table import ProcessQueue
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.jsonl import Objects, json_object, text, texts
from rebalance_proofs.recorded.rows import Reader, Row, Table, Unmodelled, expect, fitting, quoted, unless
from rebalance_proofs.recorded.tally import Format, Part
from rebalance_proofs.recorded.transition.notation import (
    ABSENT,
    LOCKED_LONG_AGO,
    PULL_EXPIRED,
    REBALANCE,
    THROWN,
    Client,
    Dialect,
    NameOf,
    effects_cell,
    effects_text,
    queue_name,
    read_queue,
)

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


# A case of ``scripted.jsonl``: a client, answers of its broker, and operations in order.

CLIENT_ID = "C1"
VOID = "void"
BROADCASTING_CASE = {"BROADCASTING": True, "CLUSTERING": False}
STEP: Mapping[str, Reader] = {
    "op": text,
    "ret": unless(None, text),
    "exc": unless(None, text),
    "effects": texts,
    "table": json_object,
}
"""Name of a field -> its reader, for the fields of a recorded step that all clients have."""


class Case(ABC, Generic[OfClient]):
    """A client of the model with given broker answers, which performs operations in order.

    The constructor raises ``RowError`` for an invalid case.
    """

    inputs: ClassVar[Objects]
    """Name of an input field -> its reader: the client's state before the first operation."""
    steps: ClassVar[Objects]
    """Name of a field of a recorded step -> its reader."""
    methods: ClassVar[Mapping[str, str]]
    """Name of an operation -> the client's method, for methods without arguments."""
    throwing: ClassVar[frozenset[str]]
    """Names of allocation strategies that throw."""

    def __init__(
        self, dialect: Dialect[OfClient], answers: dict[MessageQueue, Answers], settings: Settings, *order: bool
    ) -> None:
        self.dialect = dialect
        self.answers = answers
        self.environment = dialect.environment(answers)
        self.client = dialect.client(self.environment, settings)
        self.order = order
        """Argument ``isOrder`` of ``doRebalance`` and ``rebalanceByTopic``, which only Java has."""
        self.former: dict[MessageQueue, ProcessQueue] = {}
        """Process queues that existed before the first operation."""

    def step(self, op: str) -> dict[str, Any]:
        """Perform one operation and return its results, as fields of a recorded step.

        Raises ``Unmodelled`` for an unknown operation.
        """
        self.environment.effects.clear()
        returned: str | None = VOID
        thrown = None
        try:
            result = self.operate(op)
            returned = VOID if result is None else str(result).lower()
        except THROWN as error:
            returned, thrown = None, self.thrown(error)
        return {
            "op": op,
            "ret": returned,
            "exc": thrown,
            "effects": effects_text(self.observed(), queue_name),
            "table": {
                queue_name(queue): self.dialect.post(found, self.former.get(queue))
                for queue, found in self.client.process_queue_table.items()
            },
            **self.besides(),
        }

    def operate(self, op: str) -> bool | None:
        """Perform an operation and return its result; None if it has none."""
        client = self.client
        match op.split(" "):
            case [name] if name in self.methods:
                getattr(client, self.methods[name])()
            case ["doRebalance"]:
                return client.do_rebalance(*self.order)
            case ["rebalanceByTopic", topic]:
                return client.rebalance_by_topic(topic, *self.order)
            case ["removeProcessQueue", name]:
                client.remove_process_queue(read_queue(name, "op"))
            case ["unsub", topic]:
                client.subscription_inner = tuple(each for each in client.subscription_inner if each != topic)
            case ["resub", topic]:
                client.subscription_inner = tuple(dict.fromkeys((*client.subscription_inner, topic)))
            case ["setCids", topic, ids]:
                client.consumer_ids = {**client.consumer_ids, topic: ids.split(",") if ids else []}
            case ["expire", name]:
                self.held(name).last_pull_timestamp = PULL_EXPIRED
            case ["age", name]:
                self.held(name).last_lock_timestamp = LOCKED_LONG_AGO
            case others:
                self.operate_alone(others)
        return None

    def operate_alone(self, op: Sequence[str]) -> None:
        """Perform an operation that only this client has, given as words."""
        raise Unmodelled(f"op is {quoted(' '.join(op))}, which no client supports")

    @abstractmethod
    def besides(self) -> dict[str, Any]:
        """Return further fields of a recorded step that only this client has."""

    def observed(self) -> Iterable[Effect]:
        """Return the effects of an operation, without those that recordings could not observe."""
        return self.environment.effects

    def thrown(self, error: Any) -> str:
        """Return an exception that a method threw, as text in the file's notation."""
        return self.dialect.thrown(error)

    def held(self, name: str) -> ProcessQueue:
        """Return the client's process queue of a queue. Raises ``RowError`` if there is none."""
        queue, table = read_queue(name, "op"), self.client.process_queue_table
        expect(queue in table, f"op is about {quoted(name)}, which the client does not have")
        return table[queue]

    def allocation(self, strategy: str) -> Callable[[Sequence[MessageQueue], Sequence[str]], Any]:
        """Return a strategy by its name: ``avg``, ``null``, one that throws, or a list of queues."""
        profile, known = self.dialect.profile, strategy in ("avg", "null", *self.throwing)
        always = None if known else [read_queue(name, "strategy") for name in strategy.split(",")]

        def allocate(mq_all: Sequence[MessageQueue], cid_all: Sequence[str]) -> Sequence[MessageQueue | None] | None:
            self.environment.effects.append((ALLOCATE, None, len(mq_all), tuple(cid_all), strategy))
            if strategy in self.throwing:
                raise scripted("allocate")
            return profile.allocate(AVERAGELY, CLIENT_ID, mq_all, cid_all) if strategy == "avg" else always

        return allocate
