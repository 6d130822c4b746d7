"""One queue and one message in it: a consumer's part, what all share, what actions leave open, what stays the same."""

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
"""In the place of the broker's offset: none is committed."""
NOWHERE = -1
"""In the place of the offset that is pulled next: the first pull had no answer, and the client has not looked."""
UNKNOWN = -1
"""What Node's ``persistAll`` remembers, and sends, of a queue whose offset in memory is 0, or missing."""
Rebalance = Callable[[Entry, Asked, Thrown], Step]

QUEUE = "Whether the consumer has an entry of the queue in its table."
LISTENER = "Whether the consumer's listener is called with messages of the queue just now."
MEMORY = "The offset of the queue that the consumer would send to the broker (`offsetTable`)."
COMMITTED = "The offset of the queue that the broker has for the group: who begins to read it, begins there."
CONSUMED = "How often a listener has returned from the message."


def _own(meaning: str, *when: str, least: int = 0) -> Variable:
    """Of a consumer; it says something where one of these flags is set, or always."""
    matters = (lambda s: Or(*(getattr(s, one) for one in when))) if when else None
    return Variable(meaning, least=least, matters=matters)


def _all(meaning: str, none: int | None = None) -> Variable:
    """Shared by all consumers."""
    return Variable(meaning, shared=True, none=none)


