"""One call of a user's strategy, and its outcome."""

from typing import NamedTuple

from rebalance_proofs.model.queues import MessageQueue


class Call(NamedTuple):
    """The arguments of one call, as in RocketMQ's ``AllocateMessageQueueStrategy.allocate``.

    They are in the same order.
    """

    consumer_group: str
    current_cid: str
    mq_all: tuple[MessageQueue, ...]
    cid_all: tuple[str, ...]


class Gave(NamedTuple):
    """The outcome of a call that returned a list of queues.

    None means a null in the list. Some queues may not be in mqAll.
    """

    queues: tuple[MessageQueue | None, ...]
    printed: tuple[str, ...] = ()
    """The first lines that this call wrote to standard output or standard error."""
    changed: str = ""
    """The call's change of an argument list as a verb phrase; empty if it changed none.

    RocketMQ's client passes copies of its lists, so such a change affects no other call.
    """
    null: bool = False
    """True if the call returned null, which RocketMQ's Java client treats as an empty list."""


class Refused(NamedTuple):
    """The outcome of a call that returned no list of queues, or changed a queue."""

    kind: str
    """The kind of failure, one of ``KINDS``."""
    what: str
    """The call's behaviour as a verb phrase.

    Example: ``throws IndexError: list index out of range (mine.py:12)``.
    """
    printed: tuple[str, ...] = ()
    """The first lines that the call wrote, as in ``Gave``."""
    changed: str = ""
    """The call's change of an argument list, as in ``Gave``."""


Outcome = Gave | Refused

THROWS, HANGS, EXITS, MEMORY = "throws", "hangs", "exits", "memory"
NULL, NOT_A_LIST, FOREIGN_TYPE, CHANGED = "null", "not-a-list", "foreign-type", "changed-arguments"

KINDS = (THROWS, HANGS, EXITS, MEMORY, NULL, NOT_A_LIST, FOREIGN_TYPE, CHANGED)
"""The kinds of failure of a call.

In order: the call throws; does not return in time; ends its process; uses too much memory; returns null; returns a
value that is not a list; returns a list with an element that is not a queue; or has changed a queue of mqAll, which a
client shares with later calls.
"""

ENDING = (HANGS, EXITS, MEMORY)
"""Kinds of failure after which the child process cannot be used any more."""

PLACE, WORKING, ANSWERED = 24, 1, 2
"""Layout of the memory that this process and the child share.

``PLACE`` is its size in bytes. The first eight bytes are the number of the current call. ``WORKING`` and ``ANSWERED``
are indexes of further eight-byte fields: the process that works, if it is a copy of the child, and whether that copy
has answered.
"""

PRINTED_LINES, PRINTED_WIDTH = 3, 200
"""Limits of the stored output of one call: lines, and characters per line."""
