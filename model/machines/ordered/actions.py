"""What can happen to one ordered queue, and the clients to which it happens.

Each action function returns the action's guard and the state's changed fields. Its parameters: ``s``, the state before;
``c``, the action's nondeterministic choices; ``lim``, the time limits; ``client``, the client's differences from other
clients.

To add an action: add a function with ``@action`` here, and a method of the same name to ``OrderedConsumer``, whose
arguments have the names of the action's choices. Proofs, searches and comparisons then include the action. New choices
and fields go into ``state.Choices`` and ``state.Ordered``; new fields also into ``STORED``, and their compared values
into ``state``. If other consumers can have the action's effect on the lock, extend ``claims.OTHERS``.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

from rebalance_proofs.model.client.effects import PULL_REQUEST, SCHEDULE_UNLOCK, UNLOCK
from rebalance_proofs.model.client.environment import DENIED, OK
from rebalance_proofs.model.client.go import Go
from rebalance_proofs.model.client.process_queue_table import FREE, HELD, ProcessQueue
from rebalance_proofs.model.machine.client import Code, MachineClient, Wrong, WrongParts, by_name
from rebalance_proofs.model.machine.copies import ME, NOBODY, OTHER
from rebalance_proofs.model.machine.machine import ENVIRONMENT, Actions, Machine, Step, Turn, step
from rebalance_proofs.model.machine.values import And, Bool, If, Implies, Int, Not, Or, Value, number, term, truth
from rebalance_proofs.model.machines.ordered.state import Choices, Limits, Ordered, OrderedRules
from rebalance_proofs.model.ordered.consumer import QUEUE, LockEntry, OrderedConsumer, RebalanceLockManager
from rebalance_proofs.model.releases import java_from
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import NO, YES, simplify
from rebalance_proofs.model.terms.values import Mutant
from rebalance_proofs.model.transition import generations, java
from rebalance_proofs.model.transition.generations import Generation, TakenAsOne
from rebalance_proofs.model.transition.numbers import LOCKS, UNANSWERED
from rebalance_proofs.model.transition.step import (
    NOTHING_THROWN,
    PULL_IDLE_LIMIT,
    Asked,
    Entry,
    Slot,
    Thrown,
    happens,
    push,
)
from rebalance_proofs.model.transition.step import Step as Rebalance

# ---- A rebalance of the queue, as far as it concerns the lock: computed from the SMT encoding in ``model.transition``

Transition = Callable[[Entry, Asked, Thrown], Rebalance]
"""SMT encoding of a client's rebalance of one queue, as in claims ``transition.*``."""


@dataclass(frozen=True)
class Given:
    """Inputs of a rebalance of one queue: all values are numbers, or all are terms.

    If a process queue is removed although its queue is in mqSet, no message was pulled for too long.
    """

    present: Bool
    dropped: Bool
    locked: Bool
    lock_age: Int
    works: Bool
    """Whether the listener runs for the queue's process queue."""
    cached: Bool
    in_set: Bool
    found: Bool
    """Whether a start offset is found for a new process queue."""
    unlock: Int
    """The client's ``unlockDelayTimeMills`` in ms (``Limits.unlock``)."""


@dataclass(frozen=True)
class Rebalanced:
    """Result of a rebalance for the queue."""

    present: Bool
    dropped: Bool
    locked: Bool
    lock_age: Int
    cached: Bool
    unlocks: Bool
    """Whether the client sends an unlock request at once."""
    later: Bool
    """Whether the client schedules an unlock request with a delay."""
    waits: bool
    """Whether the first pull of a new process queue is delayed."""


def asked(in_set: smt.BoolTerm, lock: str, stored: smt.IntTerm, unlock: smt.IntTerm | int) -> Asked:
    """Return the inputs of a rebalance of an ordered push consumer, for its SMT encoding.

    ``in_set``: whether the consumer owns the queue; ``lock``: the broker's answer to its lock request; ``stored``:
    the answer to its offset query.
    """
    told = smt.IntVal(LOCKS.index(lock))
    return push(in_set, stored, lock=told, order=YES, orderly=YES, unlock_delay=unlock)


def rebalanced(transition: Transition, given: Given, *, granted: bool) -> Rebalanced:
    """Return the result of a rebalance for the queue.

    ``granted``: whether the broker grants the lock if the rebalance requests it.
    """
    if any(map(smt.is_expr, vars(given).values())):
        return _of_terms(transition, given, granted)
    return _of_values(transition, given, granted)


