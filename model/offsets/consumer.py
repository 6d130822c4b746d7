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
        self.closed = False
        """It was shut down, or its process has ended."""
        self.uncommitted: set[int] = set()
        """Messages that had been consumed, and were not committed, when it asked last where to begin. For claims."""

    @property
    def concerned(self) -> bool:
        """It has an entry of the queue, or asks where one is to begin."""
        return self.held is not None or self.answer is not None

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

    def _answered(self, *, silent: bool, error: bool, zero: bool) -> int:
        none = 0 if zero else NOT_FOUND
        stored = none if self.broker.stored is None else self.broker.stored
        return UNANSWERED if silent else BROKER_ERROR if error else stored

    def asks(self, *, silent: bool = False, error: bool = False, zero: bool = False) -> None:
        """A rebalance finds the queue to be new, and asks for its offset (``queryConsumerOffset``)."""
        need(self.held is None and self.answer is None and not self.closed)
        self.answer = self._answered(silent=silent, error=error, zero=zero)
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
        need(not held.entry.dropped and message in held.tree and not called)
        self.calls.append(Call(held, message))

    def ends(self, *, message: int) -> None:
        """The listener returns; ``processConsumeResult``, where the entry is not dropped."""
        self._ended(self._call(message, late=False))

    def ends_late(self, *, message: int) -> None:
        """The same of a call for an entry that has left the table."""
        self._ended(self._call(message, late=True))

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

    def sends(self) -> None:
        """``persistAll`` of a queue with an entry."""
        held = self._of_entry()
        if self.memory is None:
            raise Impossible
        self._send(self.memory, held.began)

    def commits(self) -> None:
        """The commit that is looked at arrives at the broker."""
        need(bool(self.commits_under_way))
        self.broker.commit_offset(self.commits_under_way.pop(0).offset)

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

    def unsubscribes(self) -> None:
        """``truncateMessageQueueNotMyTopic``: the topic is not subscribed any more."""
        self._of_entry()
        self.driver.unsubscribe()
        self._gone()

    def _gone(self) -> None:
        if self.queue not in self.driver.table:
            self.held = None

    def forgets(self) -> None:
        """``persistAll`` of a queue that has no entry any more."""
        need(self.held is None and not self.closed and self.memory is not None)
        del self.driver.memory[self.queue]

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
        self.held, self.closed = None, True

    def crashes(self) -> None:
        """The process ends; what was sent may still arrive."""
        need(not self.closed)
        self._closes()
        self.calls.clear()
        self.noted.clear()
        self.driver.memory.clear()
        self.answer = None
