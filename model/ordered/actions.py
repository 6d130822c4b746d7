"""What can happen to one queue, action by action, as terms: of one consumer, and of the broker's lock."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import z3

from rebalance_proofs.model.client.effects import PULL_REQUEST, SCHEDULE_UNLOCK, UNLOCK
from rebalance_proofs.model.client.environment import DENIED, OK
from rebalance_proofs.model.client.process_queue import FREE, HELD
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.rules import OrderedRules
from rebalance_proofs.model.ordered.state import NOBODY, Consumer, Lock, Said, State, Turn
from rebalance_proofs.model.terms.truth import NO, YES
from rebalance_proofs.model.transition.numbers import LOCKS, UNANSWERED
from rebalance_proofs.model.transition.push import push
from rebalance_proofs.model.transition.step import (
    NOTHING_THROWN,
    PULL_IDLE_LIMIT,
    Asked,
    Entry,
    Slot,
    Step,
    Thrown,
    happens,
)

__all__ = ["Act", "OrderedEncoding", "Rebalance", "asked", "encoding"]

Rebalance = Callable[[Entry, Asked, Thrown], Step]
Act = Callable[[State, Said, Limits], Turn]


@dataclass(frozen=True)
class OrderedEncoding:
    """What one consumer can do, and the broker with its messages."""

    rules: OrderedRules
    """In what the client differs from others, besides its rebalance."""
    step: Rebalance
    """The client's rebalance of one queue."""
    listed: Callable[[State], z3.BoolRef]
    """The queue is among those whose locks ``lockAll`` asks for."""
    renews: Act
    """The broker grants a lock that was asked for, but for a rebalance's."""
    renewed: Act
    """The consumer hears of that."""
    refused: Act
    """It hears that a renewal was denied."""
    revokes: Act
    """A rebalance finds the queue not to be the consumer's any more, or no message pulled for too long."""
    unsubscribes: Act
    """The topic is not subscribed any more: the entry goes, and no more."""
    locks: Act
    """The broker grants the lock that a rebalance asks for."""
    adds: Act
    """The rebalance hears of that, and looks up an offset to begin at."""
    returned: Act
    """The lock's return arrives at the broker."""
    returns: Act
    """A return that was put off is sent."""
    pulls: Act
    """Messages arrive."""
    starts: Act
    """The consumer finds the lock to be its own, and recent, and calls the listener.

    Between the two it waits for the consume lock, and looks once more whether the entry is marked. What can happen
    meanwhile can also happen while the listener runs; where the entry goes, the listener is not called, which is as if
    it had returned before. So nothing is lost by counting the listener's time from the check.
    """
    ends: Act
    """The listener has returned."""
    shuts: Act
    """The consumer is told to shut down. Its listener goes on: a request looks whether its entry is marked, locked and
    recent, and whether it has gone on for long, and not whether the consumer is being shut down."""
    interrupts: Act
    """The shutdown has waited for the calls: they are interrupted, and requests that have not begun are gone."""
    gives_back: Act
    """No call runs, or it has waited once more: the return of all locks is sent, and entries are not locked any more.
    The entries stay in the table, and where a second renewer runs it can take the locks again."""
    clears: Act
    """The table is emptied, and all entries are marked: the shutdown is over."""
    crashes: Act
    """The consumer's process ends at once."""


def encoding(step: Rebalance, rules: OrderedRules) -> OrderedEncoding:
    """Of a client with that rebalance."""

    def refused(state: State, said: Said, limits: Limits) -> Turn:
        me = state.me
        stamp = state.now if rules.stamps_denials else me.stamp
        return _turn(state, me.present, replace(me, locked=NO, stamp=stamp))

    def gives_back(state: State, said: Said, limits: Limits) -> Turn:
        me = state.me
        spoken_of = me.present if rules.returns_dropped else z3.And(me.present, z3.Not(me.dropped))
        waited = z3.And(me.cut, _waited(state, limits)) if rules.waits_for_listener else YES
        after = replace(
            me,
            yielded=YES,
            unlocking=z3.Or(me.unlocking, spoken_of),
            locked=z3.And(me.locked, z3.Not(spoken_of)),
            # Else all requests have ended, and no more are accepted.
            cached=z3.And(me.cached, waited),
        )
        return _turn(state, z3.And(_ending(me), z3.Or(waited, z3.Not(me.runs))), after)

    def revokes(state: State, said: Said, limits: Limits) -> Turn:
        return _revoked(step, state, said, limits)

    def adds(state: State, said: Said, limits: Limits) -> Turn:
        return _added(step, state, said, limits)

    def listed(state: State) -> z3.BoolRef:
        me = state.me
        left = me.closed if rules.renews_on else me.stopping
        marked = z3.BoolVal(not rules.renews_marked)
        return z3.And(me.present, z3.Not(left), z3.Not(z3.And(marked, me.dropped)))

    return OrderedEncoding(
        rules=rules,
        step=step,
        listed=listed,
        renews=_renews,
        renewed=_renewed,
        refused=refused,
        revokes=revokes,
        unsubscribes=_unsubscribes,
        locks=_locks,
        adds=adds,
        returned=_returned,
        returns=_returns,
        pulls=_pulls,
        starts=_starts,
        ends=_ends,
        shuts=_shuts,
        interrupts=_interrupts if rules.waits_for_listener else _never,
        gives_back=gives_back,
        clears=_clears,
        crashes=_crashes,
    )