def _of_terms(transition: Transition, given: Given, granted: bool) -> Rebalanced:
    in_set, stored = term(given.in_set), smt.If(term(given.found), 0, UNANSWERED)
    entry = entry_of(given, pull_age=smt.If(in_set, PULL_IDLE_LIMIT + 1, smt.IntVal(0)), works=given.works)
    lock = OK if granted else DENIED
    done = transition(entry, asked(in_set, lock, stored, given.unlock), NOTHING_THROWN)
    slots: tuple[Slot, ...] = done.slots
    after, waits = done.after, any(slot.details[1] > 0 for slot in done.addition if slot.name == PULL_REQUEST)
    effects = happens(slots, UNLOCK), happens(slots, SCHEDULE_UNLOCK)
    return Rebalanced(after.present, after.dropped, after.locked, after.lock_age, after.cached, *effects, waits)


def entry_of(given: Any, *, pull_age: Int, works: Bool) -> Entry:
    """Return the process queue as input of the rebalance's encoding; ``given`` has its other fields.

    ``works``: whether the listener runs for it. It has no offset and no failed unlock.
    """
    zero = smt.IntVal(0)
    return Entry(
        present=term(given.present),
        dropped=term(given.dropped),
        locked=term(given.locked),
        pull_age=smt.integer(pull_age),
        lock_age=smt.integer(given.lock_age),
        consume_lock=smt.If(term(works), HELD, FREE),
        cached=term(given.cached),
        tries=zero,
        memory=zero,
    )


@cache
def _of_values(transition: Transition, given: Given, granted: bool) -> Rebalanced:
    done = _of_terms(transition, given, granted)
    flags = {name: _so(value) for name, value in vars(done).items() if name != "lock_age"}
    age = simplify(smt.integer(done.lock_age))
    assert isinstance(age, smt.Numeral)
    return Rebalanced(lock_age=age.number, **flags)


def _so(value: Bool) -> bool:
    return smt.is_true(simplify(term(value)))


# ---- Differences between clients, and how their code stores the state


@dataclass(frozen=True)
class OrderedClient(MachineClient, TakenAsOne):
    """Releases of a client whose ordered consumption behaves the same."""

    rules: OrderedRules
    few_mutants: bool = False
    """Whether only the mutants in ``FEW`` are tested.

    This is enough if the client differs from another client only in the rebalance.
    """

    @cached_property
    def transition(self) -> Transition:
        """The client's rebalance of one queue, as an SMT encoding."""
        return java.encoding(self.rebalance).step

    @cached_property
    def mutants(self) -> tuple[Mutant, ...]:
        """Mutants of the encoding, each with one error; only those in ``FEW`` if ``few_mutants``."""
        return tuple(one for one in super().mutants if one.name in FEW or not self.few_mutants)

    @cached_property
    def code(self) -> Code[Ordered, Choices, Limits, OrderedConsumer]:
        """How the client's Python code implements the machine (refinement map)."""

        def several(limits: Limits, client_ids: Sequence[int]) -> list[OrderedConsumer]:
            broker = RebalanceLockManager(number(limits.broker))
            return [self.consumer(client_id, broker, limits) for client_id in client_ids]

        own = by_name(lambda limits: several(limits, (ME,))[0], OrderedConsumer, ORDERED, STORED, _put, _seen)
        return replace(own, form=_form, several=several, asks={"listed": lambda consumer: consumer.listed})

    @property
    def gives_back(self) -> bool:
        """Whether a rebalance that removes a queue unlocks it."""
        return self.rebalance.gives_back

    @property
    def renews_under_listener(self) -> bool:
        """Whether ``lockAll`` renews the lock while the listener runs.

        It does if the process queue stays in the table until then, and ``lockAll`` does not skip it.
        """
        return self.rules.renews_marked and self.gives_back

    @property
    def pulls_later(self) -> bool:
        """Whether the client delays the first pull of a new process queue (``Limits.first_pull``)."""
        return self.rebalance.pull_delay > 0

    @property
    def forces(self) -> bool:
        """Whether the client unlocks a queue whose listener runs if the lock is old.

        The lock was then not renewed for too long.
        """
        return self.rebalance.gives_back and self.rebalance.keeps_offset and self.rebalance.forces

    @property
    def puts_off(self) -> bool:
        """Whether the client delays the unlock of a queue with cached messages."""
        return self.rebalance.gives_back and not self.rebalance.keeps_offset

    def consumer(self, client_id: int, broker: RebalanceLockManager, limits: Limits) -> OrderedConsumer:
        """Return a new consumer that runs the client's Python code."""
        return OrderedConsumer(self.made, client_id, broker, limits, rules=self.rules)


