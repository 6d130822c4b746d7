"""A case of ``scripted.jsonl``: a client, answers of its broker, and operations in order."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.client.effects import ALLOCATE, Effect
from rebalance_proofs.model.client.environment import Answers
from rebalance_proofs.model.client.node_environment import scripted
from rebalance_proofs.model.client.process_queue import ProcessQueue
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.jsonl import Objects, json_object, text, texts
from rebalance_proofs.recorded.rows import Reader, Unmodelled, expect, unless
from rebalance_proofs.recorded.text import quoted
from rebalance_proofs.recorded.transition.calls import OfClient
from rebalance_proofs.recorded.transition.dialect import THROWN, Dialect
from rebalance_proofs.recorded.transition.effects import effects_text
from rebalance_proofs.recorded.transition.notation import LOCKED_LONG_AGO, PULL_EXPIRED, queue_name, read_queue

CLIENT_ID = "C1"
VOID = "void"
BROADCASTING = {"BROADCASTING": True, "CLUSTERING": False}
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
