"""Python code of an ordered consumer of one queue.

Each batch is taken, consumed and recorded before the next one.
"""

from collections.abc import Collection
from dataclasses import dataclass, field

from rebalance_proofs.model.client.effects import MQClientException
from rebalance_proofs.model.client.environment import Answers
from rebalance_proofs.model.client.process_queue_table import FREE, HELD
from rebalance_proofs.model.offsets.broker import Broker
from rebalance_proofs.model.offsets.consumer import Call, Held, OffsetsConsumer
from rebalance_proofs.model.possible import Impossible, need
from rebalance_proofs.model.transition.drivers import NOW, JavaDriver
from rebalance_proofs.model.transition.step import UNLOCK_DELAY


@dataclass
class HeldInOrder(Held):
    """Messages of a process queue whose listener is a ``MessageListenerOrderly``."""

    fixed: bool = False
    """``PullRequest.previouslyLocked``: the first pull has queried the offset again."""
    consuming: set[int] = field(default_factory=set)
    """``consumingMsgOrderlyTreeMap``: messages that were taken for the listener."""
    stands: int = 0
    """Offset after the last consumed batch; before any, the start offset. For claims only."""
    owed: set[int] = field(default_factory=set)
    """Messages that were consumed and are not recorded yet. For claims only."""
    remaining: set[int] = field(default_factory=set)
    """Messages of ``consuming`` whose listener call was interrupted and has returned.

    For claims only.
    """

    def take_messages(self, batch: Collection[int]) -> None:
        """Take the messages of ``batch``, which must be the first ones (``takeMessages``).

        Raises ``Impossible`` if ``batch`` is empty, or other messages are the first.
        """
        need(bool(batch) and sorted(self.tree)[: len(batch)] == sorted(batch))
        self.tree -= set(batch)
        self.consuming |= set(batch)

    def clear(self) -> None:
        super().clear()
        self.consuming.clear()
        self.remaining.clear()

    def commit(self) -> int:
        """Remove all messages of ``consuming`` (``commit``). Returns the offset after the last one."""
        offset = max(self.consuming) + 1
        self.owed |= self.consuming
        self.stands = offset
        self.consuming.clear()
        self.remaining.clear()
        return offset

    def make_message_to_consume_again(self) -> None:
        """Put all messages of ``consuming`` back (``makeMessageToConsumeAgain``)."""
        self.tree |= self.consuming
        self.consuming.clear()
        self.remaining.clear()


