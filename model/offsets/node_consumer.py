"""Python code of Node's consumer of one queue: one loop, which never checks ``droped``.

From ``lib/consumer/mq_push_consumer.js`` and ``lib/process_queue.js`` of ali-ons 3.12.2. The loop has one batch at a
time, over all queues of a topic. ``parallelConsumeLimit`` is the batch size, 1 by default.
"""

from collections.abc import Collection
from dataclasses import dataclass, field

from rebalance_proofs.model.client.effects import UPDATE_OFFSET
from rebalance_proofs.model.client.environment import EXC, OK, Answers
from rebalance_proofs.model.client.node import NodeProcessQueue
from rebalance_proofs.model.offsets.broker import Broker
from rebalance_proofs.model.offsets.consumer import QUEUE, Call, Held, OffsetsConsumer
from rebalance_proofs.model.possible import need
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.transition.drivers import NodeDriver

ANOTHER = MessageQueue(QUEUE.topic, QUEUE.broker_name, QUEUE.queue_id + 1)


@dataclass
class NodeHeld(Held):
    """Messages of a process queue of the Node client; ``tree`` is its ``msgList``."""

    returned: set[int] = field(default_factory=set)
    """Messages of the loop's batch from which the listener has returned.

    They are consumed or sent back.
    """

    def remove(self, count: int) -> int:
        """Remove the first ``count`` messages (``remove``).

        Returns the first offset that is left, or the one after the last.
        """
        self.tree -= set(sorted(self.tree)[:count])
        return min(self.tree, default=self.last + 1)


