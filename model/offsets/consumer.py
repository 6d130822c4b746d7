"""One consumer of one queue with a concurrent listener, as code: the client's table and store, and its messages."""

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
    """The messages of an entry (``ProcessQueue``), and its pull request. Offsets are in messages."""

    entry: ProcessQueue
    began: int
    next: int
    """``PullRequest.nextOffset``."""
    tree: set[int] = field(default_factory=set)
    """``msgTreeMap``: pulled, and not taken out after consumption."""
    last: int = -1
    """``queueOffsetMax``."""
    reset: bool = False
    """A reset of the queue's offset has marked it."""

    def clear(self) -> None:
        """``setDropped`` and ``clear``, of a reset."""
        self.reset = self.entry.dropped = True
        self.tree.clear()
        self.last = 0

    def remove_message(self, offset: int) -> int:
        """``removeMessage``: the first offset that is left, or the one behind the last; -1 where there was none."""
        if not self.tree:
            return -1
        self.tree.discard(offset)
        return min(self.tree, default=self.last + 1)


@dataclass(frozen=True)
class Call:
    """The listener is called with a message of an entry."""

    held: Held
    offset: int
    begun_late: bool = False
    """Its entry had left the table before."""


@dataclass(frozen=True)
class Commit:
    """An offset on its way to the broker, and where the entry began that had it sent."""

    offset: int
    origin: int