STORED = {name: name for name in ("now", "pulls_from", "since", "stopping", "waits_since", "cut", "yielded", "closed")}
"""Fields of the state that the consumer stores in attributes of the same names."""


def _form(s: Ordered, lim: Limits) -> Bool:
    """Check that the state is one that an ``OrderedConsumer`` can have.

    Absent things have no flags, and a listener without a process queue in the table works on one that has left it.
    """
    of_entry = Implies(Or(s.dropped, s.locked, s.cached), s.present)
    of_call = And(Implies(Or(s.orphan, s.twice), s.runs), Implies(And(s.runs, Not(s.present)), s.orphan))
    return And(of_entry, of_call, Not(And(s.present, s.adding)))


def _put(consumer: OrderedConsumer, s: Ordered, c: Choices) -> None:
    """Set the other attributes of a new consumer so that they represent the state ``s``.

    If the choice ``more`` holds, the consumer gets two of the objects that the action concerns.
    """
    entry = None
    if s.present:
        entry = ProcessQueue(
            dropped=truth(s.dropped),
            locked=truth(s.locked),
            last_pull_timestamp=number(s.now),
            last_lock_timestamp=number(s.stamp),
            consume_lock=FREE,
            cached=1 if s.cached else 0,
        )
        consumer.rebalance.process_queue_table[QUEUE] = entry
    if s.runs:
        consumer.listener = ProcessQueue() if s.orphan or entry is None else entry
        consumer.message_queue_lock.fetch_lock_object(QUEUE).calls = 2 if s.twice else 1
    consumer.grants = [number(s.answered_at)] if s.answered else []
    consumer.adding = number(s.adding_at) if s.adding else None
    several = 2 if c.more else 1
    consumer.unlocks = several if s.unlocking else 0
    consumer.put_off = [number(s.due)] * several if s.later else []
    consumer.broker.entry = None if s.holder == NOBODY else LockEntry(number(s.holder), number(s.updated))


def _seen(consumer: OrderedConsumer) -> dict[str, int]:
    """Return the rest of the consumer's state, as a number for each field of the machine.

    Times of absent things are left out and keep their values.
    """
    entry, listener, lock = consumer.entry, consumer.listener, consumer.broker.entry
    found = {
        "present": entry is not None,
        "dropped": entry is not None and entry.dropped,
        "locked": entry is not None and entry.locked,
        "cached": entry is not None and entry.cached > 0,
        "runs": listener is not None,
        "orphan": listener is not None and listener is not entry,
        "twice": consumer.message_queue_lock.fetch_lock_object(QUEUE).calls > 1,
        "answered": bool(consumer.grants),
        "adding": consumer.adding is not None,
        "unlocking": consumer.unlocks > 0,
        "later": bool(consumer.put_off),
        "holder": NOBODY,
    }
    times = {
        "stamp": None if entry is None else entry.last_lock_timestamp,
        "answered_at": consumer.grants[-1] if consumer.grants else None,
        "adding_at": consumer.adding,
        "due": consumer.put_off[-1] if consumer.put_off else None,
    }
    if lock is not None:
        named = {"holder": ME if lock.client_id == consumer.client_id else OTHER}
        found |= {**named, "updated": lock.last_update_timestamp}
    return found | {name: time for name, time in times.items() if time is not None}


# ---- Actions of the consumer and of the broker

action: Actions[Ordered, Choices, Limits, OrderedClient] = Actions()
LOST = ", but the answer is lost"


def _does(s: Ordered, guard: Bool, **changes: Value) -> Step:
    """Return a step that also updates ``left``.

    ``left``: the last time at which the queue had a process queue, or one was being added.
    """
    after = s.but(**changes)
    concerned = Or(s.present, s.adding, after.present, after.adding)
    return step(guard, **{**changes, "left": If(concerned, s.now, after.left)})


def _becomes(s: Ordered, guard: Bool, after: Ordered) -> Step:
    changed = {name: value for name, value in vars(after).items() if value is not getattr(s, name)}
    return _does(s, guard, **changed)


def _grantable(s: Ordered, lim: Limits) -> Bool:
    """Check whether ``RebalanceLockManager.tryLockBatch`` grants the lock to this consumer."""
    return Or(s.holder == NOBODY, s.holder == ME, s.now - s.updated > lim.broker)


