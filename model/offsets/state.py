"""State of one queue and one message in the offset machines.

Also: the nondeterministic choices of actions, the parameters that stay constant, and differences between clients.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Protocol

from rebalance_proofs.model.machine.record import Record, Shown, Variable
from rebalance_proofs.model.machine.values import Bool, Int, Or
from rebalance_proofs.model.transition.numbers import BROKER_ERROR, NO_OFFSET, WHERES
from rebalance_proofs.model.transition.step import Asked, Entry, Step, Thrown

# The three kinds of message processing: concurrent, ordered, and Node's single loop.


class Way(StrEnum):
    """How a consumer processes messages; it decides the offset machine's actions and fields."""

    CONCURRENTLY = "concurrently"
    """``MessageListenerConcurrently``: several messages at once, each recorded at its return."""
    ORDERLY = "orderly"
    """``MessageListenerOrderly``: one batch after the other."""
    BY_LOOP = "by-loop"
    """Node: one loop consumes batches of all queues of a topic, even of removed queues."""


NONE = -1
"""Number that represents "no offset is committed" in ``committed``."""
NOWHERE = -1
"""Value of ``next`` if the first pull's offset query failed and the client ignored that."""
UNKNOWN = -1
"""Offset that Node's ``persistAll`` stores and sends if memory has 0 or no offset."""
Rebalance = Callable[[Entry, Asked, Thrown], Step]

QUEUE = "Whether the consumer has a process queue in its table."
LISTENER = "Whether the consumer's listener runs with messages of the queue."
MEMORY = "Offset of the queue that the consumer would send to the broker (`offsetTable`)."
COMMITTED = "Offset of the queue that the broker stores for the group; a new owner starts there."
CONSUMED = "Number of times that a listener has returned from the message."


def _own(meaning: str, *when: str, least: int = 0) -> Variable:
    """Return the description of a field that each consumer has for itself.

    ``meaning``: the field's printed explanation. The field matters if one of the flags ``when`` is set, or always
    if there are none.
    """
    matters = (lambda s: Or(*(getattr(s, one) for one in when))) if when else None
    return Variable(meaning, least=least, matters=matters)


def _all(meaning: str, none: int | None = None) -> Variable:
    """Return the description of a field that all consumers share.

    ``meaning``: its printed explanation.
    """
    return Variable(meaning, shared=True, none=none)