class OffsetsConsumer:
    """A push consumer with a ``MessageListenerConcurrently``. Each of its actions is a method."""

    driver: Driver
    holds: type[Held] = Held
    """Its entries' messages."""
    queue = QUEUE
    """The one that is spoken of."""

    def __init__(self, driver: Driver, broker: Broker) -> None:
        self.driver, self.broker = driver, broker
        self.held: Held | None = None
        """Of the queue's entry in ``processQueueTable``."""
        self.calls: list[Call] = []
        self.noted: list[int] = []
        """Offsets about to be put into the memory, by whoever has made its checks; the last one comes first."""
        self.answer: int | None = None
        """What a rebalance is about to hear, which has asked for the queue's offset; in numbers of the transition."""
        self.commits_under_way: list[Commit] = []
        """The last one comes first."""
        self.persisting: frozenset[MessageQueue] | None = None
        """The queues that ``persistAll`` was told, while it is under way and not through with this one."""
        self.last_began = 0
        """Where the queue's last entry began."""
        self.aim: int | None = None
        """Where a reset that is under way has the queue begin, or the last one that was."""
        self.rewound = self.aimed = False
        """It has put that into the memory; it has sent it, and the consumer has not asked since."""
        self.missed = self.ignored = False
        """A reset has sent another offset; the consumer has asked then, and heard another one. For claims."""
        self.closed = False
        """It was shut down, or its process has ended."""
        self.uncommitted: set[int] = set()
        """Messages that had been consumed, and were not committed, when it asked last where to begin. For claims."""
        self.interrupted = False
        """shutdown() has interrupted the threads of its listeners."""
        self.cut: set[int] = set()
        """Messages with which they were called then."""

    @property
    def concerned(self) -> bool:
        """It has an entry of the queue, or asks where one is to begin."""
        return self.held is not None or self.answer is not None

    @property
    def listed(self) -> bool:
        """``persistAll`` is under way, and was told of the queue."""
        return self.persisting is not None and self.queue in self.persisting

    @property
    def begun(self) -> bool:
        """The first pull of its entry asks for the offset once more, and has been answered."""
        return False

    @property
    def memory(self) -> int | None:
        """The queue's offset in ``offsetTable``."""
        return self.driver.memory.get(self.queue)

    @property
    def began(self) -> int | None:
        """Where the queue's entry began, if there is one."""
        return self.held.began if self.held else None

    def entry(self, *, dropped: bool) -> ProcessQueue:
        """An entry of its table."""
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
        """A rebalance finds the queue to be new, and asks for its offset (``queryConsumerOffset``).

        ``replica``: the route has no master, and a replica is asked.
        """
        need(self.held is None and self.answer is None and not self.closed)
        self.answer = self._answered(silent=silent, error=error, zero=zero, replica=replica)
        if self.aimed and self.answer not in (self.aim, UNANSWERED):
            self.ignored = True
        self.aimed = False
        self.uncommitted = self.broker.uncommitted()

    def adds(self, *, offset: int | None = None) -> None:
        """It hears that (``updateProcessQueueTableInRebalance``); ``offset``: what a search by time finds."""
        need(self.answer is not None)
        assert self.answer is not None
        queried = self.broker.end if offset is None else offset
        answers, self.answer = Answers(stored=self._heard(self.answer), queried=queried), None
        self.rebalanced(self.driver.update({self.queue: answers}, self.queue.topic, [self.queue]).effects)

    def rebalanced(self, effects: Iterable[Effect]) -> None:
        """What a rebalance has done to the queue: offsets that it has sent, and its entry, which is gone, or new."""
        own = [(name, *details) for name, queue, *details in effects if queue == self.queue]
        # An offset that is sent twice in a row says nothing more.
        for offset in dict.fromkeys(int(str(details[0])) for name, *details in own if name == UPDATE_OFFSET):
            self._send(offset, self._of_entry().began)
        self._gone()
        for name, *details in own:
            if name == PULL_REQUEST:
                begin = int(str(details[0]))
                self.held = self.holds(self.driver.table[self.queue], begin, begin)
                self.broker.owned = True

    def arrives(self, *, message: int) -> None:
        """A producer sends the message; what this consumer has then is kept for claims."""
        broker, held = self.broker, self.held
        need(broker.end == message)
        broker.end += 1
        has = held is not None and not held.entry.dropped
        broker.awaited |= {message} if held is not None or self.answer is not None else set()
        broker.had |= {message} if has else set()
        broker.begun |= {message} if has and self.begun else set()

    def _heard(self, answer: int) -> int | str:
        """What the client makes of an answer is its own."""
        return answer

    def pulls(self, *, offset: int, found: Collection[int]) -> None:
        """A pull is answered: these messages were found, and the next one is from ``offset`` on."""
        self._pulled(self._of_entry(), offset, found)

    def _pulled(self, held: Held, offset: int, found: Collection[int]) -> None:
        need(held.next < offset <= self.broker.end and all(held.next <= one < offset for one in found))
        held.next = offset
        if found:
            held.tree |= set(found)
            held.last = max(found)

    def starts(self, *, message: int) -> None:
        """``ConsumeMessageConcurrentlyService.ConsumeRequest.run``: the check, and the call."""
        held = self._of_entry()
        called = any(call.held is held and call.offset == message for call in self.calls)
        need(not held.entry.dropped and message in held.tree and not called and not self.interrupted)
        self.calls.append(Call(held, message))

    def ends(self, *, message: int, half: bool = False) -> None:
        """The listener returns; ``processConsumeResult``, where the entry is not dropped.

        ``half``: it was interrupted, and returns as if its work were done.
        """
        self._worked(message, half=half)
        self._ended(self._call(message, late=False))

    def ends_late(self, *, message: int, half: bool = False) -> None:
        """The same of a call for an entry that has left the table."""
        self._worked(message, half=half)
        self._ended(self._call(message, late=True))

    def returns_interrupted(self, *, message: int, half: bool = False) -> None:
        """It returns with its thread's interrupt status set: ``removeMessage`` gives -1."""
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
        """The listener has returned from the message."""
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
        """``cleanExpiredMsg``: the listener has had the first message for longer than ``consumeTimeout``."""
        held = self._of_entry()
        need(message in held.tree and message == min(held.tree))
        held.tree.discard(message)
        self.broker.given.add(message)

    def others(self, *, message: int) -> None:
        """The listener returns from another message than the one that is looked at; the entry is not dropped."""
        need(not self._of_entry().entry.dropped)
        self.ends(message=message)

    def fails(self, *, message: int) -> None:
        """The listener returns, but the message can neither be counted as consumed nor given back."""
        self.calls.remove(self._call(message, late=False))

    def empty(self) -> None:
        """``correctTagsOffset``: a pull has found nothing, and there are no messages."""
        held = self._of_entry()
        need(not held.tree)
        self.noted.insert(0, held.next)

    def records(self) -> None:
        """``updateOffset(mq, offset, increaseOnly)``."""
        need(bool(self.noted))
        self.driver.memory[self.queue] = max(self.noted.pop(0), self.driver.memory.get(self.queue, -1))

    def _send(self, offset: int, origin: int) -> None:
        self.commits_under_way.insert(0, Commit(offset, origin))

    def copies(self) -> None:
        """``persistConsumerOffset`` copies the table's queues, which ``persistAll`` is told; every 5 s, in a thread of
        its own."""
        need(self.persisting is None and not self.closed)
        self.persisting = frozenset(self.driver.table)

    def finishes(self) -> None:
        """``persistAll`` ends, or has done what it does with the queue."""
        need(self.persisting is not None)
        self.persisting = None

    def sends(self) -> None:
        """A pull with an offset; or ``persistAll`` of a queue that it was told, whatever has become of its entry."""
        if self.memory is None:
            raise Impossible
        if self.held is not None:
            self._send(self.memory, self.held.began)
        else:
            need(self.listed)
            self._send(self.memory, self.last_began)
            self.persisting = None

    def commits(self, *, replica: bool = False) -> None:
        """The commit that is looked at arrives at the broker, or at its replica."""
        need(bool(self.commits_under_way))
        offset = self.commits_under_way.pop(0).offset
        if replica:
            self.broker.copied = offset
        else:
            self.broker.commit_offset(offset)

    def replicates(self) -> None:
        """The replica of the broker is told what is committed."""
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
        """A rebalance takes the entry away; where it is still the consumer's, as no message was pulled for too long.

        ``locks``: of the entry, for a consumer that has them.
        """
        held = self._of_entry()
        held.entry.last_pull_timestamp = NOW - (PULL_MAX_IDLE_TIME + 1 if in_set else 0)
        answers = {self.queue: Answers(stored=UNANSWERED)}
        self.rebalanced(self.driver.update(answers, self.queue.topic, [self.queue] if in_set else []).effects)

    @property
    def resetting(self) -> bool:
        """A reset has marked the entry in the table."""
        return self.held is not None and self.held.reset

    def suspends(self, *, offset: int) -> None:
        """``resetOffset`` to that one: the entry is marked, and ``ProcessQueue.clear`` empties it."""
        held = self._of_entry()
        need(not held.reset and 0 <= offset <= self.broker.end)
        self.aim, self.rewound, self.aimed = offset, False, False
        held.clear()

    def rewinds(self) -> None:
        """``updateConsumeOffset``, after ten seconds."""
        need(self.resetting and not self.rewound)
        assert self.aim is not None
        self.driver.memory[self.queue], self.rewound = self.aim, True

    def retires(self, **locks: bool) -> None:
        """``removeUnnecessaryMessageQueue``, and ``iterator.remove``, whatever that has returned."""
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
        """``persistAll`` of a queue that it was not told: behind its loop, whatever has become of it meanwhile."""
        need(self.persisting is not None and self.queue not in self.persisting and self.memory is not None)
        del self.driver.memory[self.queue]
        self.persisting = None

    def shuts(self) -> None:
        """``shutdown``: ``persistConsumerOffset``, and the table is emptied."""
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
