"""Python code of a concurrent consumer of one queue: its table, offset store and messages."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from rebalance_proofs.model.client.effects import PULL_REQUEST, UPDATE_OFFSET, Effect
from rebalance_proofs.model.client.environment import NOT_FOUND, Answers
from rebalance_proofs.model.client.process_queue_table import PULL_MAX_IDLE_TIME, ProcessQueue
from rebalance_proofs.model.offsets.broker import Broker
from rebalance_proofs.model.possible import Impossible, need
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.transition.drivers import NOW, Driver
from rebalance_proofs.model.transition.numbers import BROKER_ERROR, UNANSWERED

QUEUE = MessageQueue("T", "broker-a", 0)


@dataclass
class Held:
    """Messages of a process queue (``ProcessQueue``), and its pull request.

    Offsets are counted in messages.
    """

    entry: ProcessQueue
    began: int
    next: int
    """Offset of the next pull, ``PullRequest.nextOffset``."""
    tree: set[int] = field(default_factory=set)
    """``msgTreeMap``: messages that were pulled and not removed after consumption."""
    last: int = -1
    """``queueOffsetMax``: offset of the last pulled message; 0 after a reset.

    It is the highest one only if pulled messages come in the order of their offsets (rocketmq#10870).
    """
    reset: bool = False
    """Whether an offset reset has dropped the process queue."""

    def clear(self) -> None:
        """Drop and clear the process queue, as a reset does (``setDropped``, ``clear``)."""
        self.reset = self.entry.dropped = True
        self.tree.clear()
        self.last = 0

    def remove_message(self, offset: int) -> int:
        """Remove the message (``removeMessage``).

        Returns the first offset that is left, or the one after the last; -1 if there was no message.
        """
        if not self.tree:
            return -1
        self.tree.discard(offset)
        return min(self.tree, default=self.last + 1)


@dataclass(frozen=True)
class Call:
    """A running call of the listener with one message of a process queue."""

    held: Held
    offset: int
    begun_late: bool = False
    """Whether the process queue had left the table before the call began."""


@dataclass(frozen=True)
class Commit:
    """A commit in flight to the broker; ``origin``: start offset of its process queue."""

    offset: int
    origin: int


class OffsetsConsumer:
    """A push consumer with a ``MessageListenerConcurrently``, for one queue and one message.

    Each action of the machine is a method, which raises ``Impossible`` if the action is impossible in the present
    state.
    """

    driver: Driver
    holds: type[Held] = Held
    """Class of the object that has a process queue's messages."""
    queue = QUEUE
    """The queue that all actions concern."""

    def __init__(self, driver: Driver, broker: Broker) -> None:
        self.driver, self.broker = driver, broker
        self.held: Held | None = None
        """Messages of the process queue in ``processQueueTable``; None if there is no process queue."""
        self.calls: list[Call] = []
        self.noted: list[int] = []
        """Offsets that have passed their checks but are not in memory yet; the newest first."""
        self.answer: int | None = None
        """Encoded answer to the start-offset query of a running rebalance.

        The encoding is that of ``model.transition.numbers``. None if no query is running.
        """
        self.commits_under_way: list[Commit] = []
        """Commits in flight to the broker; the newest first."""
        self.persisting: frozenset[MessageQueue] | None = None
        """Queues that a running ``persistAll`` has listed; None if none runs.

        It is None, too, after ``persistAll`` has handled this queue.
        """
        self.last_began = 0
        """Start offset of the newest process queue that the queue has had."""
        self.aim: int | None = None
        """Target offset of the running or last offset reset; None before any."""
        self.rewound = self.aimed = False
        """``rewound``: whether a running reset has written its offset to memory.

        ``aimed``: whether a reset's offset was sent to the broker and no offset query has followed.
        """
        self.missed = self.ignored = False
        """``missed``: whether a reset has sent another offset than its target.

        ``ignored``: whether the next offset query then returned another offset. Both are for claims only.
        """
        self.closed = False
        """Whether the consumer was shut down, or its process has ended."""
        self.uncommitted: set[int] = set()
        """Messages that were consumed but not committed at the last offset query. For claims only."""
        self.interrupted = False
        """Whether shutdown() has interrupted the listener threads."""
        self.cut: set[int] = set()
        """Messages whose listener calls shutdown() has interrupted."""

    @property
    def concerned(self) -> bool:
        """Whether the consumer has a process queue or queries its start offset."""
        return self.held is not None or self.answer is not None

    @property
    def listed(self) -> bool:
        """Whether a running ``persistAll`` will send the queue's offset: it has listed the queue."""
        return self.persisting is not None and self.queue in self.persisting

    @property
    def begun(self) -> bool:
        """Whether the second offset query of an ordered first pull was answered; always False here."""
        return False

    @property
    def memory(self) -> int | None:
        """The queue's offset in ``offsetTable``; None if there is none."""
        return self.driver.memory.get(self.queue)

    @property
    def began(self) -> int | None:
        """Start offset of the process queue; None if there is no process queue."""
        return self.held.began if self.held else None

    def entry(self, *, dropped: bool) -> ProcessQueue:
        """Return a new entry for ``processQueueTable``."""
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
        """A rebalance finds a new queue and queries its offset (``queryConsumerOffset``).

        ``replica``: the route has no master, and a replica answers.
        """
        need(self.held is None and self.answer is None and not self.closed)
        self.answer = self._answered(silent=silent, error=error, zero=zero, replica=replica)
        if self.aimed and self.answer not in (self.aim, UNANSWERED):
            self.ignored = True
        self.aimed = False
        self.uncommitted = self.broker.uncommitted()

    def adds(self, *, offset: int | None = None) -> None:
        """The rebalance receives the answer (``updateProcessQueueTableInRebalance``).

        ``offset``: result of a search by time; None for the end of the queue.
        """
        need(self.answer is not None)
        assert self.answer is not None
        queried = self.broker.end if offset is None else offset
        answers, self.answer = Answers(stored=self._heard(self.answer), queried=queried), None
        self.rebalanced(self.driver.update({self.queue: answers}, self.queue.topic, [self.queue]).effects)

    def rebalanced(self, effects: Iterable[Effect]) -> None:
        """Apply a rebalance's effects on the queue: send offsets, add or remove the process queue."""
        own = [(name, *details) for name, queue, *details in effects if queue == self.queue]
        # The same offset sent twice in a row makes no further change.
        for offset in dict.fromkeys(int(str(details[0])) for name, *details in own if name == UPDATE_OFFSET):
            self._send(offset, self._of_entry().began)
        self._gone()
        for name, *details in own:
            if name == PULL_REQUEST:
                begin = int(str(details[0]))
                self.held = self.holds(self.driver.table[self.queue], begin, begin)
                self.broker.owned = True

    def arrives(self, *, message: int) -> None:
        """A producer sends the message to the queue.

        For claims, the consumer's state at that time is recorded.
        """
        broker, held = self.broker, self.held
        need(broker.end == message)
        broker.end += 1
        has = held is not None and not held.entry.dropped
        broker.awaited |= {message} if held is not None or self.answer is not None else set()
        broker.had |= {message} if has else set()
        broker.begun |= {message} if has and self.begun else set()

    def _heard(self, answer: int) -> int | str:
        """Return the encoded answer to an offset query in the form that the client's code expects."""
        return answer

    def pulls(self, *, offset: int, found: Collection[int]) -> None:
        """A pull returns the messages ``found``; the next pull starts at ``offset``."""
        self._pulled(self._of_entry(), offset, found)

    def _pulled(self, held: Held, offset: int, found: Collection[int]) -> None:
        need(held.next < offset <= self.broker.end and all(held.next <= one < offset for one in found))
        held.next = offset
        if found:
            held.tree |= set(found)
            held.last = max(found)

    def starts(self, *, message: int) -> None:
        """The listener is called with the message if its process queue is not dropped.

        Mirror of ``ConsumeMessageConcurrentlyService.ConsumeRequest.run``.
        """
        held = self._of_entry()
        called = any(call.held is held and call.offset == message for call in self.calls)
        need(not held.entry.dropped and message in held.tree and not called and not self.interrupted)
        self.calls.append(Call(held, message))

    def ends(self, *, message: int, half: bool = False) -> None:
        """The listener returns.

        If the process queue is not dropped, ``processConsumeResult`` follows. ``half``: the interrupted
        listener returns success although its work is not done.
        """
        self._worked(message, half=half)
        self._ended(self._call(message, late=False))

    def ends_late(self, *, message: int, half: bool = False) -> None:
        """The listener returns from a call for a process queue that has left the table."""
        self._worked(message, half=half)
        self._ended(self._call(message, late=True))

    def returns_interrupted(self, *, message: int, half: bool = False) -> None:
        """The listener returns while its thread is interrupted: ``removeMessage`` returns -1."""
        need(message in self.cut)
        self._worked(message, half=half)
        self._returned(self._call(message, late=False))

    def _worked(self, message: int, *, half: bool) -> None:
        need(message in self.cut or not half)
        if not half:
            self.broker.finished.add(message)

    def interrupts(self) -> None:
        """shutdown() stops waiting for the listeners and interrupts their threads.

        Mirror of ``ThreadUtils.shutdownGracefully``, which calls ``shutdownNow``.
        """
        need(not self.interrupted and not self.closed)
        self.interrupted, self.cut = True, {call.offset for call in self.calls}

    def _returned(self, call: Call) -> None:
        """Record, for claims, that the listener has returned from the message."""
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
        """The first message is sent back to the broker (``cleanExpiredMsg``).

        The listener had it for longer than ``consumeTimeout``.
        """
        held = self._of_entry()
        need(message in held.tree and message == min(held.tree))
        held.tree.discard(message)
        self.broker.given.add(message)

    def others(self, *, message: int) -> None:
        """The listener returns from a message other than the observed one.

        The process queue is not dropped.
        """
        need(not self._of_entry().entry.dropped)
        self.ends(message=message)

    def fails(self, *, message: int) -> None:
        """The listener returns, but the message is neither consumed nor sent back."""
        self.calls.remove(self._call(message, late=False))

    def empty(self) -> None:
        """A pull finds no message and the process queue is empty: its next offset is to be recorded.

        See ``correctTagsOffset``.
        """
        held = self._of_entry()
        need(not held.tree)
        self.noted.insert(0, held.next)

    def records(self) -> None:
        """The newest pending offset is recorded in memory.

        Mirror of ``updateOffset(mq, offset, increaseOnly)``.
        """
        need(bool(self.noted))
        self.driver.memory[self.queue] = max(self.noted.pop(0), self.driver.memory.get(self.queue, -1))

    def _send(self, offset: int, origin: int) -> None:
        self.commits_under_way.insert(0, Commit(offset, origin))

    def copies(self) -> None:
        """``persistConsumerOffset`` copies the table's queues for ``persistAll``.

        This happens every 5 s in a separate thread.
        """
        need(self.persisting is None and not self.closed)
        self.persisting = frozenset(self.driver.table)

    def finishes(self) -> None:
        """``persistAll`` ends, or is done with this queue."""
        need(self.persisting is not None)
        self.persisting = None

    def sends(self) -> None:
        """The offset in memory is sent with a pull or by ``persistAll``.

        A ``persistAll`` that has listed the queue sends it even after the process queue was removed.
        """
        if self.memory is None:
            raise Impossible
        if self.held is not None:
            self._send(self.memory, self.held.began)
        else:
            need(self.listed)
            self._send(self.memory, self.last_began)
            self.persisting = None

    def commits(self, *, replica: bool = False) -> None:
        """The newest commit reaches the broker or its replica."""
        need(bool(self.commits_under_way))
        offset = self.commits_under_way.pop(0).offset
        if replica:
            self.broker.copied = offset
        else:
            self.broker.commit_offset(offset)

    def replicates(self) -> None:
        """The broker's replica copies the committed offset."""
        self.broker.sync_consumer_offset()

    def swaps(self) -> None:
        """The replica takes over from the broker."""
        self.broker.swap()

    def marks(self) -> None:
        """A rebalance drops the process queue; it stays in the table for now."""
        held = self._of_entry()
        need(not held.entry.dropped)
        held.entry.dropped = True

    def revokes(self, *, in_set: bool = False, **locks: bool) -> None:
        """A rebalance removes the process queue.

        ``in_set``: the consumer still owns the queue, but no message was pulled for too long. ``locks``: state of the
        process queue's locks, for a consumer that has them.
        """
        held = self._of_entry()
        held.entry.last_pull_timestamp = NOW - (PULL_MAX_IDLE_TIME + 1 if in_set else 0)
        answers = {self.queue: Answers(stored=UNANSWERED)}
        self.rebalanced(self.driver.update(answers, self.queue.topic, [self.queue] if in_set else []).effects)

    @property
    def resetting(self) -> bool:
        """Whether a reset has dropped the process queue in the table."""
        return self.held is not None and self.held.reset

    def suspends(self, *, offset: int) -> None:
        """A reset to ``offset`` begins: the process queue is dropped and cleared."""
        held = self._of_entry()
        need(not held.reset and 0 <= offset <= self.broker.end)
        self.aim, self.rewound, self.aimed = offset, False, False
        held.clear()

    def rewinds(self) -> None:
        """The reset writes its offset to memory, after its wait (``updateConsumeOffset``)."""
        need(self.resetting and not self.rewound)
        assert self.aim is not None
        self.driver.memory[self.queue], self.rewound = self.aim, True

    def retires(self, **locks: bool) -> None:
        """The offset is sent and the process queue removed, as the end of a reset.

        Mirror of ``removeUnnecessaryMessageQueue`` and ``iterator.remove``. The removal does not depend on the
        first method's result.
        """
        need(self.resetting and self.rewound)
        if self.memory != self.aim:
            self.missed = True
        self.revokes(**locks)
        self.driver.table.pop(self.queue, None)
        self._gone()
        self.rewound, self.aimed = False, True

    def unsubscribes(self) -> None:
        """``truncateMessageQueueNotMyTopic``: the consumer has unsubscribed from the topic."""
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
        """After its loop, ``persistAll`` removes the offset of a queue that it has not listed.

        The queue may have a process queue by then.
        """
        need(self.persisting is not None and self.queue not in self.persisting and self.memory is not None)
        del self.driver.memory[self.queue]
        self.persisting = None

    def shuts(self) -> None:
        """The consumer sends its offsets, and then its table is cleared.

        Mirror of ``shutdown`` and ``persistConsumerOffset``.
        """
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
        """The process ends; requests in flight may still arrive."""
        need(not self.closed)
        self._closes()
        self.calls.clear()
        self.noted.clear()
        self.driver.memory.clear()
        self.answer = self.persisting = None
        self.aimed = False