@dataclass(frozen=True)
class Offsets(Record):
    """A consumer's state of the queue and the message, and the shared state.

    Fields from ``committed`` on are shared: the broker's state, and the history of the message.
    """

    present: Annotated[
        Bool,
        Variable(QUEUE, shown=Shown("process queue", {True: "in table", False: "–"})),
    ]
    dropped: Annotated[Bool, _own("Whether the process queue is dropped.")]
    began: Annotated[Int, _own("Start offset of the process queue.", "present", "listed")]
    next: Annotated[
        Int, _own("Next offset that the process queue pulls (`PullRequest.nextOffset`).", "present", least=NOWHERE)
    ]
    cached: Annotated[Bool, _own("Whether the process queue contains the message: pulled, and not removed.")]
    runs: Annotated[
        Bool,
        Variable(
            "Whether the listener runs with the message, for the process queue in the table.",
            shown=Shown("listener", {True: "runs", False: "–"}, of=lambda s: Or(s.runs, s.late), meaning=LISTENER),
        ),
    ]
    late: Annotated[
        Bool,
        _own(
            "Whether the listener runs with the message for a process queue that has left the table; of several "
            "calls, any one."
        ),
    ]
    memory: Annotated[
        Int,
        Variable(
            "The queue's offset in the consumer's `offsetTable`.",
            least=UNKNOWN,
            none=NO_OFFSET,
            shown=Shown(
                "offset in memory",
                none=NONE,
                meaning=MEMORY,
            ),
        ),
    ]
    recording: Annotated[
        Bool,
        _own("Whether an offset has passed its checks and is about to be recorded in memory; of several, any one."),
    ]
    recorded: Annotated[Int, _own("Offset that is about to be recorded in memory.", "recording")]
    asking: Annotated[
        Bool,
        _own("Whether a rebalance has queried the queue's offset and is about to receive an answer or none."),
    ]
    answer: Annotated[
        Int, _own("Answer to that query, as a number of `model.transition`.", "asking", least=BROKER_ERROR)
    ]
    known: Annotated[
        Int,
        _own(
            ("Committed offset at the time of the rebalance's query. For claims only."), "present", "asking", least=NONE
        ),
    ]
    sending: Annotated[Bool, _own("Whether a commit is in flight to the broker; of several, any one.")]
    sent: Annotated[Int, _own("Offset of the commit in flight.", "sending", least=UNKNOWN)]
    origin: Annotated[
        Int, _own(("Start offset of the process queue for which that commit was sent. For claims only."), "sending")
    ]
    closed: Annotated[Bool, _own("Whether the consumer was shut down, or its process has ended.")]
    listed: Annotated[
        Bool,
        _own(
            "Whether a running `persistAll` has listed the queue: `persistConsumerOffset` copied it from the table. "
            "This field and the next exist only in Java; elsewhere `persistAll` is one step."
        ),
    ]
    unlisted: Annotated[
        Bool,
        _own("Whether a running `persistAll` has not listed the queue, whose offset it then removes from memory."),
    ]
    resetting: Annotated[
        Bool,
        _own(
            "Whether an offset reset has dropped and cleared the process queue. The fields from here to `ignored` "
            "exist only in Java."
        ),
    ]
    rewound: Annotated[Bool, _own("Whether the reset has written its offset to memory.")]
    aim: Annotated[Int, _own("Offset of the reset.", "resetting", "aimed")]
    aimed: Annotated[
        Bool, _own("Whether the reset has sent its offset, and the consumer has not queried the start offset since.")
    ]
    missed: Annotated[Bool, _own("Whether a reset has sent another offset than its own, or none. For claims only.")]
    ignored: Annotated[
        Bool,
        _own(
            "Whether the consumer's query after a reset's commit returned another offset than the reset's. For "
            "claims only."
        ),
    ]
    fixed: Annotated[
        Bool,
        _own(
            "Whether the first pull has queried the offset again (`PullRequest.previouslyLocked`). The fields from "
            "here to `noted` exist only with an ordered listener."
        ),
    ]
    stands: Annotated[
        Int,
        _own(
            "Offset after the last batch from which the listener has returned; before any, the start offset.",
            "present",
        ),
    ]
    noting: Annotated[
        Bool,
        _own(
            "Whether the listener has returned from a batch, and the offset after it is about to replace the offset "
            "in memory. There is at most one such batch, because no other batch begins before."
        ),
    ]
    noted: Annotated[Int, _own("Offset after that batch.", "noting")]
    owed: Annotated[
        Bool,
        _own(
            "Whether the listener has returned from the message, and its offset is not in memory yet. With an "
            "ordered listener, for claims only; concurrent listeners do not use it."
        ),
    ]
    lingers: Annotated[
        Bool,
        _own(
            "Whether the consumer still processes a process queue that has left the table; of several, any one. The "
            "fields from here to `begun_late` exist only for a consumer with one loop."
        ),
    ]
    left_next: Annotated[Int, _own("Offset after the last message of that process queue.", "lingers")]
    left_cached: Annotated[Bool, _own("Whether that process queue contains the message.")]
    left_owed: Annotated[
        Bool,
        _own(
            "Whether the listener has returned from the message for that process queue, and its offset is not in "
            "memory yet. `late` says whether the listener runs with it."
        ),
    ]
    begun_late: Annotated[Bool, _own("Whether that listener call began after the process queue had left the table.")]
    uncommitted: Annotated[
        Bool,
        _own(
            "Whether the message was consumed but not committed at the consumer's last offset query. For claims "
            "only, about consumers without an ordered listener.",
            "present",
            "asking",
        ),
    ]
    interrupted: Annotated[
        Bool,
        _own("Whether shutdown() has interrupted the listener threads. This field and the next exist only in Java."),
    ]
    cut: Annotated[Bool, _own("Whether an interrupted listener call has the message.")]
    remains: Annotated[
        Bool,
        _own(
            "Whether an interrupted call has returned with its thread's interrupt status set, so that its batch was "
            "not recorded. The batch stays in `consumingMsgOrderlyTreeMap`, and the next `commit` covers it, too. "
            "Only with an ordered listener."
        ),
    ]
    committed: Annotated[
        Int,
        Variable(
            "The group's committed offset at the broker; -1 for none.",
            shared=True,
            none=NONE,
            shown=Shown("committed offset", none=NONE, meaning=COMMITTED, party="broker"),
        ),
    ]
    end: Annotated[Int, _all("`maxOffset`: the last message's offset plus 1.")]
    consumed: Annotated[
        Bool,
        Variable(
            "Whether a listener has returned from the message, which is then consumed or sent back for a retry.",
            shared=True,
            shown=Shown(
                "consumed",
                {0: "not yet", 1: "once", 2: "twice"},
                of=lambda s: int(s.consumed) + int(s.again),
                number=True,
                meaning=CONSUMED,
                party="message",
            ),
        ),
    ]
    given: Annotated[Bool, _all("Whether the message was sent back for a retry because its listener took too long.")]
    again: Annotated[Bool, _all("Whether a listener has returned from the message a second time.")]
    back: Annotated[Bool, _all("Whether the last commit, or swap with the replica, has lowered the committed offset.")]
    kept: Annotated[
        Bool,
        _all(
            "Whether a consumer with an ordered listener and a process queue has recorded an offset after the "
            "message in memory. For claims only."
        ),
    ]
    taken: Annotated[
        Bool,
        _all(
            "Whether some consumer with an ordered listener is `concerned`, or some other consumer `has_or_asks`. "
            "For claims only."
        ),
    ]
    overtime: Annotated[
        Bool,
        _all(
            "Whether a listener has returned from the message after its process queue left the table during the "
            "call. For claims only, like the next field."
        ),
    ]
    excess: Annotated[
        Bool,
        _all(
            "Whether a listener has returned from the message a second time, and it was neither `uncommitted` nor "
            "`overtime`."
        ),
    ]
    finished: Annotated[
        Bool,
        _all(
            "Whether a listener has returned from the message with its work done, or it was sent back for a retry. "
            "For claims only, about Java."
        ),
    ]
    copied: Annotated[
        Int,
        _all(
            "The group's offset at a replica of the broker; -1 for none. Only in Java without ordered listeners.",
            none=NONE,
        ),
    ]
    owned: Annotated[
        Bool, _all("Whether some consumer has ever had a process queue. For claims only, like the next fields.")
    ]
    awaited: Annotated[
        Bool, _all("Whether the message arrived while a consumer queried the offset or had a process queue.")
    ]
    had: Annotated[Bool, _all("Whether the message arrived while a consumer had a live process queue.")]
    begun: Annotated[
        Bool,
        _all(
            "Whether the message arrived while a consumer with an ordered listener had a live process queue whose "
            "first pull was answered."
        ),
    ]


