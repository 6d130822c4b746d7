"""One queue and one message in it: a consumer's state, shared state, actions' choices, and a run's constants."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Protocol

from rebalance_proofs.model.machine.record import Record, Shown, Variable
from rebalance_proofs.model.machine.values import Bool, Int, Or
from rebalance_proofs.model.offsets.ways import Way
from rebalance_proofs.model.transition.numbers import BROKER_ERROR, NO_OFFSET, WHERES
from rebalance_proofs.model.transition.step import Asked, Entry, Step, Thrown

__all__ = [
    "NONE",
    "NOWHERE",
    "UNKNOWN",
    "Choices",
    "Limits",
    "Offsets",
    "Rebalance",
    "Variant",
    "concerned",
    "done",
    "first",
    "has_or_asks",
]

NONE = -1
"""Value of the broker's offset if none is committed."""
NOWHERE = -1
"""Value of the offset that is pulled next if the first pull had no answer, and the client did not check that."""
UNKNOWN = -1
"""Offset that Node's ``persistAll`` remembers and sends for a queue whose offset in memory is 0 or missing."""
Rebalance = Callable[[Entry, Asked, Thrown], Step]

QUEUE = "Whether the consumer has an entry of the queue in its table."
LISTENER = "Whether the consumer's listener is called with messages of the queue just now."
MEMORY = "The offset of the queue that the consumer would send to the broker (`offsetTable`)."
COMMITTED = "The offset of the queue that the broker has for the group: who begins to read it, begins there."
CONSUMED = "How often a listener has returned from the message."


def _own(meaning: str, *when: str, least: int = 0) -> Variable:
    """Field of a consumer. It matters if one of the flags ``when`` is set; if there are none, always."""
    matters = (lambda s: Or(*(getattr(s, one) for one in when))) if when else None
    return Variable(meaning, least=least, matters=matters)


def _all(meaning: str, none: int | None = None) -> Variable:
    """Field that all consumers share."""
    return Variable(meaning, shared=True, none=none)


