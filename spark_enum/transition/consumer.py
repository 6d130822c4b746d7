"""A consumer that runs the modelled client's rebalance many times, with little overhead."""

from collections.abc import Mapping
from operator import attrgetter

from rebalance_proofs.model.client.effects import ERROR, REBALANCE_LATER, Effect
from rebalance_proofs.model.client.environment import DENIED, Answers
from rebalance_proofs.model.client.process_queue import ProcessQueue
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.model.transition.numbers import NO_OFFSET
from rebalance_proofs.model.transition.rounds import queue_of
from rebalance_proofs.spark_enum.transition.columns import IN_ADDITION, IN_REMOVAL, QUIET, Became, State

STATE = (
    "dropped",
    "locked",
    "last_pull_timestamp",
    "last_lock_timestamp",
    "consume_lock",
    "cached",
    "try_unlock_times",
)
"""Attributes of a ``ProcessQueue`` object, in the order of ``State``."""
state_of = attrgetter(*STATE)
"""Function that returns the ``State`` of a ``ProcessQueue`` object."""


def restore(entry: ProcessQueue, state: State) -> None:
    """Set the attributes of a process queue to the given state."""
    for name, value in zip(STATE, state, strict=True):
        setattr(entry, name, value)


class Consumer:
    """A consumer of one client in one mode, which rebalances one topic."""

    def __init__(self, client: Client, mode: Mode, where: int = 0, retry: int = 0) -> None:
        driver = client.drive(mode, where)
        self.topic = queue_of(0, 1, retry).topic
        self.update = driver.update
        self.table = driver.table
        self.memory = driver.memory
        """The offsets in the client's memory, by queue."""
        self._put = driver.put

    def entry(self, numbers: Mapping[str, int]) -> ProcessQueue | None:
        """Return a new process queue with the described state; None if there is none.

        It is not in the consumer's table yet.
        """
        queue = queue_of(-1, 1)
        self._put(queue, numbers)
        self.memory.pop(queue, None)
        entry: ProcessQueue | None = self.table.pop(queue, None)
        return entry

    def became(self, queue: MessageQueue, before: ProcessQueue | None) -> Became:
        """Return the state of a queue after a rebalance; ``before`` is its process queue from before."""
        now = self.table.get(queue)
        former = None if before is None else state_of(before)
        after = former if now is before else None if now is None else state_of(now)
        return Became(former, after, now is not before and now is not None, self.memory.get(queue, NO_OFFSET))


def phase_of(thrown: str) -> int:
    """Return the phase of the exception with that message, which left the client's method."""
    return QUIET if not thrown else IN_REMOVAL if thrown in ("persist", "scripted update") else IN_ADDITION


def asks_again(client: Client) -> tuple[Effect, ...]:
    """Return the client's reaction to a denied lock: a request for another rebalance, or nothing."""
    queue = queue_of(0, 1)
    consumer = Consumer(client, Mode("", orderly=1, order=1))
    done = consumer.update({queue: Answers(lock=DENIED)}, consumer.topic, [queue])
    return tuple(effect for effect in done.effects if effect[0] == REBALANCE_LATER)


def told(effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
    """Return the effects without messages that only inform the user."""
    return tuple(effect for effect in effects if effect[0] != ERROR)
