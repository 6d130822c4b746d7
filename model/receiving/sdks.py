"""How the gRPC clients (rocketmq-clients) apply the broker's assignments: one class for each way.

A push consumer asks a broker for each topic's assignment every 5 s (C++ and Rust differ in the period). The answer says
which queues the consumer receives. Each of these has a process queue, whose receive loop polls the broker.
"""

from dataclasses import dataclass

from rebalance_proofs.model.possible import need

TOPIC, OTHER = "T", "U"
"""The observed topic, and another one of the same consumer."""
Queue = tuple[str, int]
QUEUE: Queue = TOPIC, 0
"""The observed queue."""
REST: tuple[Queue, Queue] = (TOPIC, 1), (TOPIC, 2)
"""Other queues of the topic: one of them is assigned whenever the assignment is not empty."""
NEIGHBOURS: tuple[Queue, Queue] = (OTHER, 0), (OTHER, 1)


@dataclass(eq=False)
class ProcessQueue:
    """One process queue, with the number of its receive loops that make progress."""

    queue: Queue
    loops: int = 0
    dropped: bool = False
    expired: bool = False
    """Whether nothing was received for so long that the client's test finds it."""

    def drop(self) -> None:
        """Mark it as dropped: its loops end when they check this before their next request."""
        self.dropped, self.loops = True, 0


class PushConsumer:
    """A push consumer of Java, C# and Go, apart from what the classes below change.

    Mirror of ``scanAssignments``, ``syncProcessQueue``, ``createProcessQueue`` and ``dropProcessQueue``.
    """

    checks_running = True
    """Whether a loop begins only while the consumer runs (``isRunning`` in ``receiveMessageImmediately``)."""
    answers_late = True
    """Whether an answer after ``shutdown`` is applied."""
    notices_idle = False
    """Whether ``expired`` returns True for an idle process queue whose cache was never full.

    In Java, C# and Go, the time since the cache was full overflows: it was full at the least 64-bit number.
    """

    def __init__(self) -> None:
        self.running, self.asked = True, False
        self.subscription_expressions = {TOPIC, OTHER}
        self.cache_assignments: dict[str, frozenset[Queue]] = {}
        self.process_queue_table: dict[Queue, ProcessQueue] = {}
        self.removed: list[ProcessQueue] = []
        """Process queues that have left the table."""

    # ---- What happens

    def asks(self) -> None:
        """A scan sends a query for the topic."""
        need(self.running and TOPIC in self.subscription_expressions and not self.asked)
        self.asked = True

    def answers(self, mine: bool, same: bool) -> None:
        """The query returns an assignment with or without the queue; ``same``: its other queues are as before."""
        need(self.asked and (self.running or self.answers_late))
        self.asked = False
        before = self.cache_assignments.get(TOPIC, frozenset())
        rest = next((one for one in REST if (one in before) == same), REST[0])
        self.on_success(TOPIC, frozenset((rest, QUEUE) if mine else (rest,)))

    def empties(self) -> None:
        """The query returns an empty assignment."""
        need(self.asked and (self.running or self.answers_late))
        self.asked = False
        self.on_success(TOPIC, frozenset())

    def fails(self) -> None:
        """The query fails."""
        need(self.asked)
        self.asked = False
        self.on_failure(TOPIC)

    def others(self, more: bool) -> None:
        """A query for another topic returns; ``more``: its assignment has changed."""
        need(self.running or self.answers_late)
        self.cache_assignments.setdefault(OTHER, frozenset(NEIGHBOURS[:1]))
        self.on_success(OTHER, frozenset(NEIGHBOURS if more else NEIGHBOURS[:1]))

    def expires(self, was_full: bool) -> None:
        """The queue's receive loops make no progress for longer than a process queue may be idle.

        ``was_full``: its cache was full before.
        """
        entry = self.process_queue_table.get(QUEUE)
        need(entry is not None and entry.loops > 0)
        assert entry is not None
        entry.loops, entry.expired = 0, was_full or self.notices_idle

    def delivers(self) -> None:
        """A receive request of a dropped process queue returns messages."""
        need(False)

    def unsubscribes(self) -> None:
        """``unsubscribe`` is called for the topic: it is not scanned any more."""
        need(self.running and TOPIC in self.subscription_expressions)
        self.subscription_expressions.discard(TOPIC)

    def subscribes(self) -> None:
        """``subscribe`` is called for the topic."""
        need(self.running and TOPIC not in self.subscription_expressions)
        self.subscription_expressions.add(TOPIC)

    def shuts(self) -> None:
        """The consumer is shut down: its loops end when they check this."""
        need(self.running)
        self.running = False
        for entry in (*self.process_queue_table.values(), *self.removed):
            entry.loops = 0

    # ---- What the client does

    def on_success(self, topic: str, latest: frozenset[Queue]) -> None:
        """Apply an assignment, unless it is as empty as the one before."""
        if latest or self.cache_assignments.get(topic):
            self.sync_process_queue(topic, latest)
            self.cache_assignments[topic] = latest

    def on_failure(self, topic: str) -> None:
        """Log the failure, and wait for the next scan."""

    def sync_process_queue(self, topic: str, latest: frozenset[Queue]) -> None:
        """Drop process queues that are not assigned or have expired, and create missing ones."""
        active = set()
        for queue, entry in [*self.process_queue_table.items()]:
            if queue[0] != topic:
                continue
            if queue not in latest or entry.expired:
                self.drop_process_queue(queue)
            else:
                active.add(queue)
        for queue in latest - active:
            self.create_process_queue(queue)

    def drop_process_queue(self, queue: Queue) -> None:
        """Remove a process queue, and mark it as dropped."""
        self.process_queue_table.pop(queue).drop()

    def create_process_queue(self, queue: Queue) -> None:
        """Add a process queue, and begin to receive."""
        entry = self.process_queue_table[queue] = ProcessQueue(queue)
        self.fetch_message_immediately(entry)

    def fetch_message_immediately(self, entry: ProcessQueue) -> None:
        """Begin a receive loop."""
        if not entry.dropped and (self.running or not self.checks_running):
            entry.loops, entry.expired = entry.loops + 1, False


