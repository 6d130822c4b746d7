"""One call of a strategy, and what came of it."""

from typing import NamedTuple

from rebalance_proofs.model.queues import MessageQueue


class Call(NamedTuple):
    """The arguments of RocketMQ's ``AllocateMessageQueueStrategy.allocate``, in its order."""

    consumer_group: str
    current_cid: str
    mq_all: tuple[MessageQueue, ...]
    cid_all: tuple[str, ...]


class Gave(NamedTuple):
    """The strategy returned a list of queues; None is a null among them. Whose queues they are is not looked at."""

    queues: tuple[MessageQueue | None, ...]
    printed: tuple[str, ...] = ()
    """The first lines that it wrote to standard output or standard error during this call."""


class Refused(NamedTuple):
    """The call gave no list of queues, or changed what it was given."""

    kind: str
    """One of ``KINDS``."""
    what: str
    """A few words for people, to follow the call: ``throws IndexError: list index out of range (mine.py:12)``."""
    printed: tuple[str, ...] = ()
    """As in ``Gave``."""


Outcome = Gave | Refused

THROWS, HANGS, EXITS, MEMORY = "throws", "hangs", "exits", "memory"
NULL, NOT_A_LIST, FOREIGN_TYPE, CHANGED = "null", "not-a-list", "foreign-type", "changed-arguments"

KINDS = (THROWS, HANGS, EXITS, MEMORY, NULL, NOT_A_LIST, FOREIGN_TYPE, CHANGED)
"""Why there is no list: it throws; does not return within the limit; ends its process; takes more memory than it may;
returns null; something else than a list; a list with things that are no queues; or it has changed one of its lists."""

ENDING = (HANGS, EXITS, MEMORY)
"""After these the process that was called is of no use any more."""

PRINTED_LINES, PRINTED_WIDTH = 3, 200
"""At most so many lines of so many characters of what a call prints are kept."""
