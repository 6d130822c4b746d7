"""A queue in all rebalances (rounds) of a case, as SMT terms."""

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace

from rebalance_proofs.model.client.effects import PROCESS_QUEUE_LOCKED
from rebalance_proofs.model.client.environment import EXC
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import NO, YES
from rebalance_proofs.model.transition.numbers import LOCKS
from rebalance_proofs.model.transition.step import Asked, Batch, Entry, Step, Thrown, TransitionEncoding, happens
from rebalance_proofs.model.transition.variables import CONSUMER, MODE, QUEUE, ROUND, values_of


@dataclass(frozen=True)
class View:
    """One queue in a case: its first process queue, its inputs and results in each rebalance."""

    before: Entry
    asked: tuple[Asked, ...]
    """The inputs of each rebalance."""
    steps: tuple[Step, ...]
    meant: smt.BoolTerm = YES
    """Whether the claimed guarantee covers the queue."""

    @property
    def mine(self) -> smt.BoolTerm:
        """Whether the queue belongs to the rebalanced topic."""
        return self.asked[0].mine

    @property
    def after(self) -> Entry:
        """The queue's process queue after the last rebalance."""
        return self.steps[-1].after


def entry_of(v: SimpleNamespace, queue: int = 0) -> Entry:
    """Return a queue's process queue before the first rebalance, from the unknowns ``v``."""
    terms = values_of(v, QUEUE, queue)
    return Entry(
        present=terms.present == 1,
        dropped=terms.dropped == 1,
        locked=terms.locked == 1,
        pull_age=terms.pull_age,
        lock_age=terms.lock_age,
        consume_lock=terms.consume_lock,
        cached=terms.cached == 1,
        tries=smt.IntVal(0),
        memory=terms.memory,
    )


def asked_of(v: SimpleNamespace, queue: int = 0, round_: int = 0) -> Asked:
    """Return the inputs of one rebalance for a queue, from the unknowns ``v``."""
    terms, mode, consumer = values_of(v, ROUND, queue, round_), values_of(v, MODE, 0), values_of(v, CONSUMER, 0)
    return Asked(
        mine=values_of(v, QUEUE, queue).mine == 1,
        static=values_of(v, QUEUE, queue).static == 1,
        in_set=terms.in_set == 1,
        lock=terms.lock,
        stored=terms.stored,
        queried=terms.queried,
        persist=terms.persist,
        kind=mode.kind,
        order=mode.order == 1,
        orderly=mode.orderly == 1,
        broadcasting=mode.broadcasting == 1,
        own_store=mode.own_store == 1,
        where=consumer.where,
        retry=consumer.retry == 1,
    )


def view_of(encoding: TransitionEncoding, v: SimpleNamespace, thrown: tuple[Thrown, ...], queue: int = 0) -> View:
    """Return one queue in all rebalances; ``thrown``: exceptions of other queues, by rebalance."""
    entry = before = entry_of(v, queue)
    steps, asked = [], []
    for round_, others in enumerate(thrown):
        asked.append(asked_of(v, queue, round_))
        steps.append(encoding.step(entry, asked[-1], others))
        entry = steps[-1].after
    return View(before, tuple(asked), tuple(steps))


def unsubscribed(encoding: TransitionEncoding, v: SimpleNamespace, queue: int = 0) -> View:
    """Return one queue in the rebalance after its topic was unsubscribed."""
    entry = entry_of(v, queue)
    return View(entry, (asked_of(v, queue),), (encoding.unsubscribe(entry),))


def renewed(encoding: TransitionEncoding, v: SimpleNamespace, found: smt.BoolTerm, queue: int = 0) -> View:
    """Return one queue whose lock is to be renewed; the call fails if its answer is ``EXC``.

    ``found``: whether an earlier queue of the call is on the same broker.
    """
    entry, asked = entry_of(v, queue), asked_of(v, queue)
    batch = Batch(found, asked.lock == LOCKS.index(EXC))
    return View(entry, (asked,), (encoding.renew(entry, asked, batch),))


