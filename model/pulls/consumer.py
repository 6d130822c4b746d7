"""Python code of a push consumer's pulls: table, ``PullMessageService`` and callback."""

from collections import Counter
from collections.abc import Callable

from rebalance_proofs.model.client.effects import IN, PULL_REQUEST
from rebalance_proofs.model.client.environment import Answers
from rebalance_proofs.model.client.process_queue import FREE, HELD, PULL_MAX_IDLE_TIME, ProcessQueue
from rebalance_proofs.model.possible import need
from rebalance_proofs.model.pulls.remoting import JavaError, Remoting, Trouble
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.transition.drivers import NOW, JavaDriver
from rebalance_proofs.model.transition.numbers import UNANSWERED

__all__ = ["QUEUE", "PullMessageService", "PullsConsumer", "Requests"]

QUEUE = MessageQueue("T", "broker-a", 0)
Requests = Counter[ProcessQueue]
"""Number of ``PullRequest`` objects of each process queue."""


class StoreException(Exception):
    """An exception from a user-defined offset store."""


class PullMessageService:
    """``PullMessageService``: one thread takes request after request, another runs scheduled tasks."""

    def __init__(self, *, catches_throwable: bool) -> None:
        self._catches_throwable = catches_throwable
        self.waiting: Requests = Counter()
        """Requests in ``pullRequestQueue``, or scheduled to be put there."""
        self.tasks: Counter[ProcessQueue] = Counter()
        """Tasks that repair an illegal offset, by the process queue whose pull request asked for it."""
        self.ended = False
        """Whether its thread has ended."""

    def execute_pull_request(self, entry: ProcessQueue) -> None:
        """``executePullRequestImmediately``, ``executePullRequestLater``."""
        self.waiting[entry] += 1

    def run(
        self, consumer: "PullsConsumer", entry: ProcessQueue, *, later: bool, trouble: Trouble, thrown: str
    ) -> None:
        """One iteration of the thread's loop, with the request of that process queue."""
        need(not self.ended and self.waiting[entry] > 0)
        self.waiting[entry] -= 1
        self.goes_on(lambda: consumer.pull_message(entry, later=later, trouble=trouble, thrown=thrown))

    def goes_on(self, pulls: Callable[[], None]) -> None:
        """Run a pull, and handle what ``pullMessage`` throws."""
        try:
            pulls()
        except Exception:
            return
        except JavaError:
            self.ended = not self._catches_throwable


