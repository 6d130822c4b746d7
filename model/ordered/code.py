"""Refinement map: how ``OrderedConsumer`` implements the machine of ordered consumption.

It gives the object's attribute for each field of the state, and the method for each action.
"""

from collections.abc import Callable, Mapping, Sequence

from rebalance_proofs.model.client.process_queue import FREE, ProcessQueue
from rebalance_proofs.model.machine.client import Code
from rebalance_proofs.model.machine.copies import ME, NOBODY, OTHER
from rebalance_proofs.model.machine.values import And, Bool, Implies, Not, Or, number, truth
from rebalance_proofs.model.ordered.consumer import QUEUE, OrderedConsumer
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.lock_manager import LockEntry, RebalanceLockManager
from rebalance_proofs.model.ordered.state import Choices, Ordered

Call = Callable[[OrderedConsumer, Choices], None]
CALLS: Mapping[str, Call] = {
    "renews": lambda consumer, c: consumer.renews(heard=truth(c.heard)),
    "renewed": lambda consumer, c: consumer.renewed(),
    "refused": lambda consumer, c: consumer.refused(),
    "revokes": lambda consumer, c: consumer.revokes(in_set=truth(c.in_set)),
    "unsubscribes": lambda consumer, c: consumer.unsubscribes(),
    "locks": lambda consumer, c: consumer.locks(heard=truth(c.heard)),
    "adds": lambda consumer, c: consumer.adds(found=truth(c.found)),
    "returned": lambda consumer, c: consumer.returned(),
    "returns": lambda consumer, c: consumer.returns(),
    "pulls": lambda consumer, c: consumer.pulls(),
    "starts": lambda consumer, c: consumer.starts(more=truth(c.more)),
    "ends": lambda consumer, c: consumer.ends(more=truth(c.more)),
    "shuts": lambda consumer, c: consumer.shuts(),
    "interrupts": lambda consumer, c: consumer.interrupts(more=truth(c.more)),
    "gives_back": lambda consumer, c: consumer.gives_back(),
    "clears": lambda consumer, c: consumer.clears(),
    "crashes": lambda consumer, c: consumer.crashes(),
    "exits": lambda consumer, c: consumer.exits(),
    "restarts": lambda consumer, c: consumer.broker.restarts(),
}


ASKS: Mapping[str, Callable[[OrderedConsumer], bool]] = {"listed": lambda consumer: consumer.listed}


def code(
    made: Callable[[int, RebalanceLockManager, Limits], OrderedConsumer],
) -> Code[Ordered, Choices, Limits, OrderedConsumer]:
    """Return the refinement map of one client.

    ``made(client_id, broker, limits)``: a new consumer without any state of the queue.
    """

    def several(limits: Limits, client_ids: Sequence[int]) -> list[OrderedConsumer]:
        broker = RebalanceLockManager(number(limits.broker))
        return [made(client_id, broker, limits) for client_id in client_ids]

    calls = {name: _now(call) for name, call in CALLS.items()}
    return Code(lambda limits: several(limits, (ME,))[0], _put, _seen, calls, form=_form, several=several, asks=ASKS)


def _form(s: Ordered, lim: Limits) -> Bool:
    """Check that the state is one that an ``OrderedConsumer`` can have.

    Absent things have no flags, and a listener without a process queue in the table works on one that has left it.
    """
    of_entry = Implies(Or(s.dropped, s.locked, s.cached), s.present)
    of_call = And(Implies(Or(s.orphan, s.twice), s.runs), Implies(And(s.runs, Not(s.present)), s.orphan))
    return And(of_entry, of_call, Not(And(s.present, s.adding)))


def _now(call: Call) -> Callable[[OrderedConsumer, Ordered, Choices], None]:
    def does(consumer: OrderedConsumer, s: Ordered, c: Choices) -> None:
        consumer.now = number(s.now)
        call(consumer, c)

    return does


def _put(consumer: OrderedConsumer, s: Ordered, c: Choices) -> None:
    """Set a new consumer's attributes so that they represent the state ``s``.

    If the choice ``more`` holds, the consumer gets two of the objects that the action concerns.
    """
    consumer.now, entry = number(s.now), None
    if s.present:
        entry = ProcessQueue(
            dropped=truth(s.dropped),
            locked=truth(s.locked),
            last_pull_timestamp=consumer.now,
            last_lock_timestamp=number(s.stamp),
            consume_lock=FREE,
            cached=1 if s.cached else 0,
        )
        consumer.rebalance.process_queue_table[QUEUE] = entry
    if s.runs:
        consumer.listener = ProcessQueue() if s.orphan or entry is None else entry
        consumer.message_queue_lock.fetch_lock_object(QUEUE).calls = 2 if s.twice else 1
    consumer.since, consumer.pulls_from = number(s.since), number(s.pulls_from)
    consumer.stopping, consumer.waits_since = truth(s.stopping), number(s.waits_since)
    consumer.cut, consumer.yielded, consumer.closed = truth(s.cut), truth(s.yielded), truth(s.closed)
    consumer.grants = [number(s.answered_at)] if s.answered else []
    consumer.adding = number(s.adding_at) if s.adding else None
    several = 2 if c.more else 1
    consumer.unlocks = several if s.unlocking else 0
    consumer.put_off = [number(s.due)] * several if s.later else []
    consumer.broker.entry = None if s.holder == NOBODY else LockEntry(number(s.holder), number(s.updated))


def _seen(consumer: OrderedConsumer) -> dict[str, int]:
    """Return the consumer's state, as a number for each field of the machine.

    Times of absent things are left out and keep their values.
    """
    entry, listener, lock = consumer.entry, consumer.listener, consumer.broker.entry
    found = {
        "present": entry is not None,
        "dropped": entry is not None and entry.dropped,
        "locked": entry is not None and entry.locked,
        "pulls_from": consumer.pulls_from,
        "cached": entry is not None and entry.cached > 0,
        "runs": listener is not None,
        "since": consumer.since,
        "orphan": listener is not None and listener is not entry,
        "twice": consumer.message_queue_lock.fetch_lock_object(QUEUE).calls > 1,
        "answered": bool(consumer.grants),
        "adding": consumer.adding is not None,
        "unlocking": consumer.unlocks > 0,
        "later": bool(consumer.put_off),
        "stopping": consumer.stopping,
        "waits_since": consumer.waits_since,
        "cut": consumer.cut,
        "yielded": consumer.yielded,
        "closed": consumer.closed,
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
