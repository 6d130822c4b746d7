"""The state of one queue, as terms: one consumer's part of it, and what all share."""

from dataclasses import dataclass

import z3

from rebalance_proofs.model.terms.truth import NO
from rebalance_proofs.model.transition.numbers import NO_OFFSET

__all__ = ["NONE", "Consumer", "Queue", "Said", "State", "Turn", "nothing"]

NONE = -1
"""In the place of the broker's offset: none is committed."""


@dataclass(frozen=True)
class Consumer:
    """One consumer's part. The message is the one of which ``State`` speaks."""

    present: z3.BoolRef
    """The queue has an entry in ``processQueueTable``."""
    dropped: z3.BoolRef
    began: z3.ArithRef
    """The offset at which the entry began to pull."""
    next: z3.ArithRef
    """The offset that the entry pulls next (``PullRequest.nextOffset``)."""
    cached: z3.BoolRef
    """The entry has the message: pulled, and not taken out."""
    runs: z3.BoolRef
    """The listener is called with the message, for the entry."""
    late: z3.BoolRef
    """The same, for an entry that has left the table; any one, where there are several."""
    memory: z3.ArithRef
    """The queue's offset in the consumer's ``offsetTable``; ``NO_OFFSET`` for none."""
    recording: z3.BoolRef
    """An offset is about to be put into the memory: whoever does it has made its checks; any one of several."""
    recorded: z3.ArithRef
    """That offset."""
    asking: z3.BoolRef
    """A rebalance has asked for the queue's offset, and the broker has answered, or will not."""
    answer: z3.ArithRef
    """What it hears, in the numbers of ``model.transition``."""
    known: z3.ArithRef
    """What was committed when the rebalance asked. For proofs alone."""
    sending: z3.BoolRef
    """A commit is under way to the broker; any one of several."""
    sent: z3.ArithRef
    """Its offset."""
    origin: z3.ArithRef
    """Where the entry began that had it sent. For proofs alone."""
    closed: z3.BoolRef
    """The consumer was shut down, or its process has ended."""
    listed: z3.BoolRef
    """``persistAll`` is under way, and was told of the queue: the consumer had an entry of it when
    ``persistConsumerOffset`` copied the table's queues. This one and the next: only in Java; elsewhere it is one
    step."""
    unlisted: z3.BoolRef
    """It is under way, and was not told of it: what is in memory of the queue is to be removed."""
    resetting: z3.BoolRef
    """The entry is marked and emptied by a reset of the queue's offset. This one and the next ones: only in Java."""
    rewound: z3.BoolRef
    """The reset has put its offset into the memory."""
    aim: z3.ArithRef
    """That offset."""
    aimed: z3.BoolRef
    """The reset has sent it, and the consumer has not asked where to begin since."""
    missed: z3.BoolRef
    """A reset has sent another offset than it was told, or none. For claims alone, as is the next one."""
    ignored: z3.BoolRef
    """When the consumer asked where to begin, after a reset had sent its offset, the answer was another one."""
    fixed: z3.BoolRef
    """The entry's first pull has asked for the offset once more (``PullRequest.previouslyLocked``). From here on: only
    of a consumer with an ordered listener."""
    stands: z3.ArithRef
    """The offset behind the last batch that the listener has returned from; at first, where the entry began."""
    noting: z3.BoolRef
    """The listener has returned from a batch, and the offset behind it is about to be put into the memory, whatever
    that has; there is one at most, because no other batch is begun before."""
    noted: z3.ArithRef
    """That offset."""
    owed: z3.BoolRef
    """The listener has returned from the message for the entry, whose offset is not in memory yet. For proofs alone, of
    a consumer with an ordered listener."""
    lingers: z3.BoolRef
    """The consumer goes on with messages of an entry that has left the table; any one, where there are several. From
    here on: only of a consumer that consumes in one loop."""
    left_next: z3.ArithRef
    """Of that entry: the offset behind its last message."""
    left_cached: z3.BoolRef
    """It has the message."""
    left_owed: z3.BoolRef
    """Its listener has returned from the message, whose offset is not in memory yet; ``late``: is called with it."""
    begun_late: z3.BoolRef
    """That call has begun when the entry had left."""
    uncommitted: z3.BoolRef
    """When the consumer asked where to begin, the message had been consumed, and was not committed. For claims alone,
    of a consumer without an ordered listener."""
    interrupted: z3.BoolRef
    """shutdown() has interrupted the threads of its listeners. Of Java alone, as is the next one."""
    cut: z3.BoolRef
    """A call with the message is among those that were interrupted."""
    remains: z3.BoolRef
    """Such a call has returned with its thread's interrupt status set, and the batch with the message was not noted: it
    stands in ``consumingMsgOrderlyTreeMap``, and the next ``commit`` is behind it, too. Only with an ordered
    listener."""

    @property
    def has_or_asks(self) -> z3.BoolRef:
        """It has an entry, or asks where one is to begin."""
        return z3.Or(self.present, self.asking)

    @property
    def concerned(self) -> z3.BoolRef:
        """It has something to do with the queue: an entry, a question, a call, something under way."""
        return z3.Or(self.present, self.asking, self.late, self.recording, self.noting, self.sending, self.listed)


