"""One call of a user's strategy, and its outcome."""

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from types import TracebackType
from typing import Any, NamedTuple, Protocol, Self

from rebalance_proofs.model.own.named import StrategyError
from rebalance_proofs.model.queues import MessageQueue

# The user's own guarantee: a function of a group and of its members' shares, called in the child process.

VIOLATED = "Violated"
"""Name of the exception that says that the guarantee is violated."""


class JudgedGroup(NamedTuple):
    """A group, as a property gets it."""

    ids: tuple[str, ...]
    """The client ids of the members."""
    queues: tuple[MessageQueue, ...]
    """The queues of the topic, with ``topic``, ``broker_name`` and ``queue_id``."""


class Violated(Exception):
    """Raised if the property does not hold; the text is the reason."""


def judging(function: Any, name: str) -> Callable[..., list[MessageQueue]]:
    """Return a function with a strategy's arguments that judges the shares which ``consumer_group`` describes.

    It returns an empty list if the property holds, and raises ``Violated`` if not. Raises ``StrategyError`` for an
    object that is not a function of two arguments.
    """
    if not callable(function):
        raise StrategyError(f"{name} is of type {type(function).__name__}; name a function of a group and its shares")
    try:
        inspect.signature(function).bind(None, None)
    except TypeError:
        raise StrategyError(f"{name} has to take two arguments: the group, and the shares of its members") from None
    except ValueError:
        pass  # some functions written in C do not expose their arguments

    def judge(
        consumer_group: str, current_cid: str, mq_all: Sequence[MessageQueue], cid_all: Sequence[str]
    ) -> list[MessageQueue]:
        taken: Mapping[str, Sequence[Any]] = json.loads(consumer_group)
        shares = {
            one: [mq_all[queue] if isinstance(queue, int) else MessageQueue(*queue) for queue in queues]
            for one, queues in taken.items()
        }
        try:
            said = function(JudgedGroup(tuple(cid_all), tuple(mq_all)), shares)
        except AssertionError as error:
            raise Violated(str(error)) from None
        if isinstance(said, str):
            raise Violated(said)
        if said is not None and not isinstance(said, bool):
            raise TypeError(f"a property has to return True, False, None or a text, not {type(said).__name__}")
        if said is False:
            raise Violated("it returns False")
        return []

    vars(judge)["judged"] = function  # its file is named in errors
    return judge


# Sources of nondeterminism, such as clocks, that a child process can fix.


class Held(Enum):
    """A source of nondeterminism; every process that fixes it gets the same values."""

    HASHES = "hashes"
    """Hash values of objects.

    Python's ``hash()`` of strings and of tuples of them; Java's identity ``hashCode`` of objects.
    """
    SEED = "seed"
    """The seed of Python's hashes (PYTHONHASHSEED), which determines the order of a set."""
    RANDOM = "random"
    """Random numbers.

    Python's ``random``, and the system's (``os.urandom``, ``uuid4``, ``secrets``).
    """
    TIME = "time"
    """Python's clocks.

    ``time``, and the methods of ``datetime`` and ``date`` for the current time.
    """
    LATER = "later"
    """The same clocks, at another second, minute, hour and day."""


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


# The interface of a worker: a child process that calls a user's strategy, in any language.

LIMIT = 2.0
"""Default time limit of one call, in seconds.

Python code that waits for a busy CPU may take up to 5 times as long in elapsed time, until it has had this much CPU
time.
"""

MEMORY_MB = 1024
"""Default limit of the child's memory, in MB."""


class Limits(NamedTuple):
    """Limits of a user's strategy: time and memory."""

    seconds: float = LIMIT
    """Time limit of one call, in seconds."""
    memory_mb: int = MEMORY_MB
    """Memory limit of the process, in MB."""


class Worker(Protocol):
    """A user's strategy in its own child process, which starts at the first call or on entering.

    Constructors and ``__enter__`` raise ``model.own.errors.StrategyError`` if the user's text does not name a
    callable strategy.
    """

    holds: tuple[Held, ...]
    """Sources of nondeterminism, such as clocks, that the child can fix."""

    @property
    def name(self) -> str:
        """The display name of the strategy: ``mine.py:allocate``, ``com.acme.MyStrategy``."""

    def answers(self, calls: Sequence[Call]) -> list[Outcome]:
        """Make calls of the strategy in the child, and return one outcome for each, in order.

        There is at least one outcome, but maybe fewer than calls: the worker may stop after a failure of the
        kinds ``call.ENDING``, so that a strategy that hangs in every call uses the time limit only once.

        Never raises for the strategy's behaviour. The time limit is for each call, however many calls a batch
        has. After ``hangs``, ``exits`` and ``memory`` the child is replaced, and the next call goes to a new
        one.
        """

    def afresh(self) -> "Worker | None":
        """Return a worker that answers each batch in a process that has made no earlier calls.

        The strategy is loaded in that process. It takes over this worker's child, which must not have been
        called, and ends with it. None if separate children would cost no more.
        """

    def __enter__(self) -> Self:
        """Return the worker itself, with its child started."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the child."""