@dataclass(frozen=True)
class Offsets(Record):
    """A consumer's state of the queue and the message; from ``committed`` on, what consumers share: the broker's state,
    and what has become of the message."""

    present: Annotated[
        Bool,
        Variable(QUEUE, shown=Shown("queue", {True: "has it", False: "–"})),
    ]
    dropped: Annotated[Bool, _own("Whether the entry is marked as dropped.")]
    began: Annotated[Int, _own("The offset at which the entry began to pull.", "present", "listed")]
    next: Annotated[
        Int, _own("The offset that the entry pulls next (`PullRequest.nextOffset`).", "present", least=NOWHERE)
    ]
    cached: Annotated[Bool, _own("Whether the entry has the message: pulled, and not taken out.")]
    runs: Annotated[
        Bool,
        Variable(
            "Whether the listener is called with the message, for the entry in the table.",
            shown=Shown("listener", {True: "runs", False: "–"}, of=lambda s: Or(s.runs, s.late), meaning=LISTENER),
        ),
    ]
    late: Annotated[
        Bool,
        _own(
            "Whether the listener is called with the message for an entry that has left the table; of several calls, "
            "any one."
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
        _own("Whether an offset has passed its checks and is about to be put into the memory; of several, any one."),
    ]
    recorded: Annotated[Int, _own("The offset that is about to be put into the memory.", "recording")]
    asking: Annotated[
        Bool,
        _own(
            "Whether a rebalance has queried the queue's offset, and is about to hear an answer, or that there is none."
        ),
    ]
    answer: Annotated[
        Int, _own("The answer that it hears, in the numbers of `model.transition`.", "asking", least=BROKER_ERROR)
    ]
    known: Annotated[
        Int, _own("What was committed when the rebalance asked. For claims alone.", "present", "asking", least=NONE)
    ]
    sending: Annotated[Bool, _own("Whether a commit is under way to the broker; of several, any one.")]
    sent: Annotated[Int, _own("The offset of that commit.", "sending", least=UNKNOWN)]
    origin: Annotated[Int, _own("Where the entry began for which that commit was sent. For claims alone.", "sending")]
    closed: Annotated[Bool, _own("Whether the consumer was shut down, or its process has ended.")]
    listed: Annotated[
        Bool,
        _own(
            "Whether `persistAll` is under way, and was given the queue: the consumer had an entry of it when "
            "`persistConsumerOffset` copied the table's queues. This field and the next: only in Java; elsewhere it "
            "is one step."
        ),
    ]
    unlisted: Annotated[
        Bool,
        _own(
            "Whether `persistAll` is under way, and was not given the queue, whose offset it then removes from the "
            "memory."
        ),
    ]
    resetting: Annotated[
        Bool,
        _own(
            "Whether a reset of the queue's offset has marked and emptied the entry. From here to `ignored`: only in "
            "Java."
        ),
    ]
    rewound: Annotated[Bool, _own("Whether the reset has put its offset into the memory.")]
    aim: Annotated[Int, _own("The reset's offset.", "resetting", "aimed")]
    aimed: Annotated[
        Bool, _own("Whether the reset has sent its offset, and the consumer has not asked where to begin since.")
    ]
    missed: Annotated[Bool, _own("Whether a reset has sent another offset than its own, or none. For claims alone.")]
    ignored: Annotated[
        Bool,
        _own(
            "Whether the consumer, when it asked where to begin after a reset had sent its offset, heard another one. "
            "For claims alone."
        ),
    ]
    fixed: Annotated[
        Bool,
        _own(
            "Whether the entry's first pull has asked for the offset again (`PullRequest.previouslyLocked`). From "
            "here to `noted`: only with an ordered listener."
        ),
    ]
    stands: Annotated[
        Int,
        _own(
            "The offset behind the last batch from which the listener has returned; before that, where the entry "
            "began.",
            "present",
        ),
    ]
    noting: Annotated[
        Bool,
        _own(
            "Whether the listener has returned from a batch, and the offset behind it is about to be put into the "
            "memory, whatever that has. There is one at most, because no other batch is begun before."
        ),
    ]
    noted: Annotated[Int, _own("The offset behind that batch.", "noting")]
    owed: Annotated[
        Bool,
        _own(
            "Whether the listener has returned from the message for the entry, and its offset is not in memory yet. "
            "With an ordered listener, for claims alone; concurrent listeners do not have it."
        ),
    ]
    lingers: Annotated[
        Bool,
        _own(
            "Whether the consumer goes on with messages of an entry that has left the table; of several entries, any "
            "one. From here to `begun_late`: only for a consumer that consumes in one loop."
        ),
    ]
    left_next: Annotated[Int, _own("The offset behind the last message of that entry.", "lingers")]
    left_cached: Annotated[Bool, _own("Whether that entry has the message.")]
    left_owed: Annotated[
        Bool,
        _own(
            "Whether the listener has returned from the message for that entry, and its offset is not in memory yet; "
            "`late` says whether it is called with it."
        ),
    ]
    begun_late: Annotated[Bool, _own("Whether that call has begun after the entry had left.")]
    uncommitted: Annotated[
        Bool,
        _own(
            "Whether the message had been consumed, and was not committed, when the consumer asked where to begin. "
            "For claims alone, of a consumer without an ordered listener.",
            "present",
            "asking",
        ),
    ]
    interrupted: Annotated[
        Bool, _own("Whether shutdown() has interrupted the threads of its listeners. Only in Java, as the next field.")
    ]
    cut: Annotated[Bool, _own("Whether a call with the message is among those that were interrupted.")]
    remains: Annotated[
        Bool,
        _own(
            "Whether such a call has returned with its thread's interrupt status set, and the batch with the message "
            "was not noted: it stays in `consumingMsgOrderlyTreeMap`, and the next `commit` is behind it, too. Only "
            "with an ordered listener."
        ),
    ]
    committed: Annotated[
        Int,
        Variable(
            "The group's offset at the broker; -1 for none.",
            shared=True,
            none=NONE,
            shown=Shown("committed offset", none=NONE, meaning=COMMITTED, party="broker"),
        ),
    ]
    end: Annotated[Int, _all("`maxOffset`: the last message's offset plus 1.")]
    consumed: Annotated[
        Bool,
        Variable(
            "Whether a listener has returned from the message, which is consumed then, or given back to be retried.",
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
    given: Annotated[Bool, _all("Whether the message was given back to be retried because its listener took too long.")]
    again: Annotated[Bool, _all("Whether a listener has returned from the message after one had already.")]
    back: Annotated[
        Bool, _all("Whether the last commit, or exchange with the replica, has lowered the committed offset.")
    ]
    kept: Annotated[
        Bool,
        _all(
            "Whether a consumer with an ordered listener, while it had an entry, noted an offset behind the message "
            "in its memory. For claims alone."
        ),
    ]
    taken: Annotated[
        Bool,
        _all(
            "Whether some consumer with an ordered listener is `concerned`, or some other one `has_or_asks`. For "
            "claims alone."
        ),
    ]
    overtime: Annotated[
        Bool,
        _all(
            "Whether a listener has returned from the message whose entry left the table during the call. For claims "
            "alone, as the next field."
        ),
    ]
    excess: Annotated[
        Bool,
        _all(
            "Whether a listener has returned from the message after one had already, and it was neither `uncommitted` "
            "nor `overtime`."
        ),
    ]
    finished: Annotated[
        Bool,
        _all(
            "Whether a listener has returned from the message with its work done, or gave it back to be retried. For "
            "claims alone, of Java."
        ),
    ]
    copied: Annotated[
        Int,
        _all(
            "The group's offset at a replica of the broker; -1 for none. Only in Java without ordered listeners.",
            none=NONE,
        ),
    ]
    owned: Annotated[Bool, _all("Whether some consumer has ever had an entry. For claims alone, as the next fields.")]
    awaited: Annotated[
        Bool, _all("Whether the message arrived while a consumer was asking where to begin, or had an entry.")
    ]
    had: Annotated[
        Bool, _all("Whether the message arrived while a consumer had an entry that was not marked as dropped.")
    ]
    begun: Annotated[
        Bool,
        _all(
            "Whether the message arrived while a consumer with an ordered listener had such an entry whose first pull "
            "had been answered."
        ),
    ]


@dataclass(frozen=True)
class Choices(Record):
    """An action's nondeterministic choices."""

    in_set: Annotated[
        Bool,
        Variable(
            "Whether the queue is still in mqSet: its entry goes only because no message was pulled for too long."
        ),
    ]
    silent: Annotated[Bool, Variable("Whether the broker does not answer: a timeout, or no connection.")]
    error: Annotated[Bool, Variable('Whether the broker answers with an error other than "no offset is stored".')]
    zero: Annotated[
        Bool,
        Variable(
            "Whether the broker answers 0 if no offset is stored: the queue begins there, and 0 is in memory. Of a "
            "reset: whether it is to offset 0."
        ),
    ]
    none: Annotated[Bool, Variable("Whether the entry has no messages at all when the listener returns.")]
    more: Annotated[
        Bool,
        Variable(
            "Whether there are several of what the action is about, and another one was meant: the one that is looked "
            "at stays."
        ),
    ]
    older: Annotated[Bool, Variable("Whether the broker's answer is `offset`, which was committed some time ago.")]
    held: Annotated[
        Bool,
        Variable(
            "Whether the listener is called with other messages of the entry; of Node, whether its loop has other ones."
        ),
    ]
    stale: Annotated[Bool, Variable("Whether the broker's lock was not renewed for long.")]
    half: Annotated[Bool, Variable("Whether the listener was interrupted, and returns as if its work were done.")]
    replica: Annotated[Bool, Variable("Whether a replica is asked, or gets the commit, in the broker's place.")]
    offset: Annotated[Int, Variable("An offset; what it stands for depends on the action.")]


@dataclass(frozen=True)
class Limits(Record):
    """Parameters that stay the same in a run."""

    message: Annotated[Int, Variable("The message's offset: any number, at least 0.")]
    from_where: Annotated[
        Int, Variable("The group's `ConsumeFromWhere`, as an index of `WHERES`.", most=len(WHERES) - 1)
    ]


class Variant(Protocol):
    """Differences between clients."""

    @property
    def way(self) -> Way:
        """How its consumers go through the messages of a queue."""

    @property
    def step(self) -> Rebalance:
        """Its rebalance of one queue, as terms."""

    @property
    def heeds(self) -> bool:
        """Whether, with an ordered listener, it asks again if its first pull had no answer."""


def has_or_asks(s: Offsets) -> Bool:
    """Whether the consumer has an entry, or asks where one is to begin."""
    return Or(s.present, s.asking)


def concerned(s: Offsets) -> Bool:
    """Whether the consumer has anything to do with the queue: an entry, a query, a call, something under way."""
    return Or(s.present, s.asking, s.late, s.recording, s.noting, s.sending, s.listed)


def done(s: Offsets) -> Bool:
    """Whether the message is taken care of: consumed, or given back to be retried."""
    return Or(s.consumed, s.given)


def first(blank: Offsets, lim: Limits, client: Variant) -> Offsets:
    """A consumer that has nothing to do with the queue yet; the shared fields come from a world."""
    return blank.but(memory=NO_OFFSET)