def _granted(s: Ordered) -> dict[str, Value]:
    owned_from = If(s.lost, s.now, s.owned_from)
    ghosts: dict[str, Value] = {"granted_at": s.now, "released": False, "owned_from": owned_from, "lost": False}
    return {**ghosts, "holder": ME, "updated": s.now}


@action(
    "The broker grants a lock request that is not from a rebalance.",
    lambda before, after, c, client: f"The broker renews the lock of {{who}}{'' if c.heard else LOST}",
    choices=("heard",),
)
def renews(s: Ordered, c: Choices, lim: Limits, client: OrderedClient) -> Step:
    """The broker grants a renewal of the lock (``lockAll`` or ``tryLockLaterAndReconsume``)."""
    answered: dict[str, Value] = {
        "answered": Or(s.answered, c.heard),
        "answered_at": If(c.heard, s.now, s.answered_at),
    }
    return _does(s, _grantable(s, lim), **_granted(s), **answered)


@action("The grant of a renewal reaches the consumer.", "{who} learns that its lock was renewed")
def renewed(s: Ordered, c: Choices, lim: Limits, client: OrderedClient) -> Step:
    """The newest grant reaches the consumer, together with earlier ones."""
    stamp = If(s.present, s.now, s.stamp)
    return _does(s, s.answered, answered=False, locked=Or(s.locked, s.present), stamp=stamp)


@action("The denial of a renewal reaches the consumer.", "{who} learns that its lock was not renewed")
def refused(s: Ordered, c: Choices, lim: Limits, client: OrderedClient) -> Step:
    """A denied renewal reaches the consumer.

    This is possible at any time, whichever consumer holds the lock.
    """
    return _does(s, s.present, locked=False, stamp=s.now if client.rules.stamps_denials else s.stamp)


def _told_revokes(before: Ordered, after: Ordered, c: Choices, client: OrderedClient) -> str:
    words = "A rebalance removes the process queue of {who}"
    if after.present:
        words = "A rebalance drops the process queue of {who}, but cannot remove it because its listener runs"
    return words + (", because it has pulled nothing for two minutes" if c.in_set else "")


@action("A rebalance removes the process queue, or drops it.", _told_revokes, choices=("in_set",))
def revokes(s: Ordered, c: Choices, lim: Limits, client: OrderedClient) -> Step:
    """First half of a rebalance: the process queue is removed, or dropped.

    The consumer does not own the queue any more, or no message was pulled for too long.
    """
    done = rebalanced(client.transition, _given(s, lim, c.in_set, s.present, True), granted=False)
    kept = s.but(dropped=done.dropped, locked=done.locked, unlocking=Or(s.unlocking, done.unlocks))
    kept = kept.but(later=Or(s.later, done.later), due=If(done.later, s.now + lim.unlock, s.due))
    return _becomes(s, And(s.present, Not(s.adding)), _gone(kept, Not(done.present)))


def _given(s: Ordered, lim: Limits, in_set: Bool, present: Bool, found: Bool) -> Given:
    return Given(present, s.dropped, s.locked, s.now - s.stamp, _works(s), s.cached, in_set, found, lim.unlock)


def _works(s: Ordered) -> Bool:
    """Check whether the listener runs for the process queue in the table."""
    return And(s.runs, Not(s.orphan))


def _gone(s: Ordered, goes: Bool) -> Ordered:
    """Return the state where the process queue has left the table, if ``goes`` holds."""
    stays = Not(goes)
    flags: dict[str, Value] = {
        name: And(getattr(s, name), stays) for name in ("present", "dropped", "locked", "cached")
    }
    return s.but(**flags, orphan=Or(s.orphan, And(goes, s.runs)))


@action(
    "The consumer unsubscribes from the topic.",
    "{who} unsubscribes from the topic: only its process queue is removed",
)
def unsubscribes(s: Ordered, c: Choices, lim: Limits, client: OrderedClient) -> Step:
    """The process queue leaves the table without an unlock, after an unsubscription.

    Mirror of ``truncateMessageQueueNotMyTopic``.
    """
    return _becomes(s, And(s.present, Not(s.adding)), _gone(s, True))


