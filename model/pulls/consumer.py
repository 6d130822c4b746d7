"""One consumer's queue and its pull requests, as code: the client's table, ``PullMessageService`` and the callback."""

from collections import Counter

from rebalance_proofs.model.client.effects import DROP, IN, PULL_REQUEST
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
"""``PullRequest`` s by the entry that each holds for good; one is there as often as it was put there."""


class StoreException(Exception):
    """What an offset store of the user's own throws."""


class PullMessageService:
    """``PullMessageService``: its thread takes one request after the other, another one runs what was scheduled."""

    def __init__(self, *, catches_throwable: bool) -> None:
        self._catches_throwable = catches_throwable
        self.waiting: Requests = Counter()
        """In ``pullRequestQueue``, or scheduled to be put there."""
        self.tasks: Counter[ProcessQueue] = Counter()
        """What repairs an illegal offset, by the entry whose pull request asked for it."""
        self.ended = False
        """Its thread has."""

    def execute_pull_request(self, entry: ProcessQueue) -> None:
        """``executePullRequestImmediately``, ``executePullRequestLater``."""
        self.waiting[entry] += 1

    def run(
        self, consumer: "PullsConsumer", entry: ProcessQueue, *, later: bool, trouble: Trouble, thrown: str
    ) -> None:
        """One turn of its loop, with the request of that entry."""
        need(not self.ended and self.waiting[entry] > 0)
        self.waiting[entry] -= 1
        try:
            consumer.pull_message(entry, later=later, trouble=trouble, thrown=thrown)
        except Exception:
            return
        except JavaError:
            self.ended = not self._catches_throwable


class PullsConsumer:
    """A push consumer with an ordered listener, whose entries can be marked and stay; else a concurrent one does the
    same. Each of its actions is a method."""

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
        """Under way to the broker and back."""
        self.left: list[ProcessQueue] = []
        """Entries that have left the table."""
        self.kept = 0
        self.late = self.hit = self.wrote = self.cut = False
        """See ``state.Consumer``. Nobody keeps that: it is for claims."""

    @property
    def entry(self) -> ProcessQueue | None:
        """The queue's, in ``processQueueTable``."""
        return self.driver.table.get(QUEUE)

    def _of_entry(self, requests: Requests, *, old: bool) -> ProcessQueue:
        """One with such a request."""
        there = self.left if old else [entry for entry in (self.entry,) if entry]
        found = next((entry for entry in there if requests[entry] > 0), None)
        need(found is not None)
        assert found is not None
        return found

    def adds(self, *, silent: bool = False) -> None:
        """The second half of ``updateProcessQueueTableInRebalance``, and ``dispatchPullRequest``."""
        need(self.entry is None)
        answers = Answers(stored=UNANSWERED if silent else 0)
        for name, *_ in self.driver.update({QUEUE: answers}, QUEUE.topic, [QUEUE]).effects:
            if name == IN:
                self.driver.table[QUEUE].pull_max_idle_time = self.limit
                self.kept = 0
            if name == PULL_REQUEST:
                self.service.execute_pull_request(self.driver.table[QUEUE])

    def revokes(self, *, in_set: bool = False, stays: bool = False) -> None:
        """Its first half. ``stays``: the lock under which the listener runs cannot be had."""
        entry = self.entry
        need(entry is not None)
        assert entry is not None
        there = not entry.dropped and not self.service.ended and self.service.waiting[entry] + self.pulling[entry] > 0
        entry.consume_lock = HELD if stays else FREE
        answers = {QUEUE: Answers(stored=UNANSWERED)}
        effects = self.driver.update(answers, QUEUE.topic, [QUEUE] if in_set else []).effects
        if not any(name == DROP for name, *_ in effects):
            self.kept = NOW - entry.last_pull_timestamp
            return
        self.cut |= in_set and there
        if self.entry is None:
            self._gone(entry)

    def _gone(self, entry: ProcessQueue) -> None:
        self.left.insert(0, entry)
        self.kept = 0

    def takes(self, *, old: bool = False, later: bool = False) -> None:
        """``PullMessageService.run`` takes a request."""
        self._run(old=old, later=later)

    def _run(
        self, *, old: bool = False, later: bool = False, trouble: Trouble = Trouble.NONE, thrown: str = ""
    ) -> None:
        entry = self._of_entry(self.service.waiting, old=old)
        self.service.run(self, entry, later=later, trouble=trouble, thrown=thrown)

    def pull_message(self, entry: ProcessQueue, *, later: bool, trouble: Trouble, thrown: str) -> None:
        """``DefaultMQPushConsumerImpl.pullMessage``. Raises ``StoreException``, ``JavaError`` where that is thrown."""
        if entry.dropped:
            return
        entry.last_pull_timestamp = NOW
        if later:
            self.service.execute_pull_request(entry)
            return
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
            self.late |= entry is not self.entry

    def on_exception(self, entry: ProcessQueue) -> None:
        """``PullCallback.onException``."""
        self.service.execute_pull_request(entry)

    def answers(self, *, old: bool = False) -> None:
        """``PullCallback.onSuccess`` with messages or without, ``onException``."""
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
        """The task: ``updateOffset``, ``persist`` and ``removeProcessQueue`` of the queue."""
        entry = self._of_entry(self.service.tasks, old=old)
        self.service.tasks[entry] -= 1
        found = self.entry
        self.wrote |= found is not entry
        self.hit |= found is not None and found is not entry
        self.driver.remove_process_queue(QUEUE)
        if found is not None:
            self._gone(found)

    def waits(self, *, span: int) -> None:
        """Time passes; the clock of the driver stands still, so the last pull moves."""
        entry = self.entry
        need(entry is not None and span > 0)
        assert entry is not None
        entry.last_pull_timestamp -= span

    def throws(self) -> None:
        """``offsetStore.readOffset`` throws, which is asked for what is to be committed."""
        self._of_live(thrown="store")

    def errs(self) -> None:
        """An ``Error`` leaves ``pullMessage``."""
        self._of_live(thrown="error")

    def hooks(self) -> None:
        """The RPC hook throws if it is called."""
        self._of_live(trouble=Trouble.HOOK)

    def overtime(self) -> None:
        """The connection is made when the pull's time is over."""
        self._of_live(trouble=Trouble.CONNECTION)

    def _of_live(self, *, trouble: Trouble = Trouble.NONE, thrown: str = "") -> None:
        entry = self.entry
        need(entry is not None and not entry.dropped)
        self._run(trouble=trouble, thrown=thrown)

    def breaks(self) -> None:
        """An ``Error`` is thrown in ``onSuccess``."""

        def processed() -> None:
            raise JavaError

        entry = self._answered(old=False)
        self.remoting.operation_succeed(entry, self, processed)

    def interrupts(self) -> None:
        """``executePullRequestImmediately`` is interrupted as it puts the request: it logs that."""
        self._answered(old=False)