@dataclass(frozen=True)
class Offsets(Record):
    """One consumer's part, of the message that is looked at; and, from ``committed`` on, what consumers share: the
    broker's, and what has become of the message."""

    present: Annotated[
        Bool,
        Variable(QUEUE, shown=Shown("queue", {True: "has it", False: "–"})),
    ]
    dropped: Annotated[Bool, _own("The entry is marked.")]
    began: Annotated[Int, _own("The offset at which the entry began to pull.", "present", "listed")]
    next: Annotated[
        Int, _own("The offset that the entry pulls next (`PullRequest.nextOffset`).", "present", least=NOWHERE)
    ]
    cached: Annotated[Bool, _own("The entry has the message: pulled, and not taken out.")]
    runs: Annotated[
        Bool,
        Variable(
            "The listener is called with the message, for the entry.",
            shown=Shown("listener", {True: "runs", False: "–"}, of=lambda s: Or(s.runs, s.late), meaning=LISTENER),
        ),
    ]
    late: Annotated[Bool, _own("The same, for an entry that has left the table; any one, where there are several.")]
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
        _own("An offset is about to be put into the memory: whoever does it has made its checks; any one of several."),
    ]
    recorded: Annotated[Int, _own("That offset.", "recording")]
    asking: Annotated[
        Bool, _own("A rebalance has asked for the queue's offset, and the broker has answered, or will not.")
    ]
    answer: Annotated[Int, _own("What it hears, in the numbers of `model.transition`.", "asking", least=BROKER_ERROR)]
    known: Annotated[
        Int, _own("What was committed when the rebalance asked. For proofs alone.", "present", "asking", least=NONE)
    ]
    sending: Annotated[Bool, _own("A commit is under way to the broker; any one of several.")]
    sent: Annotated[Int, _own("Its offset.", "sending", least=UNKNOWN)]
    origin: Annotated[Int, _own("Where the entry began that had it sent. For proofs alone.", "sending")]
    closed: Annotated[Bool, _own("The consumer was shut down, or its process has ended.")]
    listed: Annotated[
        Bool,
        _own(
            "`persistAll` is under way, and was told of the queue: the consumer had an entry of it when "
            "`persistConsumerOffset` copied the table's queues. This one and the next: only in Java; elsewhere it is "
            "one step."
        ),
    ]
    unlisted: Annotated[
        Bool, _own("It is under way, and was not told of it: what is in memory of the queue is to be removed.")
    ]
    resetting: Annotated[
        Bool, _own("The entry is marked and emptied by a reset of the queue's offset. Up to `ignored` only in Java.")
    ]
    rewound: Annotated[Bool, _own("The reset has put its offset into the memory.")]
    aim: Annotated[Int, _own("That offset.", "resetting", "aimed")]
    aimed: Annotated[Bool, _own("The reset has sent it, and the consumer has not asked where to begin since.")]
    missed: Annotated[Bool, _own("A reset has sent another offset than it was told, or none. For claims alone.")]
    ignored: Annotated[
        Bool,
        _own(
            "When the consumer asked where to begin, after a reset had sent its offset, the answer was another one. "
            "For claims alone."
        ),
    ]
    fixed: Annotated[
        Bool,
        _own(
            "The entry's first pull has asked for the offset once more (`PullRequest.previouslyLocked`). Up to `owed` "
            "only of a consumer with an ordered listener."
        ),
    ]
    stands: Annotated[
        Int,
        _own(
            "The offset behind the last batch that the listener has returned from; at first, where the entry began.",
            "present",
        ),
    ]
    noting: Annotated[
        Bool,
        _own(
            "The listener has returned from a batch, and the offset behind it is about to be put into the memory, "
            "whatever that has; there is one at most, because no other batch is begun before."
        ),
    ]
    noted: Annotated[Int, _own("That offset.", "noting")]
    owed: Annotated[
        Bool,
        _own(
            "The listener has returned from the message for the entry, whose offset is not in memory yet. For proofs "
            "alone, of a consumer with an ordered listener."
        ),
    ]
    lingers: Annotated[
        Bool,
        _own(
            "The consumer goes on with messages of an entry that has left the table; any one, where there are "
            "several. Up to `begun_late` only of a consumer that consumes in one loop."
        ),
    ]
    left_next: Annotated[Int, _own("Of that entry: the offset behind its last message.", "lingers")]
    left_cached: Annotated[Bool, _own("It has the message.")]
    left_owed: Annotated[
        Bool,
        _own(
            "Its listener has returned from the message, whose offset is not in memory yet; `late`: is called with it."
        ),
    ]
    begun_late: Annotated[Bool, _own("That call has begun when the entry had left.")]
    uncommitted: Annotated[
        Bool,
        _own(
            "When the consumer asked where to begin, the message had been consumed, and was not committed. For claims "
            "alone, of a consumer without an ordered listener.",
            "present",
            "asking",
        ),
    ]
    interrupted: Annotated[
        Bool, _own("shutdown() has interrupted the threads of its listeners. Of Java alone, as is the next one.")
    ]
    cut: Annotated[Bool, _own("A call with the message is among those that were interrupted.")]
    remains: Annotated[
        Bool,
        _own(
            "Such a call has returned with its thread's interrupt status set, and the batch with the message was not "
            "noted: it stands in `consumingMsgOrderlyTreeMap`, and the next `commit` is behind it, too. Only with an "
            "ordered listener."
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
    end: Annotated[Int, _all("`maxOffset`: one more than the last message's.")]
    consumed: Annotated[
        Bool,
        Variable(
            "A listener has returned from the message, which is consumed then, or given back to be retried.",
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
    given: Annotated[Bool, _all("It was given back to be retried because its listener took too long.")]
    again: Annotated[Bool, _all("A listener has returned from it when one had already.")]
    back: Annotated[Bool, _all("The last commit has set the offset back.")]
    kept: Annotated[
        Bool,
        _all(
            "A consumer with an entry, and an ordered listener, had an offset behind the message in its memory that "
            "was noted. For proofs alone."
        ),
    ]
    taken: Annotated[
        Bool,
        _all("Some consumer with an ordered listener is `concerned`, or one without `has_or_asks`. For claims alone."),
    ]
    overtime: Annotated[
        Bool,
        _all(
            "A listener has returned from the message whose entry had left the table while it was called. For claims "
            "alone, as is the next one."
        ),
    ]
    excess: Annotated[
        Bool,
        _all(
            "A listener has returned from the message when one had already; nor was it `uncommitted`, nor `overtime`."
        ),
    ]
    finished: Annotated[
        Bool,
        _all(
            "A listener has returned from it whose work with it was done, or that gave it back to be retried. For "
            "claims alone, of Java."
        ),
    ]
    copied: Annotated[
        Int,
        _all(
            "What a replica of the broker has as the group's offset, -1 for none. Of Java without ordered listeners.",
            none=NONE,
        ),
    ]
    owned: Annotated[Bool, _all("Some consumer has had an entry. For claims alone, as are the next ones.")]
    awaited: Annotated[Bool, _all("The message has arrived when a consumer asked where to begin, or had an entry.")]
    had: Annotated[Bool, _all("It has arrived when a consumer had an entry that was not marked.")]
    begun: Annotated[
        Bool,
        _all("It has arrived when the first pull of such an entry had been answered; only with an ordered listener."),
    ]


@dataclass(frozen=True)
class Choices(Record):
    """What an action leaves open."""

    in_set: Annotated[
        Bool,
        Variable("The queue is still in mqSet: its entry goes only because no message was pulled for too long."),
    ]
    silent: Annotated[Bool, Variable("The broker does not answer the query: a timeout, no connection.")]
    error: Annotated[Bool, Variable('It answers with an error that is not "no offset is stored".')]
    zero: Annotated[Bool, Variable("Where no offset is stored it answers 0: the queue begins there, and is in memory.")]
    none: Annotated[Bool, Variable("The entry has no messages at all when the listener returns.")]
    more: Annotated[Bool, Variable("There are more of them: the one that is looked at stays, another one was meant.")]
    older: Annotated[Bool, Variable("The broker's answer is what was committed some time ago, an open number.")]
    held: Annotated[Bool, Variable("The listener is called with other messages of the entry.")]
    stale: Annotated[Bool, Variable("The broker's lock was not renewed for long.")]
    half: Annotated[Bool, Variable("The listener was interrupted, and returns as if its work were done.")]
    replica: Annotated[Bool, Variable("A replica is asked, or gets the commit, in the broker's place.")]
    offset: Annotated[Int, Variable("A number that is open.")]


@dataclass(frozen=True)
class Limits(Record):
    """What stays the same in a run."""

    message: Annotated[Int, Variable("The message's offset: any number, at least 0.")]
    from_where: Annotated[
        Int, Variable("`ConsumeFromWhere` of the group, as `WHERES` numbers it.", most=len(WHERES) - 1)
    ]


class Variant(Protocol):
    """What clients differ in."""

    @property
    def way(self) -> Way:
        """How its consumers go through the messages of a queue."""

    @property
    def step(self) -> Rebalance:
        """Its rebalance of one queue."""

    @property
    def heeds(self) -> bool:
        """With an ordered listener: it asks again where its first pull had no answer."""


def has_or_asks(s: Offsets) -> Bool:
    """It has an entry, or asks where one is to begin."""
    return Or(s.present, s.asking)


def concerned(s: Offsets) -> Bool:
    """It has something to do with the queue: an entry, a question, a call, something under way."""
    return Or(s.present, s.asking, s.late, s.recording, s.noting, s.sending, s.listed)


def done(s: Offsets) -> Bool:
    """The message is taken care of."""
    return Or(s.consumed, s.given)


def first(blank: Offsets, lim: Limits, client: Variant) -> Offsets:
    """A consumer that has nothing to do with the queue yet. What is shared then says a world."""
    return blank.but(memory=NO_OFFSET)