@action(
    "The broker grants a rebalance's lock request.",
    lambda before, after, c, client: (
        f"A rebalance of {{who}} requests the lock: the broker grants it{'' if c.heard else LOST}"
    ),
    choices=("heard",),
)
def locks(s: Ordered, c: Choices, lim: Limits, client: OrderedClient) -> Step:
    """The broker grants the lock to a rebalance that adds the queue.

    The queue has no process queue, and no rebalance is adding one yet.
    """
    idle = Not(Or(s.present, s.adding, s.closed))
    added: dict[str, Value] = {"adding": c.heard, "adding_at": If(c.heard, s.now, s.adding_at), "left": s.now}
    return step(And(idle, _grantable(s, lim)), **_granted(s), **added)


@action(
    "The rebalance adds the queue, if it finds an offset to start at.",
    lambda before, after, c, client: (
        f"{{who}} receives the grant and adds the queue{'' if c.found else ', but finds no offset to start at'}"
    ),
    choices=("found",),
)
def adds(s: Ordered, c: Choices, lim: Limits, client: OrderedClient) -> Step:
    """Second half of a rebalance: the grant arrives, and a process queue may be added."""
    done = rebalanced(client.transition, _given(s, lim, True, False, c.found), granted=True)
    has, pulls_from = done.present, s.now + (lim.first_pull if done.waits else 0)
    return _does(
        s,
        s.adding,
        adding=False,
        present=has,
        dropped=And(has, done.dropped),
        locked=And(has, done.locked),
        cached=And(has, done.cached),
        stamp=If(has, s.now - done.lock_age, s.stamp),
        pulls_from=If(has, pulls_from, s.pulls_from),
    )


@action(
    "An unlock request reaches the broker.",
    "The unlock request of {who} reaches the broker",
    choices=("more",),
)
def unlocked(s: Ordered, c: Choices, lim: Limits, client: OrderedClient) -> Step:
    """An unlock request arrives, and the broker frees the lock if it is this consumer's.

    Mirror of ``RebalanceLockManager.unlockBatch``.
    """
    mine = s.holder == ME
    holder = If(mine, NOBODY, s.holder)
    return _does(s, s.unlocking, unlocking=c.more, released=Or(s.released, mine), holder=holder)


@action("The consumer sends a delayed unlock request.", "{who} sends its delayed unlock request", choices=("more",))
def sends_unlock(s: Ordered, c: Choices, lim: Limits, client: OrderedClient) -> Step:
    """A delayed unlock request is sent, because its delay is over (``unlockDelay``)."""
    return _does(s, And(s.later, s.now >= s.due), unlocking=True, later=c.more)


@action("The consumer pulls messages.", "{who} pulls messages")
def pulls(s: Ordered, c: Choices, lim: Limits, client: OrderedClient) -> Step:
    """Pulled messages arrive.

    During shutdown, no new consume request starts; only a running request takes messages.
    """
    taken = Or(Not(s.stopping), _works(s))
    return _does(s, And(s.present, Not(s.dropped), Not(s.cached), s.now >= s.pulls_from, taken), cached=True)


@action(
    "The consumer checks that its lock is recent, and calls its listener.",
    "{who} checks that its lock is recent and calls its listener",
    choices=("more",),
)
def starts(s: Ordered, c: Choices, lim: Limits, client: OrderedClient) -> Step:
    """The listener is called, after ``ConsumeRequest.run`` has checked the lock.

    Between the two, the client waits for the consume lock and checks ``dropped`` again. Events in that time can
    also happen while the listener runs. If the process queue is dropped, the listener is not called, which equals a
    call that has already returned. So no behaviour is lost by counting the listener's time from the check.
    """
    believed = And(s.locked, s.now - s.stamp <= lim.client)
    # After the interrupt no request begins, and the last one continues for at most ``loop``. Before it, new requests
    # begin.
    goes_on = Implies(s.cut, s.now <= s.waits_since + lim.loop)
    # ``MessageQueueLock`` has one object per queue, whichever process queue the queue has.
    can = And(s.present, Not(s.dropped), believed, s.cached, Not(s.runs), goes_on)
    called: dict[str, Value] = {"call_from": s.owned_from, "call_lost": s.lost, "call_lost_at": s.lost_at}
    return _does(s, can, **called, runs=True, since=s.now, orphan=False, twice=s.runs, cached=c.more)


@action("The listener returns.", "The listener of {who} returns", choices=("more",))
def ends(s: Ordered, c: Choices, lim: Limits, client: OrderedClient) -> Step:
    """The listener returns.

    Messages to be consumed again wait for a later request. During shutdown, no later request is accepted.
    """
    again = And(c.more, s.present, Not(s.orphan))
    cached = Or(And(again, Not(s.stopping)), And(Not(again), s.cached))
    return _does(s, s.runs, runs=False, orphan=False, twice=False, cached=cached)


