"""The scripted environment of one Node client: its broker, its clock and its user."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from threading import Semaphore, Thread
from typing import Any, Protocol, TypeVar

from rebalance_proofs.model.client.effects import (
    ERROR,
    MAX_OFFSET,
    PERSIST,
    QUERY_OFFSET,
    READ_OFFSET,
    REMOVE_OFFSET,
    SEARCH_OFFSET,
    UPDATE_OFFSET,
    Effect,
)
from rebalance_proofs.model.client.environment import BENIGN, EXC, NOT_FOUND, OK, Answers
from rebalance_proofs.model.profiles import ClientError
from rebalance_proofs.model.queues import MessageQueue

Result = TypeVar("Result")


class NodeEnvironment:
    """An environment with given responses, which records every effect.

    ``answers`` maps a queue to ``Answers``; every other queue has ``otherwise``. Node uses three fields: ``stored`` (an
    offset, or any text for a failed query), ``queried`` (likewise) and ``persist`` (``OK``, or the update fails).
    ``now`` is the clock, in ms.
    """

    def __init__(self, answers: Mapping[MessageQueue, Answers], now: int = 0, otherwise: Answers = BENIGN) -> None:
        self.answers = answers
        self.now = now
        self.otherwise = otherwise
        self.effects: list[Effect] = []
        self.meanwhile: Callable[[MessageQueue], None] | None = None
        """A function that is called while an offset query is awaited.

        It simulates the other code of the process.
        """
        self.turn: Callable[[], None] | None = None
        """A function that is called at each ``await`` and returns when the code may continue."""

    def awaited(self, call: Callable[..., Result], *arguments: Any) -> Result:
        """Run ``await call(...)``: return the call's result after other code of the process has run.

        That code also runs if the call has failed.
        """
        try:
            return call(*arguments)
        finally:
            if self.turn is not None:
                self.turn()

    def find_broker_address_in_admin(self, queue: MessageQueue) -> None:
        """Simulate ``findBrokerAddressInAdmin``, which always finds the broker."""

    def query_consumer_offset(self, queue: MessageQueue) -> int:
        """Return the group's offset at the broker (``queryConsumerOffset``).

        Raises ``ClientError`` for every failure.
        """
        said = self.answers.get(queue, self.otherwise).stored
        self.effects.append((QUERY_OFFSET, queue, said))
        if self.meanwhile is not None:
            self.meanwhile(queue)
        return _number(said, "query")

    def update_consumer_offset_oneway(self, queue: MessageQueue, offset: int) -> None:
        """Send the offset to the broker one way (``updateConsumerOffsetOneway``).

        The client does not learn whether it arrives. Raises ``ClientError`` if it cannot be sent.
        """
        if self.answers.get(queue, self.otherwise).persist == OK:
            self.effects.append((UPDATE_OFFSET, queue, offset))
            return
        self.effects.append((UPDATE_OFFSET, queue, offset, EXC))
        raise scripted("update")

    def max_offset(self, queue: MessageQueue) -> int:
        """Return the queue's maximum offset (``maxOffset``).

        Raises ``ClientError`` if the scripted response is a text.
        """
        said = self.answers.get(queue, self.otherwise).queried
        self.effects.append((MAX_OFFSET, queue, said))
        return _number(said, "maxOffset")

    def search_offset(self, queue: MessageQueue) -> int:
        """Return the offset at the consumer's timestamp (``searchOffset``).

        Raises ``ClientError`` like ``max_offset``.
        """
        said = self.answers.get(queue, self.otherwise).queried
        self.effects.append((SEARCH_OFFSET, queue, said))
        return _number(said, "searchOffset")

    def report(self) -> None:
        """Emit the event ``error`` to the user; the client continues."""
        self.effects.append((ERROR, None))


def scripted(what: str) -> ClientError:
    """Return the error of a call that is scripted to fail."""
    return ClientError("Error", f"scripted {what}")


def _number(said: int | str, what: str) -> int:
    if isinstance(said, str):
        raise scripted(what)
    return said


# The offset stores of a Node client.
# They are at the broker or, for a broadcasting consumer, in memory only. A broadcasting consumer with the option
# ``persistent`` uses a file instead, which is not modelled.


class OffsetStore(Protocol):
    """The offset store methods that a rebalance calls."""

    environment: NodeEnvironment
    offset_table: dict[MessageQueue, int]
    """The offsets in memory.

    A listener sets an offset when it returns, and ``persist`` sends it.
    """

    def read_offset(self, queue: MessageQueue) -> int:
        """Return the offset, or ``NOT_FOUND`` if there is none (``readOffset(READ_FROM_STORE)``)."""

    def persist(self, queue: MessageQueue) -> None:
        """Persist the queue's offset (``persist``). Raises ``ClientError`` if it could not be sent."""

    def persist_all(self, queues: Sequence[MessageQueue]) -> None:
        """Persist the offsets of the client's queues, as the client does every 5 s.

        Mirror of ``persistAll``.
        """

    def remove_offset(self, queue: MessageQueue) -> None:
        """Remove the queue's offset from memory (``removeOffset``)."""