def _turn(state: State, can: z3.BoolRef, me: Consumer, lock: Lock | None = None) -> Turn:
    concerned = z3.Or(state.me.present, state.me.adding, me.present, me.adding)
    me = replace(me, left=z3.If(concerned, state.now, me.left))
    return Turn(can, State(state.now, me, lock or state.lock))


def _grantable(state: State, limits: Limits) -> z3.BoolRef:
    """``RebalanceLockManager.tryLockBatch``."""
    lock = state.lock
    expired = state.now - lock.updated > limits.broker
    return z3.Or(lock.holder == NOBODY, lock.holder == state.me.client_id, expired)


def _granted(state: State) -> tuple[Consumer, Lock]:
    me = state.me
    owned_from = z3.If(me.lost, state.now, me.owned_from)
    me = replace(me, granted_at=state.now, released=NO, owned_from=owned_from, lost=NO)
    return me, Lock(state.me.client_id, state.now)


def _renews(state: State, said: Said, limits: Limits) -> Turn:
    me, lock = _granted(state)
    known = replace(
        me,
        answered=z3.Or(me.answered, said.heard),
        answered_at=z3.If(said.heard, state.now, me.answered_at),
    )
    return _turn(state, _grantable(state, limits), known, lock)


def _renewed(state: State, said: Said, limits: Limits) -> Turn:
    me = state.me
    after = replace(
        me,
        answered=NO,
        locked=z3.Or(me.locked, me.present),
        stamp=z3.If(me.present, state.now, me.stamp),
    )
    return _turn(state, me.answered, after)


def _locks(state: State, said: Said, limits: Limits) -> Turn:
    me, lock = _granted(state)
    known = replace(
        me,
        adding=said.heard,
        adding_at=z3.If(said.heard, state.now, me.adding_at),
        left=state.now,
    )
    idle = z3.Not(z3.Or(me.present, me.adding, me.closed))
    can = z3.And(idle, _grantable(state, limits))
    return _turn(state, can, known, lock)


def _returned(state: State, said: Said, limits: Limits) -> Turn:
    me, lock = state.me, state.lock
    mine = lock.holder == me.client_id
    after = replace(me, unlocking=said.more, released=z3.Or(me.released, mine))
    return _turn(state, me.unlocking, after, replace(lock, holder=z3.If(mine, NOBODY, lock.holder)))


def _returns(state: State, said: Said, limits: Limits) -> Turn:
    me = state.me
    return _turn(state, z3.And(me.later, state.now >= me.due), replace(me, unlocking=YES, later=said.more))


def _pulls(state: State, said: Said, limits: Limits) -> Turn:
    me = state.me
    # While it is shut down no request is accepted: one that runs takes what was pulled, and nobody else does.
    taken = z3.Or(z3.Not(me.stopping), _works(me))
    can = z3.And(me.present, z3.Not(me.dropped), z3.Not(me.cached), state.now >= me.pulls_from, taken)
    return _turn(state, can, replace(me, cached=YES))


def _starts(state: State, said: Said, limits: Limits) -> Turn:
    me = state.me
    believed = z3.And(me.locked, state.now - me.stamp <= limits.client)
    # Of a request that is no older than the last one that was accepted. Before that there are new ones.
    goes_on = z3.Implies(me.cut, state.now <= me.waits_since + limits.loop)
    # MessageQueueLock has one object a queue, whichever entry that has.
    can = z3.And(me.present, z3.Not(me.dropped), believed, me.cached, z3.Not(me.runs), goes_on)
    called = replace(me, call_from=me.owned_from, call_lost=me.lost, call_lost_at=me.lost_at)
    return _turn(state, can, replace(called, runs=YES, since=state.now, orphan=NO, twice=me.runs, cached=said.more))


def _ends(state: State, said: Said, limits: Limits) -> Turn:
    me = state.me
    again = z3.And(said.more, me.present, z3.Not(me.orphan))
    # They are consumed by a later request, which a consumer that is shut down does not accept.
    left = z3.If(again, z3.Not(me.stopping), me.cached)
    return _turn(state, me.runs, replace(me, runs=NO, orphan=NO, twice=NO, cached=left))


def _shuts(state: State, said: Said, limits: Limits) -> Turn:
    me = state.me
    can = z3.Not(z3.Or(me.stopping, me.closed))
    return _turn(state, can, replace(me, stopping=YES, waits_since=state.now))