@dataclass(frozen=True)
class Queue:
    """What consumers share: the broker's, and what has become of the message."""

    committed: z3.ArithRef
    """The group's offset at the broker, ``NONE`` for none."""
    end: z3.ArithRef
    """``maxOffset``: one more than the last message's."""
    consumed: z3.BoolRef
    """A listener has returned from the message, which is consumed then, or given back to be retried."""
    given: z3.BoolRef
    """It was given back to be retried because its listener took too long."""
    again: z3.BoolRef
    """A listener has returned from it when one had already."""
    back: z3.BoolRef
    """The last commit has set the offset back."""
    kept: z3.BoolRef
    """A consumer with an entry, and an ordered listener, had an offset behind the message in its memory that was noted.
    For proofs alone."""
    taken: z3.BoolRef
    """Some consumer with an ordered listener is ``concerned``, or one without ``has_or_asks``. For claims alone."""
    overtime: z3.BoolRef
    """A listener has returned from the message whose entry had left the table while it was called. For claims alone, as
    is the next one."""
    excess: z3.BoolRef
    """A listener has returned from the message when one had already; nor was it ``uncommitted``, nor ``overtime``."""
    finished: z3.BoolRef
    """A listener has returned from it whose work with it was done, or that gave it back to be retried. For claims
    alone, of Java."""
    copied: z3.ArithRef
    """What a replica of the broker has as the group's offset, ``NONE`` for none. Of Java without ordered listeners."""
    owned: z3.BoolRef
    """Some consumer has had an entry. For claims alone, as are the next ones."""
    awaited: z3.BoolRef
    """The message has arrived when a consumer asked where to begin, or had an entry."""
    had: z3.BoolRef
    """It has arrived when a consumer had an entry that was not marked."""
    begun: z3.BoolRef
    """It has arrived when the first pull of such an entry had been answered; only with an ordered listener."""

    @property
    def done(self) -> z3.BoolRef:
        """The message is taken care of."""
        return z3.Or(self.consumed, self.given)


@dataclass(frozen=True)
class State:
    """What one consumer's action depends on."""

    me: Consumer
    queue: Queue
    message: z3.ArithRef
    """Its offset: any number, at least 0."""
    where: z3.ArithRef
    """``ConsumeFromWhere`` of the group, as ``WHERES`` numbers it."""


@dataclass(frozen=True)
class Said:
    """What an action leaves open."""

    in_set: z3.BoolRef
    """The queue is still in mqSet: its entry goes only because no message was pulled for too long."""
    silent: z3.BoolRef
    """The broker does not answer the query: a timeout, no connection."""
    error: z3.BoolRef
    """It answers with an error that is not "no offset is stored"."""
    zero: z3.BoolRef
    """Where no offset is stored it answers 0: the queue begins there, and is in memory."""
    none: z3.BoolRef
    """The entry has no messages at all when the listener returns."""
    more: z3.BoolRef
    """There are more of them: the one that is looked at stays, another one was meant."""
    older: z3.BoolRef
    """The broker's answer is what was committed some time ago, an open number."""
    held: z3.BoolRef
    """The listener is called with other messages of the entry."""
    stale: z3.BoolRef
    """The broker's lock was not renewed for long."""
    half: z3.BoolRef
    """The listener was interrupted, and returns as if its work were done."""
    replica: z3.BoolRef
    """A replica is asked, or gets the commit, in the broker's place."""
    offset: z3.ArithRef
    """A number that is open."""


@dataclass(frozen=True)
class Turn:
    """One action."""

    can: z3.BoolRef
    """It is possible."""
    after: State


def nothing() -> Consumer:
    """A consumer that has nothing to do with the queue yet."""
    zero, no_offset = z3.IntVal(0), z3.IntVal(NO_OFFSET)
    return Consumer(
        present=NO,
        dropped=NO,
        began=zero,
        next=zero,
        cached=NO,
        runs=NO,
        late=NO,
        memory=no_offset,
        recording=NO,
        recorded=zero,
        asking=NO,
        answer=zero,
        known=zero,
        sending=NO,
        sent=zero,
        origin=zero,
        closed=NO,
        listed=NO,
        unlisted=NO,
        resetting=NO,
        rewound=NO,
        aim=zero,
        aimed=NO,
        missed=NO,
        ignored=NO,
        fixed=NO,
        stands=zero,
        noting=NO,
        noted=zero,
        owed=NO,
        lingers=NO,
        left_next=zero,
        left_cached=NO,
        left_owed=NO,
        begun_late=NO,
        uncommitted=NO,
        interrupted=NO,
        cut=NO,
        remains=NO,
    )
