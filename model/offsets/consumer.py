"""One consumer of one queue with a concurrent listener, as code: its table, offset store, and messages."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from rebalance_proofs.model.client.effects import PULL_REQUEST, UPDATE_OFFSET, Effect
from rebalance_proofs.model.client.environment import NOT_FOUND, Answers
from rebalance_proofs.model.client.process_queue import PULL_MAX_IDLE_TIME, ProcessQueue
from rebalance_proofs.model.offsets.broker import Broker
from rebalance_proofs.model.possible import Impossible, need
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.transition.drivers import NOW, Driver
from rebalance_proofs.model.transition.numbers import BROKER_ERROR, UNANSWERED

__all__ = ["QUEUE", "Call", "Commit", "Held", "OffsetsConsumer"]

QUEUE = MessageQueue("T", "broker-a", 0)


@dataclass
class Held:
    """The messages of an entry (``ProcessQueue``), and its pull request. Offsets are counted in messages."""

    entry: ProcessQueue
    began: int
    next: int
    """``PullRequest.nextOffset``."""
    tree: set[int] = field(default_factory=set)
    """``msgTreeMap``: messages that were pulled, and not taken out after consumption."""
    last: int = -1
    """``queueOffsetMax``: offset of the last message that was pulled; 0 after a reset."""
    reset: bool = False
    """Whether a reset of the queue's offset has marked the entry."""

    def clear(self) -> None:
        """Mark and empty the entry, as a reset does (``setDropped``, ``clear``)."""
        self.reset = self.entry.dropped = True
        self.tree.clear()
        self.last = 0

    def remove_message(self, offset: int) -> int:
        """Take the message out (``removeMessage``).

        Returns the first offset that is left, or the one behind the last; -1 if there was no message.
        """
        if not self.tree:
            return -1
        self.tree.discard(offset)
        return min(self.tree, default=self.last + 1)


@dataclass(frozen=True)
class Call:
    """A call of the listener with a message of an entry, under way."""

    held: Held
    offset: int
    begun_late: bool = False
    """Whether the entry had left the table before the call began."""


@dataclass(frozen=True)
class Commit:
    """An offset on its way to the broker; ``origin``: where the entry began for which it was sent."""

    offset: int
    origin: int


