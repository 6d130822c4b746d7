"""One call of a strategy, and its outcome."""

from typing import NamedTuple

from rebalance_proofs.model.queues import MessageQueue


class Call(NamedTuple):
    """The arguments of RocketMQ's ``AllocateMessageQueueStrategy.allocate``, in its order."""

    consumer_group: str
    current_cid: str
    mq_all: tuple[MessageQueue, ...]
    cid_all: tuple[str, ...]


class Gave(NamedTuple):
    """The outcome of a call that returned a list of queues; None is a null among them. They may be any queues."""

    queues: tuple[MessageQueue | None, ...]
    printed: tuple[str, ...] = ()
    """The first lines that it wrote to standard output or standard error during this call."""


class Refused(NamedTuple):
    """The outcome of a call that gave no list of queues, or changed its arguments."""

    kind: str
    """One of ``KINDS``."""
    what: str
    """What the call does, in words for people: ``throws IndexError: list index out of range (mine.py:12)``."""
    printed: tuple[str, ...] = ()
    """The first lines that the call wrote, as in ``Gave``."""


Outcome = Gave | Refused

THROWS, HANGS, EXITS, MEMORY = "throws", "hangs", "exits", "memory"
NULL, NOT_A_LIST, FOREIGN_TYPE, CHANGED = "null", "not-a-list", "foreign-type", "changed-arguments"

KINDS = (THROWS, HANGS, EXITS, MEMORY, NULL, NOT_A_LIST, FOREIGN_TYPE, CHANGED)
"""The kinds of refusal: the call throws; does not return in time; ends its process; takes too much memory; returns
null; returns something other than a list; returns a list with other things than queues; or has changed one of its
lists."""

ENDING = (HANGS, EXITS, MEMORY)
"""After refusals of these kinds the called process cannot be used any more."""

PLACE, WORKING, ANSWERED = 24, 1, 2
"""Bytes of the memory that parent and child share, of which the first eight have the number of the call under way; and
the places, of eight bytes each, of the process that works if it is a copy of the child, and whether it has answered."""

PRINTED_LINES, PRINTED_WIDTH = 3, 200
"""The most lines that are kept of what a call prints, and the most characters of each."""