class PullsConsumer:
    """A push consumer with an ordered listener; each action is a method.

    Its process queues can be dropped and stay in the table, unlike those of a concurrent listener; all else is the
    same.
    """

    def __init__(
        self,
        driver: JavaDriver,
        remoting: Remoting,
        *,
        catches_throwable: bool,
        limit: int = PULL_MAX_IDLE_TIME,
    ) -> None:
        self.driver, self.remoting, self.limit = driver, remoting, limit
        self.service = PullMessageService(catches_throwable=catches_throwable)
        self.pulling: Requests = Counter()
        """Requests sent to the broker and not answered yet."""
        self.asking: ProcessQueue | None = None
        """The process queue whose first request waits in ``pullMessage`` for the start offset."""
        self.fixed: set[ProcessQueue] = set()
        """Process queues whose first request has its offset."""
        self.left: list[ProcessQueue] = []
        """Process queues that have left the table."""
        self.suspended = False
        """The consumer's field ``pause``."""

    @property
    def entry(self) -> ProcessQueue | None:
        """The process queue in ``processQueueTable``; None if it has none."""
        return self.driver.table.get(QUEUE)

    def _of_entry(self, requests: Requests, *, old: bool) -> ProcessQueue:
        """Return a process queue with such a request. Raises ``Impossible`` if there is none.

        ``old``: the process queue has left the table.
        """
        there = self.left if old else [entry for entry in (self.entry,) if entry]
        found = next((entry for entry in there if requests[entry] > 0), None)
        need(found is not None)
        assert found is not None
        return found

    def adds(self, *, silent: bool = False) -> None:
        """Second half of ``updateProcessQueueTableInRebalance``, then ``dispatchPullRequest``."""
        need(self.entry is None)
        if self.suspended:
            return
        answers = Answers(stored=UNANSWERED if silent else 0)
        for name, *_ in self.driver.update({QUEUE: answers}, QUEUE.topic, [QUEUE]).effects:
            if name == IN:
                self.driver.table[QUEUE].pull_max_idle_time = self.limit
            if name == PULL_REQUEST:
                self.service.execute_pull_request(self.driver.table[QUEUE])

    def revokes(self, *, in_set: bool = False, stays: bool = False) -> None:
        """First half of ``updateProcessQueueTableInRebalance``.

        ``stays``: the listener's lock is not available.
        """
        entry = self.entry
        need(entry is not None)
        assert entry is not None
        if self.suspended:
            return
        entry.consume_lock = HELD if stays else FREE
        self.driver.update({QUEUE: Answers(stored=UNANSWERED)}, QUEUE.topic, [QUEUE] if in_set else [])
        if self.entry is None:
            self.left.insert(0, entry)

    def takes(self, *, old: bool = False, later: bool = False) -> None:
        """``PullMessageService.run`` takes a request."""
        self._run(old=old, later=later)

    def _run(
        self, *, old: bool = False, later: bool = False, trouble: Trouble = Trouble.NONE, thrown: str = ""
    ) -> None:
        need(self.asking is None)
        entry = self._of_entry(self.service.waiting, old=old)
        self.service.run(self, entry, later=later, trouble=trouble, thrown=thrown)

    def asks(self) -> None:
        """``pullMessage`` of an ordered queue's first request, up to ``computePullFromWhereWithException``."""
        entry = self.entry
        need(entry is not None and not entry.dropped and entry not in self.fixed)
        assert entry is not None
        need(self.asking is None and not self.service.ended and not self.suspended)
        need(self.service.waiting[entry] > 0)
        self.service.waiting[entry] -= 1
        entry.last_pull_timestamp = NOW
        self.asking = entry

    def sends(self, *, old: bool = False, later: bool = False) -> None:
        """The query returns, and ``pullMessage`` continues without a check of the process queue.

        ``later``: the query throws an exception.
        """
        entry = self.asking
        need(entry is not None and old is (entry is not self.entry) and not self.service.ended)
        assert entry is not None
        self.asking = None
        if later:
            self.service.execute_pull_request(entry)
            return
        self.fixed.add(entry)
        self._send(entry, trouble=Trouble.NONE, thrown="")

    def pull_message(self, entry: ProcessQueue, *, later: bool, trouble: Trouble, thrown: str) -> None:
        """``DefaultMQPushConsumerImpl.pullMessage``. Raises ``StoreException`` or ``JavaError`` as ``thrown`` says."""
        if entry.dropped:
            return
        entry.last_pull_timestamp = NOW
        if later or self.suspended:
            self.service.execute_pull_request(entry)
            return
        self._send(entry, trouble=trouble, thrown=thrown)

    def _send(self, entry: ProcessQueue, *, trouble: Trouble, thrown: str) -> None:
        """Second half of ``pullMessage``, after the query for an offset if there is one."""
        if thrown == "store":
            raise StoreException
        if thrown == "error":
            raise JavaError
        try:
            under_way = self.remoting.invoke_async(entry, self, trouble)
        except Exception:
            self.service.execute_pull_request(entry)
            return
        if under_way:
            self.pulling[entry] += 1

    def on_exception(self, entry: ProcessQueue) -> None:
        """``PullCallback.onException``."""
        self.service.execute_pull_request(entry)

    def answers(self, *, old: bool = False) -> None:
        """``PullCallback.onSuccess`` with or without messages, or ``onException``."""
        entry = self._answered(old=old)
        self.remoting.operation_succeed(entry, self, lambda: self.service.execute_pull_request(entry))

    def _answered(self, *, old: bool) -> ProcessQueue:
        entry = self._of_entry(self.pulling, old=old)
        self.pulling[entry] -= 1
        return entry

    def illegal(self, *, old: bool = False) -> None:
        """``onSuccess`` with ``OFFSET_ILLEGAL``."""
        entry = self._answered(old=old)
        entry.dropped = True
        self.service.tasks[entry] += 1

    def repairs(self, *, old: bool = False) -> None:
        """The repair task: ``updateOffset``, ``persist`` and ``removeProcessQueue`` of the queue."""
        entry = self._of_entry(self.service.tasks, old=old)
        self.service.tasks[entry] -= 1
        found = self.entry
        self.driver.remove_process_queue(QUEUE)
        if found is not None:
            self.left.insert(0, found)

    def waits(self, *, span: int) -> None:
        """Time passes. The driver's clock is constant, so the time of the last pull moves back."""
        entry = self.entry
        need(entry is not None and span > 0)
        assert entry is not None
        entry.last_pull_timestamp -= span

    def suspends(self) -> None:
        """``DefaultMQPushConsumerImpl.suspend``."""
        need(not self.suspended)
        self.suspended = True

    def resumes(self) -> None:
        """``resume`` without its rebalance."""
        need(self.suspended)
        self.suspended = False

    def throws(self) -> None:
        """``offsetStore.readOffset``, called for the offset to commit, throws an exception."""
        self._of_live(thrown="store")

    def errs(self) -> None:
        """An ``Error`` leaves ``pullMessage``."""
        self._of_live(thrown="error")

    def hooks(self) -> None:
        """The RPC hook throws an exception if it is called."""
        self._of_live(trouble=Trouble.HOOK)

    def overtime(self) -> None:
        """The connection is made only after the pull has timed out."""
        self._of_live(trouble=Trouble.CONNECTION)

    def _of_live(self, *, trouble: Trouble = Trouble.NONE, thrown: str = "") -> None:
        entry, asked = self.entry, self.asking
        need(entry is not None and not self.service.ended)
        assert entry is not None
        if asked is not entry:
            need(not entry.dropped and not self.suspended)
            self._run(trouble=trouble, thrown=thrown)
            return
        self.asking = None
        self.fixed.add(entry)
        self.service.goes_on(lambda: self._send(entry, trouble=trouble, thrown=thrown))

    def breaks(self) -> None:
        """An ``Error`` is thrown in ``onSuccess``."""

        def processed() -> None:
            raise JavaError

        entry = self._answered(old=False)
        self.remoting.operation_succeed(entry, self, processed)

    def interrupts(self) -> None:
        """``executePullRequestImmediately`` is interrupted while it puts the request back, and logs that."""
        self._answered(old=False)