class NodeConsumer(OffsetsConsumer):
    """A push consumer of the Node client ali-ons, for one queue and one observed message."""

    driver: NodeDriver
    holds = NodeHeld

    def __init__(self, driver: NodeDriver, broker: Broker) -> None:
        super().__init__(driver, broker)
        self.left: list[NodeHeld] = []
        """Messages of process queues outside the table that are still processed.

        The newest comes first. The loop or a pull in flight continues with them.
        """

    def entry(self, *, dropped: bool) -> NodeProcessQueue:
        return NodeProcessQueue(0, dropped=dropped)

    def _of_entry(self) -> NodeHeld:
        held = super()._of_entry()
        assert isinstance(held, NodeHeld)
        return held

    def _of_left(self) -> NodeHeld:
        need(bool(self.left))
        return self.left[0]

    def _heard(self, answer: int) -> int | str:
        """Return the encoded answer to an offset query as Node's ``readOffset`` treats it.

        Any error, and a missing offset, is an error.
        """
        return answer if answer >= 0 else "fails"

    def pulls_late(self, *, offset: int, found: Collection[int]) -> None:
        """The pull of a removed process queue, which was in flight, is answered."""
        self._pulled(self._of_left(), offset, found)

    def _worked(self, message: int, *, half: bool) -> None:
        """Do nothing: only Java records whether an interrupted listener has finished its work."""

    def _idle(self, message: int) -> None:
        """Require that the loop's present batch does not contain the message.

        Raises ``Impossible`` otherwise.
        """
        entries = (*self.left, *([self._of_entry()] if self.held else []))
        need(not any(call.offset == message for call in self.calls))
        need(not any(message in held.returned for held in entries))

    def _begins(self, held: NodeHeld, message: int, *, late: bool) -> None:
        self._idle(message)
        need(message in held.tree and not self.closed)
        self.calls.append(Call(held, message, begun_late=late))

    def starts(self, *, message: int) -> None:
        """``consumeSingleMsg``: the listener is called, for the first time or again."""
        self._begins(self._of_entry(), message, late=False)

    def starts_late(self, *, message: int) -> None:
        """Call the listener for a process queue that has left the table, which Node does not check."""
        self._begins(self._of_left(), message, late=True)

    def _ended(self, call: Call) -> None:
        """The listener returns; the message is consumed or sent back (``sendMessageBack``)."""
        self._returned(call)
        assert isinstance(call.held, NodeHeld)
        call.held.returned.add(call.offset)

    def fails_late(self, *, message: int) -> None:
        """Let the listener fail for a process queue that has left the table; see ``fails``."""
        self.calls.remove(self._call(message, late=True))

    def _take_out(self, held: NodeHeld, last: int) -> None:
        """Remove the batch up to message ``last``, and record its offset.

        Mirror of ``remove`` and ``updateOffset``.
        """
        offset = held.remove(sum(one <= last for one in held.tree))
        held.returned.clear()
        if offset >= 0:
            self.driver.update_offset(self.queue, offset)

    def notes(self) -> None:
        """All messages of the batch are done; the batch is removed and its offset recorded."""
        self._note(self._of_entry())

    def notes_late(self) -> None:
        """Remove and record a batch of a process queue that has left the table; see ``notes``."""
        self._note(self._of_left())

    def _note(self, held: NodeHeld) -> None:
        need(bool(held.returned))
        self._take_out(held, max(held.returned))

    def others(self, *, message: int) -> None:
        """A batch without the observed message is done; the loop has one batch at a time."""
        self._other(self._of_entry(), message)

    def others_late(self, *, message: int) -> None:
        """Finish a batch of other messages for a process queue outside the table; see ``others``."""
        self._other(self._of_left(), message)

    def _other(self, held: NodeHeld, message: int) -> None:
        entries = (*self.left, *([self._of_entry()] if self.held else []))
        need(not self.calls and not any(held.returned for held in entries))
        self._take_out(held, message)

    def skips(self, *, message: int) -> None:
        """``consumeSingleMsg`` does nothing if the consumer is closed, and the batch counts as done."""
        self._skip(self._of_entry(), message)

    def skips_late(self, *, message: int) -> None:
        """Skip the batch of a closed consumer for a process queue outside the table; see ``skips``."""
        self._skip(self._of_left(), message)

    def _skip(self, held: NodeHeld, message: int) -> None:
        self._idle(message)
        need(self.closed and message in held.tree)
        self._take_out(held, message)

    def empty(self) -> None:
        """A pull finds no message and the process queue is empty: its next offset is recorded.

        See ``correctTagsOffset``.
        """
        self._found_nothing(self._of_entry())

    def empty_late(self) -> None:
        """Record the next offset of an empty process queue that has left the table; see ``empty``."""
        self._found_nothing(self._of_left())

    def _found_nothing(self, held: NodeHeld) -> None:
        need(not held.tree)
        self.driver.update_offset(self.queue, held.next)

    def sends(self) -> None:
        """``persistAll`` sends the offset of a queue with a process queue."""
        self._persist_all(self._of_entry())

    def _persist_all(self, held: NodeHeld) -> None:
        for name, *details in self.driver.persist_all().effects:
            if name == UPDATE_OFFSET:
                self._send(int(str(details[1])), held.began)

    def revokes(self, *, in_set: bool = False, silent: bool = False, held: bool = False, **locks: bool) -> None:
        """A rebalance removes the process queue (``removeProcessQueue``).

        ``silent``: the offset cannot be sent. ``held``: the loop has other messages of the queue.
        """
        entry = self._of_entry()
        answers = {self.queue: Answers(persist=EXC if silent else OK)}
        for name, *details in self.driver.update(answers, self.queue.topic, []).effects:
            if name == UPDATE_OFFSET and EXC not in details:
                self._send(int(str(details[1])), entry.began)
        self._leaves(entry, held=held)

    def _leaves(self, entry: NodeHeld, *, held: bool) -> None:
        if held or entry.returned or any(call.held is entry for call in self.calls):
            self.left.insert(0, entry)
        self._gone()

    def forgets(self) -> None:
        """``persistAll`` removes the offset of this queue, which has no process queue, from memory.

        Another queue of the consumer has a process queue.
        """
        need(self.held is None and not self.closed and self.memory is not None)
        self.driver.table[ANOTHER] = NodeProcessQueue(0)
        self.driver.persist_all()
        del self.driver.table[ANOTHER], self.driver.memory[ANOTHER]

    def shuts(self) -> None:
        """``close`` marks the consumer as closed and begins to send its offsets.

        Process queues stay in the table until all offsets were sent (``persistConsumerOffset``).
        """
        need(not self.closed)
        self.closed = True
        if self.held is not None:
            self._persist_all(self._of_entry())

    def clears(self, *, held: bool = False) -> None:
        """``persistConsumerOffset`` has ended, and the table is cleared."""
        entry = self._of_entry()
        need(self.closed)
        self.driver.table.clear()
        self._leaves(entry, held=held)

    def crashes(self) -> None:
        super().crashes()
        self.left.clear()
