"""The effects of a rebalance: what the client does, in order.

An effect is a tuple: its name, the queue that it is about (None when it is about none), and its details.
"""

from collections.abc import Sequence
from typing import Any

from rebalance_proofs.model.queues import MessageQueue

Effect = tuple[Any, ...]

DROP = "drop"
"""The entry is marked: its pull request dies, and no result of its listener is recorded any more."""
PERSIST = "persist"
"""The consumed offset is sent to the broker; the detail ``throw`` when that failed."""
REMOVE_OFFSET = "rmOff"
"""The offset store forgets the queue."""
TRY_CONSUME_LOCK = "tryConsumeLock"
"""Tries to take the lock under which the listener runs: for how many ms; ``1``, ``0`` or ``INT`` (interrupted)."""
RELEASE_CONSUME_LOCK = "releaseConsumeLock"
TRY_UNLOCK_TIMES = "tryUnlockTimes++"
PROCESS_QUEUE_LOCKED = "pqLocked"
"""``ProcessQueue.setLocked``: 1 or 0."""
LOCK = "lockRPC"
"""Asks the broker for the queue's lock; its answer ``ok``, ``denied`` or ``exc`` (the call failed)."""
UNLOCK = "unlockRPC"
"""Gives the broker's lock back, one way; the detail ``exc`` when the call failed."""
SCHEDULE_UNLOCK = "schedule"
"""Schedules giving the broker's lock back, after how many ms."""
OUT = "out"
"""The entry leaves the table."""
IN = "in"
"""A new entry comes into the table."""
READ_OFFSET = "readOff"
MAX_OFFSET = "maxOffset"
SEARCH_OFFSET = "searchOffset"
PULL_REQUEST = "pull"
"""A pull request is dispatched: from which offset, after how many ms."""
POP_REQUEST = "pop"
"""A request that pops messages of the queue is dispatched, after how many ms."""
REBALANCE_LATER = "rebLater"
"""A rebalance of all topics is asked for, after how many ms."""
FIND_CONSUMER_IDS = "findCids"
ALLOCATE = "allocate"
QUEUE_CHANGED = "mqChanged"
"""``messageQueueChanged``: topic, all queues, the client's own."""
HEARTBEAT = "heartbeat"
LISTENER = "listener"
"""The user's ``MessageQueueListener`` is called; the detail ``throw`` when it throws."""
PULL_THRESHOLD = "setPullThresholdForQueue"
PULL_THRESHOLD_SIZE = "setPullThresholdSizeForQueue"
QUERY_ASSIGNMENT = "queryAssignment"
"""A broker is asked for the client's queues: topic, timeout in ms, and the answer unless it is an assignment."""
LOCK_BATCH = "lockRPC{}"
UNLOCK_BATCH = "unlockRPC{}"
UPDATE_OFFSET = "updateOffsetRPC"
"""The client's own offset store sends the offset to the broker; the last detail ``exc`` when that failed."""
WRITE_OFFSET = "writeOffset"
"""The client's own offset store writes the offset into a file; the last detail ``exc`` when that failed."""
QUERY_OFFSET = "queryOffsetRPC"
ERROR = "error"
"""The Node client reports an error to its user and goes on."""
EMIT = "emit"


def addition_begins(effects: Sequence[Effect]) -> int:
    """The index of the first effect of adding the queue, among the effects of one queue.

    The effects before it are about the entry that the queue had. A client that adds the queue asks for a lock or an
    offset, or forgets the offset once more.
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
    """The effects that are about one queue, in order."""
    return tuple(effect for effect in effects if effect[1] == queue)