def _ending(me: Consumer) -> z3.BoolRef:
    """It is being shut down, and has not given its locks back."""
    return z3.And(me.stopping, z3.Not(z3.Or(me.yielded, me.closed)))


def _waited(state: State, limits: Limits) -> z3.BoolRef:
    waited: z3.BoolRef = state.now >= state.me.waits_since + limits.wait
    return waited


def _interrupts(state: State, said: Said, limits: Limits) -> Turn:
    me = state.me
    begun = z3.Or(_works(me), said.more)
    after = replace(me, cut=YES, waits_since=state.now, cached=z3.And(me.cached, begun))
    return _turn(state, z3.And(_ending(me), z3.Not(me.cut), _waited(state, limits)), after)


def _clears(state: State, said: Said, limits: Limits) -> Turn:
    me = state.me
    return _turn(state, z3.And(me.yielded, z3.Not(me.closed)), replace(_gone(me, YES), closed=YES))


def _never(state: State, said: Said, limits: Limits) -> Turn:
    return Turn(NO, state)


def _unsubscribes(state: State, said: Said, limits: Limits) -> Turn:
    me = state.me
    return _turn(state, z3.And(me.present, z3.Not(me.adding)), _gone(me, YES))


def _crashes(state: State, said: Said, limits: Limits) -> Turn:
    me = state.me
    none = replace(me, locked=NO, cached=NO, runs=NO, orphan=NO, twice=NO, answered=NO, adding=NO, later=NO)
    none = replace(none, stopping=YES, cut=NO, yielded=NO)
    return _turn(state, z3.Not(me.closed), replace(none, present=NO, dropped=NO, closed=YES))


def _works(me: Consumer) -> z3.BoolRef:
    """The listener is called for the entry that is in the table."""
    return z3.And(me.runs, z3.Not(me.orphan))


def _gone(me: Consumer, goes: z3.BoolRef) -> Consumer:
    """The entry leaves the table, if it goes."""
    return replace(
        me,
        present=z3.And(me.present, z3.Not(goes)),
        dropped=z3.And(me.dropped, z3.Not(goes)),
        locked=z3.And(me.locked, z3.Not(goes)),
        cached=z3.And(me.cached, z3.Not(goes)),
        orphan=z3.Or(me.orphan, z3.And(goes, me.runs)),
    )


def _entry(state: State, said: Said) -> Entry:
    me = state.me
    zero = z3.IntVal(0)
    return Entry(
        present=me.present,
        dropped=me.dropped,
        locked=me.locked,
        pull_age=z3.If(said.in_set, PULL_IDLE_LIMIT + 1, zero),
        lock_age=state.now - me.stamp,
        consume_lock=z3.If(_works(me), HELD, FREE),
        cached=me.cached,
        tries=zero,
        memory=zero,
    )


def asked(in_set: z3.BoolRef, lock: str, stored: z3.ArithRef, limits: Limits) -> Asked:
    """An ordered push consumer, whose broker says that to the lock."""
    told = z3.IntVal(LOCKS.index(lock))
    return push(in_set, stored, lock=told, order=YES, orderly=YES, unlock_delay=limits.unlock)


def _revoked(step: Rebalance, state: State, said: Said, limits: Limits) -> Turn:
    """The first half of a rebalance, in which no lock is granted yet."""
    me = state.me
    done = step(_entry(state, said), asked(said.in_set, DENIED, z3.IntVal(0), limits), NOTHING_THROWN)
    slots: tuple[Slot, ...] = done.slots
    later = happens(slots, SCHEDULE_UNLOCK)
    goes = z3.Not(done.after.present)
    kept = replace(me, dropped=done.after.dropped, locked=done.after.locked)
    after = replace(
        _gone(kept, goes),
        unlocking=z3.Or(me.unlocking, happens(slots, UNLOCK)),
        later=z3.Or(me.later, later),
        due=z3.If(later, state.now + limits.unlock, me.due),
    )
    return _turn(state, z3.And(me.present, z3.Not(me.adding)), after)


def _added(step: Rebalance, state: State, said: Said, limits: Limits) -> Turn:
    """The second half: the lock is granted, and there is no entry."""
    me = state.me
    stored = z3.If(said.found, 0, UNANSWERED)
    absent = replace(_entry(state, said), present=NO)
    added = step(absent, asked(YES, OK, stored, limits), NOTHING_THROWN)
    done = added.after
    put_off = any(slot.details[1] > 0 for slot in added.addition if slot.name == PULL_REQUEST)
    after = replace(
        me,
        adding=NO,
        present=done.present,
        dropped=z3.And(done.present, done.dropped),
        locked=z3.And(done.present, done.locked),
        cached=z3.And(done.present, done.cached),
        stamp=z3.If(done.present, state.now - done.lock_age, me.stamp),
        pulls_from=z3.If(done.present, state.now + (limits.first_pull if put_off else 0), me.pulls_from),
    )
    return _turn(state, me.adding, after)