@action("The consumer begins to shut down.", "{who} begins to shut down")
def shuts(s: Ordered, c: Choices, lim: Limits, client: OrderedClient) -> Step:
    """Shutdown begins; a running listener continues.

    A request checks whether its process queue is dropped, locked and recently renewed, and how long the request has
    run. It does not check whether the consumer shuts down.
    """
    return _does(s, Not(Or(s.stopping, s.closed)), stopping=True, waits_since=s.now)


def _ending(s: Ordered) -> Bool:
    """Check whether the consumer is shutting down and has not yet released its locks."""
    return And(s.stopping, Not(Or(s.yielded, s.closed)))


def _waited(s: Ordered, lim: Limits) -> Bool:
    return s.now >= s.waits_since + lim.wait


@action(
    "The shutdown stops waiting for the listener and interrupts it.",
    "The shutdown of {who} stops waiting and interrupts its listener",
    choices=("more",),
    has=lambda client: client.rules.waits_for_listener,
)
def interrupts(s: Ordered, c: Choices, lim: Limits, client: OrderedClient) -> Step:
    """``shutdownNow`` drops requests that have not begun.

    ``c.more``: a request has begun, and is between two listener calls.
    """
    begun = Or(_works(s), c.more)
    can = And(_ending(s), Not(s.cut), _waited(s, lim))
    return _does(s, can, cut=True, waits_since=s.now, cached=And(s.cached, begun))


@action("The shutdown sends unlock requests for all locks.", "The shutdown of {who} releases its locks")
def gives_back(s: Ordered, c: Choices, lim: Limits, client: OrderedClient) -> Step:
    """``unlockAll``: no listener call runs, or the shutdown has waited a second time.

    Process queues lose their ``locked`` flag but stay in the table. If a second renewer runs, it can acquire the locks
    again.
    """
    spoken_of = s.present if client.rules.unlocks_dropped else And(s.present, Not(s.dropped))
    waited = And(s.cut, _waited(s, lim)) if client.rules.waits_for_listener else True
    return _does(
        s,
        And(_ending(s), Or(waited, Not(s.runs))),
        yielded=True,
        unlocking=Or(s.unlocking, spoken_of),
        locked=And(s.locked, Not(spoken_of)),
        # Without the second wait, all requests have ended, and no more are accepted.
        cached=And(s.cached, waited),
    )


@action("The shutdown empties the consumer's table and ends.", "The shutdown of {who} empties its table and ends")
def clears(s: Ordered, c: Choices, lim: Limits, client: OrderedClient) -> Step:
    """``destroy``: all process queues are dropped and leave the table."""
    return _becomes(s, And(s.yielded, Not(s.closed)), _gone(s, True).but(closed=True))


@action("The consumer's process crashes or is killed.", "The process of {who} crashes or is killed")
def crashes(s: Ordered, c: Choices, lim: Limits, client: OrderedClient) -> Step:
    """The process ends at once and sends nothing."""
    none = ("locked", "cached", "runs", "orphan", "twice", "answered", "adding", "later", "cut", "yielded")
    gone: dict[str, Value] = dict.fromkeys((*none, "present", "dropped"), False)
    return _does(s, Not(s.closed), **gone, stopping=True, closed=True)


@action(
    "The client instance or the process of a stopped consumer ends, and its delayed unlock request is never sent.",
    "The process of {who} ends, and its delayed unlock request is never sent",
    has=lambda client: client.puts_off,
)
def exits(s: Ordered, c: Choices, lim: Limits, client: OrderedClient) -> Step:
    """The process ends after its shutdown, or the last consumer of its client instance has shut down.

    The task of a delayed unlock belongs to the instance, and so do the connections that it needs
    (``MQClientInstance.shutdown``).
    """
    return _does(s, And(s.yielded, s.closed, s.later), later=False)


@action("The broker restarts and loses all locks.", by=ENVIRONMENT)
def restarts(s: Ordered, c: Choices, lim: Limits, client: OrderedClient) -> Step:
    """The broker restarts and loses its locks, or another broker takes its place."""
    return step(True, holder=NOBODY)


def listed(rules: OrderedRules, s: Ordered) -> Bool:
    """Check whether ``lockAll`` includes the queue in its lock request."""
    left = s.closed if rules.renews_on else s.stopping
    return And(s.present, Not(left), Or(rules.renews_marked, Not(s.dropped)))