class GoPushConsumer(PushConsumer):
    """The push consumer of Go: a failed query counts as an empty answer (``scanAssignments``).

    A receive request without messages counts as failed. After it, the loop goes on without a test whether its process
    queue was dropped (``receiveMessageLater``).
    """

    def on_failure(self, topic: str) -> None:
        """Go on with the nil result."""
        self.on_success(topic, frozenset())

    def drop_process_queue(self, queue: Queue) -> None:
        """Remove a process queue, and mark it as dropped: its loops go on."""
        entry = self.process_queue_table.pop(queue)
        entry.dropped = True
        self.removed.append(entry)

    def delivers(self) -> None:
        """A receive request of a dropped process queue returns messages: its loop ends."""
        entry = next((one for one in self.removed if one.queue == QUEUE and one.loops > 0), None)
        need(entry is not None)
        assert entry is not None
        entry.loops -= 1


class NodePushConsumer(PushConsumer):
    """The push consumer of Node: a loop does not check whether the consumer runs; ``shutdown`` empties the table."""

    checks_running, notices_idle = False, True

    def shuts(self) -> None:
        """Drop and abort all process queues."""
        super().shuts()
        for queue in [*self.process_queue_table]:
            self.drop_process_queue(queue)


class CppPushConsumer(PushConsumer):
    """The push consumer of C++: it stores no assignments, and applies only those that are not empty."""

    notices_idle = True

    def on_success(self, topic: str, latest: frozenset[Queue]) -> None:
        """Apply an assignment that is not empty (callback in ``scanAssignments``)."""
        if latest:
            self.sync_process_queue(topic, latest)

    def create_process_queue(self, queue: Queue) -> None:
        """Add a process queue while the consumer is active (``getOrCreateProcessQueue``)."""
        if self.running:
            super().create_process_queue(queue)

    def shuts(self) -> None:
        """Empty the table."""
        super().shuts()
        self.process_queue_table.clear()


