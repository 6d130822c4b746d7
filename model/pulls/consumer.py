"""Python code of a push consumer's pulls: table, ``PullMessageService`` and callback.

"Request" means pull request. Each process queue has one, which moves between places such as a waiting list.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from rebalance_proofs.model.client.effects import DROP, IN, PULL_REQUEST
from rebalance_proofs.model.client.environment import Answers
from rebalance_proofs.model.client.process_queue_table import FREE, HELD, PULL_MAX_IDLE_TIME, ProcessQueue
from rebalance_proofs.model.machine.values import Bool, term, truth
from rebalance_proofs.model.possible import need
from rebalance_proofs.model.pulls.remoting import JavaError, Remoting, Trouble
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import NO, simplify
from rebalance_proofs.model.transition.drivers import NOW, JavaDriver
from rebalance_proofs.model.transition.numbers import NO_OFFSET, UNANSWERED
from rebalance_proofs.model.transition.step import (
    NOTHING_THROWN,
    PULL_IDLE_LIMIT,
    Asked,
    Entry,
    Step,
    Thrown,
    happens,
    push,
)

QUEUE = MessageQueue("T", "broker-a", 0)
Requests = Counter[ProcessQueue]
"""For each process queue, how many of its pull requests are at one place, such as waiting."""


class StoreException(Exception):
    """An exception from a user-defined offset store."""


class PullMessageService:
    """The thread that takes one pull request after another, and a thread of delayed tasks."""

    def __init__(self, *, catches_throwable: bool) -> None:
        self._catches_throwable = catches_throwable
        self.waiting: Requests = Counter()
        """Pull requests in ``pullRequestQueue``, or scheduled to be put there."""
        self.tasks: Counter[ProcessQueue] = Counter()
        """Tasks that repair an illegal offset, by the process queue that they are for."""
        self.ended = False
        """Whether the thread has ended, because an ``Error`` was thrown."""

    def execute_pull_request(self, entry: ProcessQueue) -> None:
        """Put a process queue's pull request into the waiting list, at once or later.

        Mirror of ``executePullRequestImmediately`` and ``executePullRequestLater``.
        """
        self.waiting[entry] += 1

    def run(
        self, consumer: "PullsConsumer", entry: ProcessQueue, *, later: bool, trouble: Trouble, thrown: str
    ) -> None:
        """Take the pull request of a process queue: one iteration of the thread's loop.

        ``later``: the pull is delayed. ``trouble``: failure while the pull is sent. ``thrown``: what
        ``pullMessage`` throws.
        """
        need(not self.ended and self.waiting[entry] > 0)
        self.waiting[entry] -= 1
        self.goes_on(lambda: consumer.pull_message(entry, later=later, trouble=trouble, thrown=thrown))

    def goes_on(self, pulls: Callable[[], None]) -> None:
        """Call ``pulls``, and handle what ``pullMessage`` throws as the thread's loop does."""
        try:
            pulls()
        except Exception:
            return
        except JavaError:
            self.ended = not self._catches_throwable