class RemoteBrokerOffsetStore:
    """``RemoteBrokerOffsetStore``: offsets in memory and at the broker."""

    def __init__(self, environment: NodeEnvironment) -> None:
        self.environment = environment
        self.offset_table: dict[MessageQueue, int] = {}

    def read_offset(self, queue: MessageQueue) -> int:
        """Return the offset, or ``NOT_FOUND`` for a failed query.

        A failed query leaves the memory unchanged. Mirror of ``readOffset``.
        """
        environment = self.environment
        try:
            offset = environment.awaited(self._fetch_consume_offset_from_broker, queue)
            self.update_offset(queue, offset, increase_only=False)
        except ClientError:
            environment.report()
            offset = NOT_FOUND
        environment.effects.append((READ_OFFSET, queue, offset))
        return offset

    def update_offset(self, queue: MessageQueue, offset: int, *, increase_only: bool) -> None:
        """Set the offset in memory; a queue without an offset in memory counts as -1.

        Mirror of ``updateOffset``.
        """
        if not (increase_only and self.offset_table.get(queue, -1) >= offset):
            self.offset_table[queue] = offset

    def persist(self, queue: MessageQueue) -> None:
        """Send the offset in memory to the broker, even a negative one.

        Send nothing if there is none (``persist``).
        """
        self.environment.effects.append((PERSIST, queue))
        offset = self.offset_table.get(queue)
        if offset is not None:
            self.environment.awaited(self._update_consume_offset_to_broker, queue, offset)

    def persist_all(self, queues: Sequence[MessageQueue]) -> None:
        """Remove all other queues' offsets from memory, and send those of ``queues``.

        An offset 0 or a missing one becomes -1. Mirror of ``persistAll``.
        """
        if not queues:
            return
        self.offset_table = {queue: self.offset_table.get(queue) or -1 for queue in queues}
        failures = 0
        for queue, offset in self.offset_table.items():
            try:
                self._update_consume_offset_to_broker(queue, offset)
            except ClientError:
                failures += 1
        for _ in range(failures):
            self.environment.report()

    def remove_offset(self, queue: MessageQueue) -> None:
        self.environment.effects.append((REMOVE_OFFSET, queue))
        self.offset_table.pop(queue, None)

    def _fetch_consume_offset_from_broker(self, queue: MessageQueue) -> int:
        self.environment.awaited(self.environment.find_broker_address_in_admin, queue)
        return self.environment.awaited(self.environment.query_consumer_offset, queue)

    def _update_consume_offset_to_broker(self, queue: MessageQueue, offset: int) -> None:
        self.environment.awaited(self.environment.find_broker_address_in_admin, queue)
        self.environment.awaited(self.environment.update_consumer_offset_oneway, queue, offset)


class LocalMemoryOffsetStore:
    """``LocalMemoryOffsetStore``: ``persist`` does nothing, and a removed offset is lost."""

    def __init__(self, environment: NodeEnvironment) -> None:
        self.environment = environment
        self.offset_table: dict[MessageQueue, int] = {}

    def read_offset(self, queue: MessageQueue) -> int:
        offset = self.offset_table.get(queue, NOT_FOUND)
        self.environment.effects.append((READ_OFFSET, queue, offset))
        return offset

    def persist(self, queue: MessageQueue) -> None:
        self.environment.effects.append((PERSIST, queue))

    def persist_all(self, queues: Sequence[MessageQueue]) -> None:
        return

    def remove_offset(self, queue: MessageQueue) -> None:
        self.environment.effects.append((REMOVE_OFFSET, queue))
        self.offset_table.pop(queue, None)


# Concurrent calls in one JavaScript process.
# Each call runs up to its next ``await``, then the next call runs. An awaited result is ready when the call runs
# again. This is the order of promises that settle immediately. A response over a real network can let the other calls
# run any number of times in between.


class _Call:
    """One asynchronous call, run in a thread; only one of these threads runs at a time."""

    def __init__(self, call: Callable[[], object]) -> None:
        self.error: Exception | None = None
        self.ended = False
        self._call = call
        self._go, self._stopped = Semaphore(0), Semaphore(0)
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def go_on(self) -> None:
        """Let the call run up to its next ``await``, or to its end."""
        self._go.release()
        self._stopped.acquire()

    def wait(self) -> None:
        """Return control at an ``await``. The call itself calls this method."""
        self._stopped.release()
        self._go.acquire()

    def _run(self) -> None:
        self._go.acquire()
        try:
            self._call()
        except Exception as error:  # re-raised to the caller that awaits all calls
            self.error = error
        self.ended = True
        self._stopped.release()


def all_at_once(environment: NodeEnvironment, *calls: Callable[[], object]) -> None:
    """Run the calls concurrently, like ``Promise.all``, but each to its end.

    A call continues even after another one has failed. Raises the first error. The calls must make their awaited
    calls through ``environment``.
    """
    started = [_Call(call) for call in calls]
    waiting = deque(started)
    errors: list[Exception] = []
    try:
        while waiting:
            call = waiting.popleft()
            environment.turn = call.wait
            call.go_on()
            if not call.ended:
                waiting.append(call)
            elif call.error is not None:
                errors.append(call.error)
    finally:
        environment.turn = None
    if errors:
        raise errors[0]
