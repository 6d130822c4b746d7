"""The effects of a rebalance: the client's externally visible steps, in order.

An effect is a tuple: its name, the queue concerned (None if there is none), and details.
"""

from collections.abc import Sequence
from typing import Any

from rebalance_proofs.model.queues import MessageQueue

# Exceptions that a client's code throws.


class MQClientException(Exception):
    """A checked exception of the client: a query failed."""


class MQBrokerException(Exception):
    """The broker refused the request."""


class RemotingTimeoutException(Exception):
    """The broker did not respond within the time limit."""


class RuntimeException(Exception):
    """Any other exception, which the calling code does not expect."""


NULL_POINTER = "NullPointerException"
"""The text of a ``RuntimeException`` for the use of a null.

It replaces the virtual machine's own text.
"""


Effect = tuple[Any, ...]

DROP = "drop"
"""The process queue is marked dropped.

Its pull request ends, and results of its listener are no longer recorded.
"""
PERSIST = "persist"
"""The client sends the consumed offset to the broker.

The detail is ``throw`` if that failed.
"""
REMOVE_OFFSET = "rmOff"
"""The offset store removes the queue's offset."""
TRY_CONSUME_LOCK = "tryConsumeLock"
"""The client tries to take the consume lock, under which the listener runs.

Details: the time limit in ms, and the result ``1``, ``0`` or ``INT`` (interrupted).
"""
RELEASE_CONSUME_LOCK = "releaseConsumeLock"
TRY_UNLOCK_TIMES = "tryUnlockTimes++"
PROCESS_QUEUE_LOCKED = "pqLocked"
"""The client records that it has the broker's lock (1) or not (0).

Mirror of ``ProcessQueue.setLocked``.
"""
LOCK = "lockRPC"
"""The client requests the queue's lock from the broker.

The response is ``ok``, ``denied`` or ``exc`` (call failed).
"""
UNLOCK = "unlockRPC"
"""The client sends a one-way unlock request to the broker.

The detail is ``exc`` if the call failed.
"""
SCHEDULE_UNLOCK = "schedule"
"""The client schedules the unlock request; the detail is the delay in ms."""
OUT = "out"
"""The process queue is removed from the table."""
IN = "in"
"""A new process queue is added to the table."""
READ_OFFSET = "readOff"
MAX_OFFSET = "maxOffset"
SEARCH_OFFSET = "searchOffset"
PULL_REQUEST = "pull"
"""The client dispatches a pull request; details: the offset, and the delay in ms."""
POP_REQUEST = "pop"
"""The client dispatches a pop request for the queue; the detail is the delay in ms."""
REBALANCE_LATER = "rebLater"
"""The client schedules a rebalance of all topics; the detail is the delay in ms."""
FIND_CONSUMER_IDS = "findCids"
ALLOCATE = "allocate"
QUEUE_CHANGED = "mqChanged"
"""``messageQueueChanged``; details: the topic, all queues, and the client's queues."""
HEARTBEAT = "heartbeat"
LISTENER = "listener"
"""The client calls the user's ``MessageQueueListener``.

The detail is ``throw`` if the listener throws.
"""
PULL_THRESHOLD = "setPullThresholdForQueue"
PULL_THRESHOLD_SIZE = "setPullThresholdSizeForQueue"
QUERY_ASSIGNMENT = "queryAssignment"
"""The client queries a broker for its queues.

Details: the topic, the timeout in ms, and the response unless it is an assignment.
"""
LOCK_BATCH = "lockRPC{}"
UNLOCK_BATCH = "unlockRPC{}"
UPDATE_OFFSET = "updateOffsetRPC"
"""The client's default offset store sends the offset to the broker.

The last detail is ``exc`` if that failed.
"""
WRITE_OFFSET = "writeOffset"
"""The client's default offset store writes the offset to a file.

The last detail is ``exc`` if that failed.
"""
QUERY_OFFSET = "queryOffsetRPC"
ERROR = "error"
"""The Node client reports an error to its user and continues."""
EMIT = "emit"


def addition_begins(effects: Sequence[Effect]) -> int:
    """Return the index of the effect at which the addition of a queue begins.

    ``effects`` are those of one queue. The effects before it concern the queue's old process queue. To add a queue,
    a client requests a lock or an offset, or removes the stored offset again.
    """
    names = [effect[0] for effect in effects]
    if DROP not in names:
        return 0
    if OUT not in names:
        return len(names)
    for place in range(names.index(OUT) + 1, len(names)):
        again = names[place] == REMOVE_OFFSET and REMOVE_OFFSET in names[:place]
        if again or names[place] in (LOCK, QUERY_OFFSET, READ_OFFSET, IN):
            return place
    return len(names)


def about(effects: Sequence[Effect], queue: MessageQueue) -> tuple[Effect, ...]:
    """Return the effects that concern one queue, in order."""
    return tuple(effect for effect in effects if effect[1] == queue)