class PullsConsumer:
    """A push consumer with an ordered listener, for one queue; each action is a method.

    Its process queues can be dropped and stay in the table, unlike those of a concurrent listener. All else is the
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
        """Pull requests sent to the broker and not answered yet."""
        self.asking: ProcessQueue | None = None
        """The process queue whose first pull request waits for its start offset in ``pullMessage``."""
        self.fixed: set[ProcessQueue] = set()
        """Process queues whose first pull request has its start offset."""
        self.left: list[ProcessQueue] = []
        """Process queues that have left the table but may still have pull requests."""
        self.suspended = False
        """Whether the consumer is suspended (field ``pause``)."""

    @property
    def entry(self) -> ProcessQueue | None:
        """The process queue in ``processQueueTable``; None if it has none."""
        return self.driver.table.get(QUEUE)

    def _of_entry(self, requests: Requests, *, old: bool) -> ProcessQueue:
        """Return a process queue with a pull request in ``requests``.

        ``old``: the process queue has left the table. Raises ``Impossible`` if there is none.
        """
        there = self.left if old else [entry for entry in (self.entry,) if entry]
        found = next((entry for entry in there if requests[entry] > 0), None)
        need(found is not None)
        assert found is not None
        return found

    def adds(self, *, silent: bool = False) -> None:
        """Second half of a rebalance: a process queue is added, with a pull request.

        Mirror of ``updateProcessQueueTableInRebalance`` and ``dispatchPullRequest``. ``silent``: the offset
        query gets no answer.
        """
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
        """First half of a rebalance: the process queue is removed or dropped.

        ``in_set``: the consumer still owns the queue, but no pull has begun for too long. ``stays``: the
        process queue is dropped but not removed, because the listener's lock is not available.
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
        """``PullMessageService`` takes a pull request.

        ``old``: its process queue has left the table. ``later``: the pull is delayed.
        """
        self._run(old=old, later=later)

    def _run(
        self, *, old: bool = False, later: bool = False, trouble: Trouble = Trouble.NONE, thrown: str = ""
    ) -> None:
        need(self.asking is None)
        entry = self._of_entry(self.service.waiting, old=old)
        self.service.run(self, entry, later=later, trouble=trouble, thrown=thrown)

    def asks(self) -> None:
        """``pullMessage`` queries the start offset for an ordered queue's first pull request.

        Mirror of ``computePullFromWhereWithException``.
        """
        entry = self.entry
        need(entry is not None and not entry.dropped and entry not in self.fixed)
        assert entry is not None
        need(self.asking is None and not self.service.ended and not self.suspended)
        need(self.service.waiting[entry] > 0)
        self.service.waiting[entry] -= 1
        entry.last_pull_timestamp = NOW
        self.asking = entry

    def sends(self, *, old: bool = False, later: bool = False) -> None:
        """The start offset arrives, and ``pullMessage`` sends the pull.

        The process queue is not checked again. ``later``: the query throws an exception, and the pull is
        delayed.
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
        """Run ``DefaultMQPushConsumerImpl.pullMessage`` with the pull request of a process queue.

        Raises ``StoreException`` or ``JavaError`` as ``thrown`` says. Other parameters: see
        ``PullMessageService.run``.
        """
        if entry.dropped:
            return
        entry.last_pull_timestamp = NOW
        if later or self.suspended:
            self.service.execute_pull_request(entry)
            return
        self._send(entry, trouble=trouble, thrown=thrown)

    def _send(self, entry: ProcessQueue, *, trouble: Trouble, thrown: str) -> None:
        """Send the pull: second half of ``pullMessage``, after any query for the start offset."""
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
        """Handle a failed pull: the request waits again (``PullCallback.onException``)."""
        self.service.execute_pull_request(entry)

    def answers(self, *, old: bool = False) -> None:
        """A pull is answered or fails, and the request waits again.

        Mirror of ``PullCallback.onSuccess`` with or without messages, and of ``onException``.
        """
        entry = self._answered(old=old)
        self.remoting.operation_succeed(entry, self, lambda: self.service.execute_pull_request(entry))

    def _answered(self, *, old: bool) -> ProcessQueue:
        entry = self._of_entry(self.pulling, old=old)
        self.pulling[entry] -= 1
        return entry

    def illegal(self, *, old: bool = False) -> None:
        """The broker answers that the offset is illegal; a repair task is made.

        Mirror of ``onSuccess`` with ``OFFSET_ILLEGAL``.
        """
        entry = self._answered(old=old)
        entry.dropped = True
        self.service.tasks[entry] += 1

    def repairs(self, *, old: bool = False) -> None:
        """The repair task corrects the offset and removes the queue's process queue.

        Mirror of ``updateOffset``, ``persist`` and ``removeProcessQueue``.
        """
        entry = self._of_entry(self.service.tasks, old=old)
        self.service.tasks[entry] -= 1
        found = self.entry
        self.driver.remove_process_queue(QUEUE)
        if found is not None:
            self.left.insert(0, found)

    def waits(self, *, span: int) -> None:
        """``span`` ms pass.

        The clock of the Python code is constant, so the time of the last pull moves back.
        """
        entry = self.entry
        need(entry is not None and span > 0)
        assert entry is not None
        entry.last_pull_timestamp -= span

    def suspends(self) -> None:
        """A user or an offset reset suspends the consumer (``DefaultMQPushConsumerImpl.suspend``)."""
        need(not self.suspended)
        self.suspended = True

    def resumes(self) -> None:
        """The consumer is resumed (``resume``), without the rebalance that follows."""
        need(self.suspended)
        self.suspended = False

    def throws(self) -> None:
        """A user-defined offset store throws an exception when the pull is sent.

        ``pullMessage`` calls its ``readOffset`` for the offset to commit.
        """
        self._of_live(thrown="store")

    def errs(self) -> None:
        """An ``Error`` (a ``Throwable`` that is no ``Exception``) leaves ``pullMessage``."""
        self._of_live(thrown="error")

    def hooks(self) -> None:
        """The user's RPC hook throws an exception if the client calls it."""
        self._of_live(trouble=Trouble.HOOK)

    def overtime(self) -> None:
        """The pull times out before the connection is made."""
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
        """An ``Error`` is thrown in the callback ``onSuccess``."""

        def processed() -> None:
            raise JavaError

        entry = self._answered(old=False)
        self.remoting.operation_succeed(entry, self, processed)

    def interrupts(self) -> None:
        """The thread is interrupted while it puts the pull request back, and only logs that.

        Mirror of ``executePullRequestImmediately``.
        """
        self._answered(old=False)


