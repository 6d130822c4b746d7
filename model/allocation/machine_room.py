"""MACHINE_ROOM: consumers share the queues of the rooms in consumeridcs, in equal blocks.

The remainder goes to the first consumers. The room of a queue is the part of its brokerName before ``@``.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from rebalance_proofs.model.allocation.broker_names import KINDS
from rebalance_proofs.model.allocation.broker_names import ROOM as LISTED_ROOM
from rebalance_proofs.model.allocation.check import check
from rebalance_proofs.model.allocation.fault import Fault
from rebalance_proofs.model.allocation.room_encoding import MUTANTS, ROOM
from rebalance_proofs.model.allocation.strategy import Allocate, Strategy
from rebalance_proofs.model.queues import MessageQueue, one_broker

Split = Callable[[str], list[str]]
"""Split a brokerName at ``@``.

A queue whose brokerName does not have exactly two parts is in no room.
"""


def java_split(broker_name: str) -> list[str]:
    """Split like Java's ``split("@")``, which drops empty parts at the end.

    ``room1@`` has one part, and ``room1@b@`` has two.
    """
    parts = broker_name.split("@")
    while len(parts) > 1 and parts[-1] == "":
        parts.pop()
    return parts


def machine_room_of(consumeridcs: Collection[str] | None, split: Split, check: Callable[..., bool] = check) -> Allocate:
    """Return the MACHINE_ROOM strategy of a client that splits brokerNames by ``split``.

    ``check``: the client's check of the arguments.
    """

    def allocate(current_cid: str, mq_all: Sequence[MessageQueue], cid_all: Sequence[str]) -> list[MessageQueue]:
        """Mirror of ``AllocateMessageQueueByMachineRoom.allocate``."""
        result: list[MessageQueue] = []
        if not check(current_cid, mq_all, cid_all):
            return result
        index = cid_all.index(current_cid)
        premq_all: list[MessageQueue] = []
        for queue in mq_all:
            if queue is None or queue.broker_name is None:
                raise Fault("mqAll has a null queue or a null brokerName")
            parts = split(queue.broker_name)
            if len(parts) != 2:
                continue
            if consumeridcs is None:
                raise Fault("consumeridcs is null")
            if parts[0] in consumeridcs:
                premq_all.append(queue)
        average = len(premq_all) // len(cid_all)
        rem = len(premq_all) % len(cid_all)
        start_index = average * index
        end_index = start_index + average
        for i in range(start_index, end_index):
            result.append(premq_all[i])
        if rem > index:
            result.append(premq_all[index + average * len(cid_all)])
        return result

    return allocate


def machine_room(consumeridcs: Collection[str] | None = None) -> Allocate:
    """Return ``AllocateMessageQueueByMachineRoom`` after ``setConsumeridcs``.

    consumeridcs is null before that call.
    """
    return machine_room_of(consumeridcs, java_split)


def lists(current_cid: str | None, mq_all: Sequence[MessageQueue] | None, cid_all: Sequence[str] | None) -> bool:
    """Return whether ``current_cid`` is in ``cid_all``: the only check of 4.9.0 to 4.9.2.

    An empty mqAll or cidAll gives an empty share, so the client releases its queues of the topic. From 4.9.3 on, the
    client throws an error and keeps them. Raises ``Fault`` for a null list.
    """
    if cid_all is None:
        raise Fault("cidAll is null")
    if current_cid not in cid_all:
        return False
    if mq_all is None:
        raise Fault("mqAll is null")
    return True


def machine_room_unchecked(consumeridcs: Collection[str] | None = None) -> Allocate:
    """Return the strategy of 4.9.0 to 4.9.2, which does not check for empty arguments."""
    return machine_room_of(consumeridcs, java_split, lists)


ROOMS = frozenset({LISTED_ROOM})
"""The configured ``consumeridcs`` of the consumers in claims."""


def room_queues(count: int) -> tuple[MessageQueue, ...]:
    """Return ``count`` queues of one broker in the room of ``ROOMS``."""
    return one_broker(count, broker_name=KINDS[0])


MACHINE_ROOM = Strategy(
    name="room",
    rocketmq_name="MACHINE_ROOM",
    source="org.apache.rocketmq.client.consumer.rebalance.AllocateMessageQueueByMachineRoom#allocate",
    allocate=machine_room(ROOMS),
    encoding=ROOM,
    holds=frozenset({"disjoint", "covers", "sublist", "balanced", "shares", "idle", "served"}),
    fails=frozenset({"contiguous"}),
    mutants=MUTANTS,
    configure=machine_room,
    queues=room_queues,
    over="over queues of rooms in consumeridcs",
)

MACHINE_ROOM_UNCHECKED = replace(MACHINE_ROOM, allocate=machine_room_unchecked(ROOMS), configure=machine_room_unchecked)
"""The strategy of Java 4.9.0 to 4.9.2.

It differs from ``MACHINE_ROOM`` only for empty or null arguments, which claims exclude.
"""
