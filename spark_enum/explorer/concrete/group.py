"""A group of consumers and a broker that run client code and make the moves of a model.

The result is compared with the explorer's model, move by move.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Protocol, Self

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.client.settings import KINDS
from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.machines.registry.state import DEFAULTS
from rebalance_proofs.model.possible import need
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.registry.broker import (
    Channel,
    ClientChannelInfo,
    ConsumerManager,
    DefaultConsumerIdsChangeListener,
)
from rebalance_proofs.model.transition.drivers import Member
from rebalance_proofs.spark_enum.explorer.model import Move

# A broker's list of the members of a group, and its notifications of changes.

GROUP = "G"


class Registry:
    """A broker's ``ConsumerManager``, and a connection for each member."""

    def __init__(self) -> None:
        listener = DefaultConsumerIdsChangeListener(
            notify_consumer_ids_changed_enable=True, real_time_notify_consumer_change=True
        )
        self._manager = ConsumerManager(listener, number(DEFAULTS.expired))
        self._channels: dict[str, Channel] = {}
        self.told: set[str] = set()
        """Client ids of the consumers to which a notification is in flight."""

    @property
    def ids(self) -> list[str] | None:
        """Return the client ids in the group (``getConsumerListByGroup``); None for an error answer."""
        return self._manager.get_consumer_list_by_group(GROUP)

    def comes(self, client_id: str) -> None:
        """Process the first heartbeat of the client."""
        channel = self._channels[client_id] = Channel()
        found = self._manager.group_info(GROUP)
        self._manager.register_consumer(GROUP, found, ClientChannelInfo(channel, client_id, 0), 0)
        self._notified()

    def leaves(self, client_id: str) -> None:
        """Process the unregister request of the client (``unregisterClient``)."""
        self._manager.unregister_consumer(GROUP, self._channels.pop(client_id))
        self._notified()

    def closed(self, client_id: str) -> None:
        """Process the end of the client's connection."""
        self._manager.do_channel_close_event(self._channels.pop(client_id))
        self._notified()

    def _notified(self) -> None:
        sent = self._manager.listener.sent
        heard = {channel for _, channels in sent for channel in channels}
        sent.clear()
        self.told |= {client_id for client_id, channel in self._channels.items() if channel in heard}
        self.told &= set(self._channels)

    def misses(self, client_id: str) -> None:
        """Drop a notification to the client, as if the network lost it."""
        need(client_id in self.told)
        self.told.discard(client_id)

    def answers(self, client_id: str) -> list[str] | None:
        """Return the broker's answer to the client's member query; None for an error answer.

        A notification in flight to the client is dropped, because the answer includes the change.
        """
        self.told.discard(client_id)
        return self.ids


def client_id(who: int) -> str:
    """Return the client id of the consumer with this number."""
    return f"c{who}"


@dataclass(frozen=True)
class Setup:
    """Settings of a group, which all copies of the group share."""

    client: Any
    strategy: Strategy
    consumers: int
    queues: tuple[MessageQueue, ...]
    faults: frozenset[str]

    def __deepcopy__(self, memo: dict[int, Any]) -> "Setup":
        return self

    @classmethod
    def of(
        cls, client: Any, strategy: Strategy, consumers: int, queues: int, faults: frozenset[str] = frozenset()
    ) -> "Setup":
        """Return the settings of a group with these numbers of consumers and queues."""
        return cls(client, strategy, consumers, tuple(strategy.queues(queues)), faults)


class Process(Protocol):
    """The process of a consumer. Methods named after the model's moves act on one queue.

    A method that is impossible at present raises ``Impossible`` and changes nothing.
    """

    @property
    def consumers(self) -> Sequence[Any]:
        """The consumer objects of this process, one per queue."""

    def rebalances(self, member: Member) -> None:
        """Rebalance: ``doRebalance``."""

    def shuts(self) -> None:
        """Shut down: ``shutdown``."""

    def crashes(self) -> None:
        """End the process at once."""

    def quiet(self, queue: int) -> bool:
        """Return True if the process has no remaining activity on the queue."""