# One rebalance of one queue of a push consumer, as far as it concerns pull requests.
#
# It is computed from the SMT encoding in ``model.transition``, for truth values as well as for terms.


Transition = Callable[[Entry, Asked, Thrown], Step]
"""SMT encoding of a client's rebalance of one queue, as in claims ``transition.*``."""


@dataclass(frozen=True)
class Rebalanced:
    """The result of a rebalance of one queue."""

    present: Bool
    """Whether the queue has a process queue afterwards."""
    dropped: Bool
    """Whether that process queue is dropped."""
    marked: Bool
    """Whether the rebalance has dropped the process queue that existed before."""
    asked: Bool
    """Whether the rebalance has made a pull request for a new process queue."""


def rebalanced(
    transition: Transition, present: Bool, dropped: Bool, overdue: Bool, in_set: Bool, silent: Bool
) -> Rebalanced:
    """Return the result of a rebalance of a queue whose listener does not run.

    ``overdue``: its last pull is longer ago than ``pullMaxIdleTime``. ``silent``: the query for the start offset of a
    new process queue is not answered.
    """
    given = present, dropped, overdue, in_set, silent
    if any(map(smt.is_expr, given)):
        return _of_terms(transition, *map(term, given))
    return _of_values(transition, *map(truth, given))


def _of_terms(
    transition: Transition,
    present: smt.BoolTerm,
    dropped: smt.BoolTerm,
    overdue: smt.BoolTerm,
    in_set: smt.BoolTerm,
    silent: smt.BoolTerm,
) -> Rebalanced:
    zero = smt.IntVal(0)
    entry = Entry(
        present=present,
        dropped=dropped,
        locked=NO,
        pull_age=smt.If(overdue, PULL_IDLE_LIMIT + 1, zero),
        lock_age=zero,
        consume_lock=smt.IntVal(FREE),
        cached=NO,
        tries=zero,
        memory=smt.IntVal(NO_OFFSET),
    )
    done = transition(entry, push(in_set, smt.If(silent, smt.IntVal(UNANSWERED), zero)), NOTHING_THROWN)
    return Rebalanced(
        done.after.present, done.after.dropped, happens(done.removal, DROP), happens(done.addition, PULL_REQUEST)
    )


@cache
def _of_values(transition: Transition, *given: bool) -> Rebalanced:
    done = _of_terms(transition, *map(term, given))
    return Rebalanced(*(smt.is_true(simplify(term(value))) for value in vars(done).values()))