class RustPushConsumer(PushConsumer):
    """The push consumer of Rust: an actor for each queue, in one table that each topic's answer replaces.

    Mirror of ``process_assignments``. The task that applies answers ends with ``shutdown``.
    """

    answers_late = False

    def expires(self, was_full: bool) -> None:
        """Actors do not expire."""
        need(False)

    def shuts(self) -> None:
        """Shut down all actors."""
        super().shuts()
        self.process_queue_table.clear()

    def on_success(self, topic: str, latest: frozenset[Queue]) -> None:
        """Shut down the actors of all queues that are not in this answer, and start missing ones."""
        for queue in self.process_queue_table.keys() - latest:
            self.drop_process_queue(queue)
        for queue in latest - self.process_queue_table.keys():
            self.create_process_queue(queue)


class PythonPushConsumerV5_0(PushConsumer):
    """The push consumer of Python 5.0.9: it stores each topic's first assignment, and compares later ones with it.

    Mirror of ``__update_topic_assignment`` and ``__process_message_queues``. The test for expired process queues is
    inverted, so that it drops none.
    """

    notices_idle = True

    def on_success(self, topic: str, latest: frozenset[Queue]) -> None:
        """Apply the difference to the stored assignment, and begin a loop for every process queue of every topic."""
        existed = self.cache_assignments.get(topic)
        if existed is None:
            self.cache_assignments[topic] = latest
            self.process_message_queues(latest)
        elif existed != latest:
            for queue in existed - latest:
                if queue in self.process_queue_table:
                    self.drop_process_queue(queue)
            self.stores(topic, latest)
            self.process_message_queues(latest - existed)

    def stores(self, topic: str, latest: frozenset[Queue]) -> None:
        """Leave the stored assignment as it is."""

    def process_message_queues(self, new: frozenset[Queue]) -> None:
        """Add new process queues, in place of existing ones, and begin a loop for every process queue."""
        for queue in new:
            if queue in self.process_queue_table:
                self.removed.append(self.process_queue_table[queue])
            self.process_queue_table[queue] = ProcessQueue(queue)
        for entry in self.process_queue_table.values():
            self.fetch_message_immediately(entry)


class PythonPushConsumerV5_1_1(PythonPushConsumerV5_0):
    """The push consumer of Python 5.1.1: it stores each assignment, and ``unsubscribe`` drops process queues."""

    def stores(self, topic: str, latest: frozenset[Queue]) -> None:
        """Store the assignment."""
        self.cache_assignments[topic] = latest

    def unsubscribes(self) -> None:
        """Drop the topic's process queues and its assignment."""
        super().unsubscribes()
        for queue in [queue for queue in self.process_queue_table if queue[0] == TOPIC]:
            self.drop_process_queue(queue)
        self.cache_assignments.pop(TOPIC, None)


class PythonPushConsumerV5_1_2(PythonPushConsumerV5_1_1):
    """The push consumer of Python 5.1.2: it begins a loop for missing process queues only, and drops expired ones."""

    def on_success(self, topic: str, latest: frozenset[Queue]) -> None:
        """Apply an assignment of a topic to which the consumer still subscribes."""
        if topic not in self.subscription_expressions:
            return
        for queue in self.cache_assignments.get(topic, frozenset()) - latest:
            if queue in self.process_queue_table:
                self.drop_process_queue(queue)
        self.stores(topic, latest)
        for queue in [queue for queue, entry in self.process_queue_table.items() if entry.expired]:
            self.drop_process_queue(queue)
        for queue in latest - self.process_queue_table.keys():
            self.create_process_queue(queue)