@dataclass(frozen=True)
class Table:
    """All queues of a case, as SMT terms, with exceptions of each rebalance."""

    views: tuple[View, ...]
    thrown: tuple[smt.BoolTerm, ...]
    """For each rebalance, whether an exception leaves the client's method."""

    def any(self, condition: Callable[[View], smt.BoolTerm]) -> smt.BoolTerm:
        """Return the condition that ``condition`` holds for at least one queue."""
        return smt.Or([condition(view) for view in self.views])


def table_of(encoding: TransitionEncoding, v: SimpleNamespace, queues: int, rounds: int) -> Table:
    """Return ``queues`` queues in ``rounds`` rebalances, in the client's order of iteration.

    Each queue can throw an exception in its turn, which then affects the queues after it.
    """
    entries = befores = [entry_of(v, queue) for queue in range(queues)]
    asked: list[list[Asked]] = []
    steps: list[list[Step]] = []
    thrown = []
    for round_ in range(rounds):
        asked.append([asked_of(v, queue, round_) for queue in range(queues)])
        steps.append(_round(encoding, entries, asked[-1]))
        thrown.append(smt.Or([smt.Or(step.removing_throws, step.adding_throws) for step in steps[-1]]))
        entries = [step.after for step in steps[-1]]
    by_queue = zip(befores, zip(*asked, strict=True), zip(*steps, strict=True), strict=True)
    return Table(tuple(View(before, tuple(told), tuple(done)) for before, told, done in by_queue), tuple(thrown))


def _round(encoding: TransitionEncoding, entries: list[Entry], asked: list[Asked]) -> list[Step]:
    """Return the results of one rebalance for all queues.

    First each queue is removed if it is obsolete, then each queue is added if it is new.
    """
    removing: list[smt.BoolTerm] = []
    thrown = NO
    for entry, told in zip(entries, asked, strict=True):
        removing.append(thrown)
        thrown = smt.Or(thrown, encoding.step(entry, told, Thrown(thrown, thrown, thrown)).removing_throws)
    adding: list[smt.BoolTerm] = []
    for entry, told, before in zip(entries, asked, removing, strict=True):
        adding.append(thrown)
        thrown = smt.Or(thrown, encoding.step(entry, told, Thrown(before, thrown, thrown)).adding_throws)
    turns = zip(entries, asked, removing, adding, strict=True)
    return [encoding.step(entry, told, Thrown(one, two, thrown)) for entry, told, one, two in turns]


def renewed_table(encoding: TransitionEncoding, v: SimpleNamespace, queues: int) -> Table:
    """Return ``queues`` queues whose locks are renewed in one call.

    All are on one broker or belong to its static topics.
    """
    entries, asked = [entry_of(v, queue) for queue in range(queues)], [asked_of(v, queue) for queue in range(queues)]
    found, befores = NO, []
    for entry, told in zip(entries, asked, strict=True):
        befores.append(found)
        asks = happens(encoding.renew(entry, told, Batch(NO, NO)).addition, PROCESS_QUEUE_LOCKED)
        found = smt.Or(found, smt.And(asks, smt.Not(told.static)))
    turns = list(zip(entries, asked, befores, strict=True))
    calls = [encoding.renew(entry, told, Batch(before, NO)) for entry, told, before in turns]
    sent = [happens(call.addition, PROCESS_QUEUE_LOCKED) for call in calls]
    fails = smt.Or([smt.And(here, told.lock == LOCKS.index(EXC)) for here, told in zip(sent, asked, strict=True)])
    steps = [encoding.renew(entry, told, Batch(before, fails)) for entry, told, before in turns]
    views = zip(entries, asked, steps, strict=True)
    return Table(tuple(View(entry, (told,), (step,)) for entry, told, step in views), (NO,))