class OffsetsConsumer:
    """A push consumer with a ``MessageListenerConcurrently``.

    Each of its actions is a method, which raises ``Impossible`` if the action is not possible now.
    """

    driver: Driver
    holds: type[Held] = Held
    """Class of an entry's messages."""
    queue = QUEUE
    """The queue that all actions are about."""

    def __init__(self, driver: Driver, broker: Broker) -> None:
        self.driver, self.broker = driver, broker
        self.held: Held | None = None
        """Messages of the queue's entry in ``processQueueTable``; None if there is no entry."""
        self.calls: list[Call] = []
        self.noted: list[int] = []
        """Offsets that have passed their checks and are about to be put into the memory; the newest first."""
        self.answer: int | None = None
        """Answer that a rebalance is about to hear to its query for the offset, a number of ``model.transition``; None
        if it has not asked."""
        self.commits_under_way: list[Commit] = []
        """Commits on their way to the broker; the newest first."""
        self.persisting: frozenset[MessageQueue] | None = None
        """Queues that ``persistAll`` was given, while it is under way and not through with this queue; None
        otherwise."""
        self.last_began = 0
        """Offset at which the queue's last entry began."""
        self.aim: int | None = None
        """Offset of the reset that is under way, or of the last one; None before any."""
        self.rewound = self.aimed = False
        """Whether the reset has put its offset into the memory; whether it has sent it, and the consumer has not asked
        since."""
        self.missed = self.ignored = False
        """Whether a reset has sent another offset than its own; whether the consumer then asked, and heard another one.
        For claims."""
        self.closed = False
        """Whether it was shut down, or its process has ended."""
        self.uncommitted: set[int] = set()
        """Messages that had been consumed and were not committed when it last asked where to begin. For claims."""
        self.interrupted = False
        """Whether shutdown() has interrupted the threads of its listeners."""
        self.cut: set[int] = set()
        """Messages with which the listeners were called when they were interrupted."""

    @property
    def concerned(self) -> bool:
        """Whether it has an entry of the queue, or asks where one is to begin."""
        return self.held is not None or self.answer is not None

    @property
    def listed(self) -> bool:
        """Whether ``persistAll`` is under way, and was given the queue."""
        return self.persisting is not None and self.queue in self.persisting

    @property
    def begun(self) -> bool:
        """Whether its entry's first pull, which asks for the offset again, was answered; a concurrent listener has
        none."""
        return False

    @property
    def memory(self) -> int | None:
        """The queue's offset in ``offsetTable``; None if it has none."""
        return self.driver.memory.get(self.queue)

    @property
    def began(self) -> int | None:
        """Offset at which the queue's entry began; None if there is no entry."""
        return self.held.began if self.held else None

    def entry(self, *, dropped: bool) -> ProcessQueue:
        """A new entry for its table."""
        return ProcessQueue(dropped=dropped)

    def _of_entry(self) -> Held:
        if self.held is None:
            raise Impossible
        return self.held

    def _call(self, offset: int, *, late: bool) -> Call:
        for call in self.calls:
            if call.offset == offset and (call.held is not self.held) is late:
                return call
        raise Impossible

    def _answered(self, *, silent: bool, error: bool, zero: bool, replica: bool = False) -> int:
        none = 0 if zero else NOT_FOUND
        found = self.broker.offset_in(self.broker.copied) if replica else self.broker.stored
        stored = none if found is None else found
        return UNANSWERED if silent else BROKER_ERROR if error else stored

    def asks(self, *, silent: bool = False, error: bool = False, zero: bool = False, replica: bool = False) -> None:
        """A rebalance finds a new queue, and queries its offset (``queryConsumerOffset``).

        ``replica``: the route has no master, and a replica is asked.
        """
        need(self.held is None and self.answer is None and not self.closed)
        self.answer = self._answered(silent=silent, error=error, zero=zero, replica=replica)
        if self.aimed and self.answer not in (self.aim, UNANSWERED):
            self.ignored = True
        self.aimed = False
        self.uncommitted = self.broker.uncommitted()

    def adds(self, *, offset: int | None = None) -> None:
        """The rebalance hears the answer (``updateProcessQueueTableInRebalance``).

        ``offset``: what a search by time finds; None for the end of the queue.
        """
        need(self.answer is not None)
        assert self.answer is not None
        queried = self.broker.end if offset is None else offset
        answers, self.answer = Answers(stored=self._heard(self.answer), queried=queried), None
        self.rebalanced(self.driver.update({self.queue: answers}, self.queue.topic, [self.queue]).effects)

    def rebalanced(self, effects: Iterable[Effect]) -> None:
        """Follow the effects of a rebalance on the queue: offsets that were sent, and an entry that has gone, or is
        new."""
        own = [(name, *details) for name, queue, *details in effects if queue == self.queue]
        # The same offset sent twice in a row changes nothing more.
        for offset in dict.fromkeys(int(str(details[0])) for name, *details in own if name == UPDATE_OFFSET):
            self._send(offset, self._of_entry().began)
        self._gone()
        for name, *details in own:
            if name == PULL_REQUEST:
                begin = int(str(details[0]))
                self.held = self.holds(self.driver.table[self.queue], begin, begin)
                self.broker.owned = True

    def arrives(self, *, message: int) -> None:
        """A producer sends the message; for claims, what this consumer has at that time is recorded."""
        broker, held = self.broker, self.held
        need(broker.end == message)
        broker.end += 1
        has = held is not None and not held.entry.dropped
        broker.awaited |= {message} if held is not None or self.answer is not None else set()
        broker.had |= {message} if has else set()
        broker.begun |= {message} if has and self.begun else set()

    def _heard(self, answer: int) -> int | str:
        """The answer as the client's code passes it on; clients differ in that."""
        return answer

    def pulls(self, *, offset: int, found: Collection[int]) -> None:
        """A pull is answered with the messages ``found``; the next one is from ``offset`` on."""
        self._pulled(self._of_entry(), offset, found)

    def _pulled(self, held: Held, offset: int, found: Collection[int]) -> None:
        need(held.next < offset <= self.broker.end and all(held.next <= one < offset for one in found))
        held.next = offset
        if found:
            held.tree |= set(found)
            held.last = max(found)

    def starts(self, *, message: int) -> None:
        """``ConsumeMessageConcurrentlyService.ConsumeRequest.run``, from its check to the call."""
        held = self._of_entry()
        called = any(call.held is held and call.offset == message for call in self.calls)
        need(not held.entry.dropped and message in held.tree and not called and not self.interrupted)
        self.calls.append(Call(held, message))

    def ends(self, *, message: int, half: bool = False) -> None:
        """The listener returns; if the entry is not dropped, ``processConsumeResult`` follows.

        ``half``: the listener was interrupted, and returns as if its work were done.
        """
        self._worked(message, half=half)
        self._ended(self._call(message, late=False))

    def ends_late(self, *, message: int, half: bool = False) -> None:
        """The listener returns from a call for an entry that has left the table."""
        self._worked(message, half=half)
        self._ended(self._call(message, late=True))

    def returns_interrupted(self, *, message: int, half: bool = False) -> None:
        """The listener returns with its thread's interrupt status set: ``removeMessage`` returns -1."""
        need(message in self.cut)
        self._worked(message, half=half)
        self._returned(self._call(message, late=False))

    def _worked(self, message: int, *, half: bool) -> None:
        need(message in self.cut or not half)
        if not half:
            self.broker.finished.add(message)

    def interrupts(self) -> None:
        """``ThreadUtils.shutdownGracefully`` has waited, and calls ``shutdownNow``."""
        need(not self.interrupted and not self.closed)
        self.interrupted, self.cut = True, {call.offset for call in self.calls}

    def _returned(self, call: Call) -> None:
        """Note that the listener has returned from the message."""
        broker, message, late = self.broker, call.offset, call.held is not self.held
        self.calls.remove(call)
        if late and not call.begun_late:
            broker.overtime.add(message)
        known = message in broker.overtime or (not late and message in self.uncommitted)
        if broker.consumed[message] and not known:
            broker.excess.add(message)
        broker.consumed[message] += 1

    def _ended(self, call: Call) -> None:
        self._returned(call)
        if not call.held.entry.dropped:
            offset = call.held.remove_message(call.offset)
            if offset >= 0:
                self.noted.insert(0, offset)

    def cleans(self, *, message: int) -> None:
        """``cleanExpiredMsg`` gives the first message back: the listener has had it for longer than
        ``consumeTimeout``."""
        held = self._of_entry()
        need(message in held.tree and message == min(held.tree))
        held.tree.discard(message)
        self.broker.given.add(message)

    def others(self, *, message: int) -> None:
        """The listener returns from a message other than the one that is looked at; the entry is not dropped."""
        need(not self._of_entry().entry.dropped)
        self.ends(message=message)

    def fails(self, *, message: int) -> None:
        """The listener returns, but the message can neither be counted as consumed nor given back."""
        self.calls.remove(self._call(message, late=False))

    def empty(self) -> None:
        """A pull has found nothing, and the entry has no messages: its next offset is to be recorded
        (``correctTagsOffset``)."""
        held = self._of_entry()
        need(not held.tree)
        self.noted.insert(0, held.next)

    def records(self) -> None:
        """The newest offset that is about to be recorded is put into the memory: ``updateOffset(mq, offset,
        increaseOnly)``."""
        need(bool(self.noted))
        self.driver.memory[self.queue] = max(self.noted.pop(0), self.driver.memory.get(self.queue, -1))

    def _send(self, offset: int, origin: int) -> None:
        self.commits_under_way.insert(0, Commit(offset, origin))

    def copies(self) -> None:
        """``persistConsumerOffset`` copies the table's queues for ``persistAll``; every 5 s, in a thread of its own."""
        need(self.persisting is None and not self.closed)
        self.persisting = frozenset(self.driver.table)

    def finishes(self) -> None:
        """``persistAll`` ends, or is through with the queue."""
        need(self.persisting is not None)
        self.persisting = None

    def sends(self) -> None:
        """The memory's offset is sent with a pull, or by a ``persistAll`` that was given the queue, even if its entry
        has gone."""
        if self.memory is None:
            raise Impossible
        if self.held is not None:
            self._send(self.memory, self.held.began)
        else:
            need(self.listed)
            self._send(self.memory, self.last_began)
            self.persisting = None

    def commits(self, *, replica: bool = False) -> None:
        """The newest commit arrives at the broker, or at its replica."""
        need(bool(self.commits_under_way))
        offset = self.commits_under_way.pop(0).offset
        if replica:
            self.broker.copied = offset
        else:
            self.broker.commit_offset(offset)

    def replicates(self) -> None:
        """The broker's replica is told what is committed."""
        self.broker.sync_consumer_offset()

    def swaps(self) -> None:
        """The replica takes the broker's place."""
        self.broker.swap()

    def marks(self) -> None:
        """A rebalance has marked the entry, and not yet removed it."""
        held = self._of_entry()
        need(not held.entry.dropped)
        held.entry.dropped = True

    def revokes(self, *, in_set: bool = False, **locks: bool) -> None:
        """A rebalance takes the entry away.

        ``in_set``: the queue is still the consumer's, but no message was pulled for too long; ``locks``: state of the
        entry's locks, for a consumer that has them.
        """
        held = self._of_entry()
        held.entry.last_pull_timestamp = NOW - (PULL_MAX_IDLE_TIME + 1 if in_set else 0)
        answers = {self.queue: Answers(stored=UNANSWERED)}
        self.rebalanced(self.driver.update(answers, self.queue.topic, [self.queue] if in_set else []).effects)

    @property
    def resetting(self) -> bool:
        """Whether a reset has marked the entry in the table."""
        return self.held is not None and self.held.reset

    def suspends(self, *, offset: int) -> None:
        """``resetOffset`` to ``offset`` begins: the entry is marked, and ``ProcessQueue.clear`` empties it."""
        held = self._of_entry()
        need(not held.reset and 0 <= offset <= self.broker.end)
        self.aim, self.rewound, self.aimed = offset, False, False
        held.clear()

    def rewinds(self) -> None:
        """``updateConsumeOffset``, after ten seconds: the reset puts its offset into the memory."""
        need(self.resetting and not self.rewound)
        assert self.aim is not None
        self.driver.memory[self.queue], self.rewound = self.aim, True

    def retires(self, **locks: bool) -> None:
        """``removeUnnecessaryMessageQueue``, and ``iterator.remove`` whatever it returns: the offset is sent, the entry
        goes."""
        need(self.resetting and self.rewound)
        if self.memory != self.aim:
            self.missed = True
        self.revokes(**locks)
        self.driver.table.pop(self.queue, None)
        self._gone()
        self.rewound, self.aimed = False, True

    def unsubscribes(self) -> None:
        """``truncateMessageQueueNotMyTopic``: the topic is not subscribed any more."""
        self._of_entry()
        self.driver.unsubscribe()
        self._gone()

    def _gone(self) -> None:
        if self.queue not in self.driver.table:
            self._left()

    def _left(self) -> None:
        if self.held is not None:
            self.last_began, self.held, self.rewound = self.held.began, None, False

    def forgets(self) -> None:
        """``persistAll``, after its loop, removes the offset of a queue that it was not given, even if that has an
        entry by then."""
        need(self.persisting is not None and self.queue not in self.persisting and self.memory is not None)
        del self.driver.memory[self.queue]
        self.persisting = None

    def shuts(self) -> None:
        """``shutdown``: ``persistConsumerOffset``, and then the table is emptied."""
        need(self.answer is None and not self.closed)
        if self.held is not None and self.memory is not None:
            self._send(self.memory, self.held.began)
        self._closes()

    def _closes(self) -> None:
        if self.held is not None:
            self.held.entry.dropped = True
        self.driver.table.clear()
        self._left()
        self.closed = True

    def crashes(self) -> None:
        """The process ends; what was sent may still arrive."""
        need(not self.closed)
        self._closes()
        self.calls.clear()
        self.noted.clear()
        self.driver.memory.clear()
        self.answer = self.persisting = None
        self.aimed = False