@dataclass(frozen=True)
class Choices(Record):
    """Choices of an action that the model leaves open, such as the broker's answer."""

    in_set: Annotated[
        Bool,
        Variable(
            "Whether the queue is still in mqSet, so that its process queue is removed only because no message was "
            "pulled for too long."
        ),
    ]
    silent: Annotated[Bool, Variable("Whether the broker does not answer: a timeout, or no connection.")]
    error: Annotated[Bool, Variable('Whether the broker answers with an error other than "no offset is stored".')]
    zero: Annotated[
        Bool,
        Variable(
            "Whether the broker answers 0 if no offset is stored, which becomes the start offset and the offset in "
            "memory. For a reset: whether it goes to offset 0."
        ),
    ]
    none: Annotated[Bool, Variable("Whether the process queue has no messages when the listener returns.")]
    more: Annotated[
        Bool,
        Variable(
            "Whether the action concerns another of several such requests, calls or offsets, so that the one in this "
            "state stays."
        ),
    ]
    older: Annotated[Bool, Variable("Whether the broker's answer is `offset`, which was committed some time ago.")]
    held: Annotated[
        Bool,
        Variable(
            "Whether the listener runs with other messages of the process queue; for Node, whether its loop has "
            "other messages."
        ),
    ]
    stale: Annotated[Bool, Variable("Whether the broker's lock was not renewed for a long time.")]
    half: Annotated[Bool, Variable("Whether the interrupted listener returns success although its work is not done.")]
    replica: Annotated[
        Bool, Variable("Whether a replica, instead of the broker, answers the query or gets the commit.")
    ]
    offset: Annotated[Int, Variable("An offset; its meaning depends on the action.")]


@dataclass(frozen=True)
class Limits(Record):
    """Parameters that stay constant: the observed message's offset and ``ConsumeFromWhere``."""

    message: Annotated[Int, Variable("The message's offset: any number from 0 on.")]
    from_where: Annotated[
        Int, Variable("The group's `ConsumeFromWhere`, as an index of `WHERES`.", most=len(WHERES) - 1)
    ]


class Variant(Protocol):
    """Differences between clients in claims about offsets."""

    @property
    def way(self) -> Way:
        """Which of the three kinds of message processing the client's consumers use."""

    @property
    def step(self) -> Rebalance:
        """The client's rebalance of one queue, as an SMT encoding."""

    @property
    def heeds(self) -> bool:
        """Whether an ordered consumer queries its start offset again after a failed first query."""


def has_or_asks(s: Offsets) -> Bool:
    """Check whether the consumer has a process queue or queries its start offset."""
    return Or(s.present, s.asking)


def concerned(s: Offsets) -> Bool:
    """Check whether the consumer has any activity on the queue.

    That is a process queue, a query, a listener call, a commit in flight, or a running ``persistAll``.
    """
    return Or(s.present, s.asking, s.late, s.recording, s.noting, s.sending, s.listed)


def done(s: Offsets) -> Bool:
    """Check whether the message was consumed or sent back for a retry."""
    return Or(s.consumed, s.given)


def first(blank: Offsets, lim: Limits, client: Variant) -> Offsets:
    """Return the first state: a consumer without any activity on the queue or offset in memory.

    The caller sets the shared fields.
    """
    return blank.but(memory=NO_OFFSET)