def _nothing(blank: Ordered, lim: Limits, client: OrderedClient) -> Ordered:
    """Return the first state: the consumer has no process queue, and the lock is free."""
    return blank.but(released=True, lost=True)


ORDERED = Machine(
    Ordered,
    Choices,
    Limits,
    _nothing,
    action,
    parts={
        "rules": lambda client: client.rules,
        "step": lambda client: client.transition,
        "listed": lambda client: lambda s: listed(client.rules, s),
    },
)

# ---- Mutants, each with one error that a claim (``WRONG``) or a proof (``SLIPS``) must reject

Mistake = Wrong[Ordered, Choices, Limits, OrderedClient]
MistakenParts = WrongParts[OrderedClient]
Turned = Turn[Ordered]
EXCLUSIVE = "exclusive"


def _as_it_is(s: Ordered, c: Choices, lim: Limits, turn: Turned) -> Turned:
    return turn


def _under_the_listener(s: Ordered, c: Choices, lim: Limits, turn: Turned) -> Turned:
    gone = And(s.present, Not(turn.after.present))
    return turn.but(orphan=Or(s.orphan, And(gone, s.runs)))


def _adds_unasked(s: Ordered, c: Choices, lim: Limits, turn: Turned) -> Turned:
    return replace(turn, guard=Not(Or(s.present, s.adding, s.runs, s.closed)))


def _hurries(s: Ordered, c: Choices, lim: Limits, turn: Turned) -> Turned:
    return replace(turn, guard=And(turn.guard, s.now - s.stamp < lim.client))


def _renews_on(right: Any) -> dict[str, Any]:
    rules: OrderedRules = replace(right.rules, renews_on=True)
    return {"rules": rules, "listed": lambda s: listed(rules, s)}


def _fills(right: Any) -> dict[str, Any]:
    rebalances: Transition = right.step

    def fills(entry: Entry, asked: Asked, thrown: Thrown) -> Rebalance:
        step = rebalances(entry, asked, thrown)
        cached = term(Or(step.after.cached, asked.lock == LOCKS.index(DENIED)))
        return replace(step, after=replace(step.after, cached=cached))

    return {"step": fills}


def _gives_back(client: OrderedClient) -> bool:
    return client.gives_back


def _renews_twice(client: OrderedClient) -> bool:
    return client.rules.renews_on


WRONG = (
    Mistake(
        "trusts-for-ever",
        "A consumer relies on a lock however old it is.",
        _as_it_is,
        "starts",
        EXCLUSIVE,
        takes_for=lambda s: s.but(stamp=s.now),
    ),
    Mistake(
        "hears-too-much",
        "A consumer counts a renewal as granted without an answer.",
        lambda s, c, lim, turn: replace(turn, guard=s.present),
        "renewed",
        EXCLUSIVE,
    ),
    Mistake(
        "grants-to-all",
        "The broker grants every lock request of a rebalance.",
        lambda s, c, lim, turn: replace(turn, guard=Not(Or(s.present, s.adding, s.closed))),
        "locks",
        EXCLUSIVE,
    ),
    Mistake(
        "renews-for-all",
        "The broker renews the lock for every consumer that asks.",
        lambda s, c, lim, turn: replace(turn, guard=True),
        "renews",
        EXCLUSIVE,
    ),
    Mistake(
        "returns-too-early",
        "A renewal releases the lock.",
        lambda s, c, lim, turn: turn.but(unlocking=s.present),
        "renews",
        EXCLUSIVE,
    ),
    Mistake(
        "under-the-listener",
        "A rebalance releases the lock under a running listener.",
        _under_the_listener,
        "revokes",
        EXCLUSIVE,
        _gives_back,
        lambda s: s.but(orphan=True),
    ),
    Mistake(
        "frees-any",
        "The broker accepts unlock requests from every consumer.",
        lambda s, c, lim, turn: turn.but(holder=NOBODY),
        "unlocked",
        EXCLUSIVE,
        _gives_back,
    ),
    Mistake(
        "adds-unasked", "A rebalance adds a queue without its lock.", _adds_unasked, "adds", EXCLUSIVE, _gives_back
    ),
    Mistake(
        "waits-for-nothing",
        "A shutdown releases the locks at once, whatever its wait setting is.",
        lambda s, c, lim, turn: replace(turn.but(cached=s.cached), guard=_ending(s)),
        "gives_back",
        EXCLUSIVE,
        _renews_twice,
    ),
    Mistake(
        "pulls-at-once",
        "The first pull of a new process queue is not delayed.",
        _as_it_is,
        "pulls",
        "exclusive.renewed-alike",
        _renews_twice,
        lambda s: s.but(pulls_from=s.now),
    ),
    MistakenParts(
        "renews-on",
        "Renewals continue after the consumer's shutdown.",
        _renews_on,
        "given-back",
        lambda client: client.rules.waits_for_listener and not client.rules.renews_on,
    ),
)
FEW = ("trusts-for-ever", "grants-to-all", "under-the-listener", "pulls-at-once", "renews-on")
"""Names of the mutants for a client that differs from another one only in the rebalance.

They are errors in the rebalance, and a few others.
"""
SLIPS = (
    Mistake(
        "runs-on",
        "After any action, a listener runs.",
        lambda s, c, lim, turn: turn.but(runs=True, since=turn.after.since + 1, unlocking=True),
    ),
    Mistake(
        "again",
        "After any action, two listener calls run, and the process queue leaves the table later than now.",
        lambda s, c, lim, turn: turn.but(twice=True, left=turn.after.left + 1),
    ),
    Mistake(
        "keeps",
        "After any action, the consumer holds the lock that its shutdown released.",
        lambda s, c, lim, turn: turn.but(yielded=True, stopping=False, unlocking=False, holder=ME),
    ),
    MistakenParts("forgets", "No lock is ever renewed.", lambda right: {"listed": lambda s: NO}),
    Mistake("hurries", "The listener is not called at the last permitted moment.", _hurries, "starts"),
    Mistake(
        "sends-again",
        "An unlock request is sent that was not delayed.",
        lambda s, c, lim, turn: replace(turn, guard=True),
        "sends_unlock",
    ),
    MistakenParts("fills", "Messages arrive where a lock is denied.", _fills),
)
"""Mutants where every action also makes one wrong change, and others.

See ``proofs.mutation.slips``.
"""