class Group(ABC):
    """A group of processes and a broker.

    A move that is impossible at present raises ``Impossible`` and changes nothing.
    """

    def __init__(self, setup: Setup, *, forgets: bool = True) -> None:
        self.setup, self.forgets = setup, forgets
        self.registry = Registry()
        self.lives = [False] * setup.consumers
        self.seen: list[list[str]] = [[] for _ in range(setup.consumers)]
        """For each consumer, the client ids in the answer to its last member query."""
        self.processes = [self.process(who) for who in range(setup.consumers)]
        self.remains: dict[tuple[int, int], Process] = {}
        """(consumer, queue) -> an ended process whose activities on that queue have not ended."""

    def copy(self) -> Self:
        """Return a copy of the group in the same state."""
        # Clients compare the kind of consumer by identity, so copies share it.
        return deepcopy(self, {id(kind): kind for kind in KINDS})

    @abstractmethod
    def process(self, who: int) -> Process:
        """Return a new process for the consumer with this number."""

    @abstractmethod
    def of_broker(self, place: int) -> Mapping[str, int]:
        """Return the broker's data on the queue with this number, under the model's column names."""

    @abstractmethod
    def of_consumer(self, consumer: Any) -> Mapping[str, int]:
        """Return a consumer's data on a queue.

        The keys are the model's column names without the consumer's number. Data that do not exist, such as a missing
        process queue, are 0.
        """

    def queue(self, place: int) -> Mapping[str, int]:
        """Return all numbers of the state of a queue, under the model's column names."""
        numbers = dict(self.of_broker(place))
        for who, consumer in enumerate(self.consumers(place)):
            numbers |= {f"{name}{who}": int(value) for name, value in self.of_consumer(consumer).items()}
        return numbers

    def consumers(self, place: int) -> list[Any]:
        """Return the consumer objects for a queue, one per consumer."""
        return [self.of(who, place).consumers[place] for who in range(self.setup.consumers)]

    @abstractmethod
    def forget(self) -> None:
        """Drop late listener calls and requests in flight of a consumer, except the newest of each."""

    def members(self) -> Mapping[str, Any]:
        """Return the members' state, under the model's field names."""
        ids = [client_id(who) for who in range(self.setup.consumers)]
        return {
            "lives": tuple(self.lives),
            "view": tuple(frozenset(ids.index(one) for one in seen) for seen in self.seen),
            "told": tuple(one in self.registry.told for one in ids),
        }

    def does(self, move: Move) -> None:
        """Make one move of the model in this group."""
        name = move.name.replace(" ", "_")
        if move.queue is None or move.who is None:
            getattr(self, name)(*(() if move.who is None else (move.who,)))
        else:
            getattr(self.of(move.who, move.queue), name)(move.queue)
        if self.forgets:
            self.forget()

    def of(self, who: int, queue: int) -> Any:
        """Return the process of the consumer that is active on the queue, which may be an ended one."""
        return self.remains.get((who, queue), self.processes[who])

    def _quiet(self, who: int, queue: int) -> bool:
        return bool(self.of(who, queue).quiet(queue))

    def _every(self) -> range:
        return range(len(self.setup.queues))

    def _lives(self, who: int) -> None:
        need(self.lives[who])

    def joins(self, who: int) -> None:
        """The consumer starts: a new process with the same client id as its earlier processes."""
        need(not self.lives[who] and all(self._quiet(who, queue) for queue in self._every()))
        self._anew(who)
        self.lives[who] = True
        self.registry.comes(client_id(who))

    def _anew(self, who: int) -> None:
        under_way = {(who, queue): self.of(who, queue) for queue in self._every() if not self._quiet(who, queue)}
        self.remains = {place: process for place, process in self.remains.items() if place[0] != who} | under_way
        self.processes[who] = self.process(who)

    def leaves(self, who: int) -> None:
        """The consumer shuts down."""
        self._lives(who)
        self.processes[who].shuts()
        self.registry.leaves(client_id(who))
        self.lives[who], self.seen[who] = False, []

    def crashes(self, who: int) -> None:
        """The consumer's process ends at once."""
        self._lives(who)
        self.processes[who].crashes()
        self.registry.closed(client_id(who))
        self._anew(who)
        self.lives[who], self.seen[who] = False, []

    def misses(self, who: int) -> None:
        """A notification to the consumer is lost."""
        self.registry.misses(client_id(who))

    def rebalances(self, who: int) -> None:
        """The consumer queries the member list and takes its share."""
        self._lives(who)
        ids = self.registry.answers(client_id(who))
        self.seen[who] = ids or []
        self.processes[who].rebalances(Member(client_id(who), ids, self.setup.strategy.allocate))