class OrderlyConsumer(OffsetsConsumer):
    """A push consumer with a ``MessageListenerOrderly`` and automatic commits."""

    driver: JavaDriver
    holds = HeldInOrder

    def __init__(self, driver: JavaDriver, broker: Broker) -> None:
        super().__init__(driver, broker)
        self.noting: int | None = None
        """Offset after the batch whose listener call has returned, until it is in memory.

        None if there is no such batch.
        """

    def _of_entry(self) -> HeldInOrder:
        held = super()._of_entry()
        assert isinstance(held, HeldInOrder)
        return held

    @property
    def concerned(self) -> bool:
        """Whether the consumer has any activity on the queue.

        That is a process queue, a query, a listener call, a commit in flight, or a running ``persistAll``.
        """
        under_way = self.noted or self.commits_under_way or self.noting is not None or self.listed
        return bool(self.held or self.answer is not None or self.calls or under_way)

    @property
    def begun(self) -> bool:
        return self._of_entry().fixed

    def adds(self, *, offset: int | None = None) -> None:
        super().adds(offset=offset)
        if self.held is not None:
            self._of_entry().stands = self.held.began

    def fixes(
        self,
        *,
        silent: bool = False,
        error: bool = False,
        zero: bool = False,
        older: int | None = None,
        offset: int | None = None,
    ) -> None:
        """The first ``pullMessage`` of a locked process queue computes the offset again.

        ``older``: answer of the query, an offset that was committed some time ago. ``offset``: result of a search by
        time.
        """
        held = self._of_entry()
        need(not held.fixed)
        answer = self._answered(silent=silent, error=error, zero=zero) if older is None else older
        queried = self.broker.end if offset is None else offset
        try:
            begin = self.driver.compute_pull_from_where(
                {self.queue: Answers(stored=answer, queried=queried)}, self.queue
            )
        except MQClientException:
            return
        held.fixed, held.next = True, begin
        if begin >= 0:
            held.began = held.stands = begin

    def overtaken(self, *, offset: int) -> None:
        """The first pull of a removed process queue receives the committed offset (``readOffset``)."""
        need(offset >= 0)
        self.driver.memory[self.queue] = offset

    def pulls(self, *, offset: int, found: Collection[int]) -> None:
        held = self._of_entry()
        need(held.fixed and held.next >= 0)
        super().pulls(offset=offset, found=found)

    def empty(self) -> None:
        held = self._of_entry()
        need(held.fixed and held.next >= 0 and not held.consuming)
        super().empty()

    def _takes(self, batch: Collection[int]) -> HeldInOrder:
        """Take a batch of messages for the listener, under the queue's lock in the client.

        Mirror of ``ConsumeRequest.run`` and ``MessageQueueLock``.
        """
        held = self._of_entry()
        need(not held.entry.dropped and not self.calls and self.noting is None)
        held.take_messages(batch)
        return held

    def starts(self, *, message: int) -> None:
        """The listener is called with the message and those before it."""
        held = self._of_entry()
        held = self._takes([one for one in held.tree if one <= message] if message in held.tree else ())
        self.calls.append(Call(held, message))
        self.cut.discard(message)

    def _ended(self, call: Call) -> None:
        """The messages are consumed, and the offset after the batch is to be recorded.

        Mirror of ``processConsumeResult``.
        """
        held = call.held
        assert isinstance(held, HeldInOrder)
        self.calls.remove(call)
        for message in held.consuming - held.remaining or {call.offset}:
            self.broker.consumed[message] += 1
        if not held.consuming:
            # A reset has cleared the process queue, and ``commit`` throws a ``NoSuchElementException``.
            return
        offset = held.commit()
        if not held.entry.dropped:
            self.noting = offset

    def ends(self, *, message: int, half: bool = False) -> None:
        need(self.noting is None)
        super().ends(message=message, half=half)

    def returns_interrupted(self, *, message: int, half: bool = False) -> None:
        """The listener returns with its thread's interrupt status set: ``commit`` returns -1.

        The batch stays where it is.
        """
        call = self._call(message, late=False)
        need(message in self.cut)
        self._worked(message, half=half)
        self.calls.remove(call)
        assert isinstance(call.held, HeldInOrder)
        for one in call.held.consuming - call.held.remaining or {call.offset}:
            self.broker.consumed[one] += 1
        call.held.remaining |= call.held.consuming

    def others_fail(self, *, message: int) -> None:
        """The listener gets the next message and asks for a retry.

        An interrupted call has left the observed message in the process queue.
        """
        need(message in self._of_entry().remaining)
        self._takes((message + 1,)).make_message_to_consume_again()

    def others(self, *, message: int) -> None:
        """The listener consumes a message other than the observed one."""
        held = self._takes((message,))
        need(held.stands <= message < held.next)
        self._ended_at_once(held, message)

    def _ended_at_once(self, held: HeldInOrder, message: int) -> None:
        call = Call(held, message)
        self.calls.append(call)
        self._ended(call)

    def fails(self, *, message: int) -> None:
        call = self._call(message, late=False)
        super().fails(message=message)
        assert isinstance(call.held, HeldInOrder)
        call.held.make_message_to_consume_again()

    def _notices(self, offset: int) -> None:
        if self.held is not None:
            self.broker.kept = max(self.broker.kept, offset)
            held = self._of_entry()
            held.owed = {message for message in held.owed if message >= offset}

    def records(self) -> None:
        need(bool(self.noted))
        offset = self.noted[0]
        super().records()
        self._notices(offset)

    def notes(self) -> None:
        """The offset after the batch replaces the one in memory.

        Mirror of ``updateOffset(mq, offset, false)``.
        """
        if self.noting is None:
            raise Impossible
        offset, self.noting = self.noting, None
        self.driver.memory[self.queue] = offset
        self._notices(offset)

    def revokes(self, *, in_set: bool = False, **locks: bool) -> None:
        """A rebalance removes or drops the process queue.

        ``held``: the listener runs with other messages. ``stale``: the lock was not renewed for a long time.
        """
        entry = self._of_entry().entry
        called = any(call.held is self.held for call in self.calls)
        entry.consume_lock = HELD if locks.get("held") or called else FREE
        entry.last_lock_timestamp = NOW - (UNLOCK_DELAY + 1 if locks.get("stale") else 0)
        super().revokes(in_set=in_set)

    def crashes(self) -> None:
        super().crashes()
        self.noting = None