OrderedClient.machine, OrderedClient.wrong = ORDERED, WRONG

# ---- Clients. To add a client, add a line to ``CLIENTS``

V4_9 = OrderedClient(
    "java_v4_9",
    "Java 4.9.5 to 4.9.8",
    (generations.V4_9_5, generations.V4_9_8),
    OrderedRules(unlocks_dropped=True, renews_marked=True),
)
V4_9_0 = OrderedClient(
    "java_v4_9_0",
    "Java 4.9.0 to 4.9.4",
    (generations.V4_9_0, generations.V4_9_1),
    OrderedRules(unlocks_dropped=True, renews_marked=True),
    few_mutants=True,
)
"""Java 4.9.0 to 4.9.4: a new process queue waits for the first renewal of its lock.

See rocketmq#2621. Known from its source; it was not run.
"""
V5_0 = OrderedClient(
    "java_v5_0",
    "Java 5.0 to 5.1.4",
    (generations.V5_0,),
    OrderedRules(unlocks_dropped=False, renews_on=True),
    few_mutants=True,
)
V5_2 = OrderedClient(
    "java_v5_2",
    java_from("5.2"),
    generations.FROM_5_2,
    OrderedRules(unlocks_dropped=False, renews_on=True),
)
GO = OrderedClient(
    "go",
    "Go 2.1",
    (Generation(("go",), Go, replace(generations.V4_9_8.rules, gives_back=False, new_locked=False)),),
    OrderedRules(
        unlocks_dropped=True,
        renews_marked=True,
        waits_for_listener=False,
        stamps_denials=True,
        constants=("client", "renewal"),
    ),
)
"""Go 2.1: known from its source. Its ordered consumption was not run or recorded."""

CLIENTS = (V4_9_0, V4_9, V5_0, V5_2, GO)
"""All clients. Changes of Java, by the properties of ``OrderedClient`` and its rules:

- 4.9.5: a new process queue is locked at once, instead of by the first renewal (``rebalance.new_locked``).
- 5.0: a second thread renews locks until the shutdown ends (``renews_on``), locks of dropped process queues are not
  renewed (``renews_marked``) or unlocked at the shutdown (``unlocks_dropped``), and first pulls come later
  (``pulls_later``).
- 5.2: a queue with cached messages is unlocked at once, not after ``unlockDelayTimeMills`` (``puts_off``). A rebalance
  also unlocks a queue whose listener runs, if its last renewal is older than ``unlockDelayTimeMills`` (``forces``).
  Default settings do not exclude it.
"""
OLDER = (V4_9_0,)
"""Clients for which no claim drops an assumption."""
