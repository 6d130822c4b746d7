"""The state of one queue, as terms: one consumer's part of it, and the broker's lock."""

from dataclasses import dataclass, replace

import z3

from rebalance_proofs.model.terms.truth import NO, YES

__all__ = ["NOBODY", "Consumer", "Lock", "Said", "State", "Turn", "nothing", "passed_on"]

NOBODY = 0
"""In the place of a client id: nobody has the lock."""


@dataclass(frozen=True)
class Consumer:
    """One consumer's part. Times are in ms on the one clock that all are taken to share."""

    client_id: z3.ArithRef
    """A positive number."""
    present: z3.BoolRef
    """The queue has an entry in ``processQueueTable``."""
    dropped: z3.BoolRef
    locked: z3.BoolRef
    stamp: z3.ArithRef
    """``lastLockTimestamp``."""
    pulls_from: z3.ArithRef
    """The entry is not pulled before."""
    cached: z3.BoolRef
    """Messages were pulled and not consumed."""
    runs: z3.BoolRef
    """The listener is called."""
    since: z3.ArithRef
    """When the lock was checked for this call."""
    orphan: z3.BoolRef
    """The entry that the listener works on has left the table."""
    twice: z3.BoolRef
    """It was called while it was called already."""
    answered: z3.BoolRef
    """The grant of a renewal is under way to the consumer; any one, where there are several."""
    answered_at: z3.ArithRef
    """When the broker granted it."""
    adding: z3.BoolRef
    """The grant of the lock that a rebalance has asked for is under way, or its offset is looked up."""
    adding_at: z3.ArithRef
    unlocking: z3.BoolRef
    """The lock's return is under way to the broker."""
    later: z3.BoolRef
    """A return is put off; any one, where there are several."""
    due: z3.ArithRef
    """Until when."""
    stopping: z3.BoolRef
    """``shutdown`` was called, or the process has ended: no request to consume is accepted any more."""
    waits_since: z3.ArithRef
    """Since when it waits for its listener: its begin, and then the end of its first wait."""
    cut: z3.BoolRef
    """Its first wait was over while the listener was called: that was interrupted, and requests that had not begun are
    gone (``shutdownNow``)."""
    yielded: z3.BoolRef
    """It has given all locks back (``unlockAll``)."""
    closed: z3.BoolRef
    """Its table was emptied, or the process has ended."""
    granted_at: z3.ArithRef
    """When the broker granted the lock to this consumer last. Nobody keeps that: it is for proofs alone."""
    released: z3.BoolRef
    """The broker has taken it back from this consumer since, on its own word. For proofs alone."""
    left: z3.ArithRef
    """The last action at which the queue had an entry, or one was being added, or its lock was granted to a rebalance.
    For proofs alone."""
    owned_from: z3.ArithRef
    """When the broker granted it the lock for the first time after it had granted it to another. This, and what comes
    next, is for proofs alone, too."""
    lost: z3.BoolRef
    """The broker has granted it to another since; or never to this one."""
    lost_at: z3.ArithRef
    """When it did so first."""
    call_from: z3.ArithRef
    """``owned_from`` when the listener was called."""
    call_lost: z3.BoolRef
    """The broker has granted the lock to another since then."""
    call_lost_at: z3.ArithRef
    """When it did so first."""


@dataclass(frozen=True)
class Lock:
    """The broker's entry for the queue (``RebalanceLockManager.LockEntry``)."""

    holder: z3.ArithRef
    """A client id, or ``NOBODY``."""
    updated: z3.ArithRef
    """``lastUpdateTimestamp``."""


@dataclass(frozen=True)
class State:
    """What one consumer's action depends on."""

    now: z3.ArithRef
    me: Consumer
    lock: Lock


@dataclass(frozen=True)
class Said:
    """What an action leaves open."""

    in_set: z3.BoolRef
    """The queue is still in mqSet: its entry goes only because no message was pulled for too long."""
    heard: z3.BoolRef
    """The broker's answer will arrive."""
    found: z3.BoolRef
    """An offset is found to begin at."""
    more: z3.BoolRef
    """There are more of them: messages, returns under way, returns that were put off, requests that have begun."""


@dataclass(frozen=True)
class Turn:
    """One action."""

    can: z3.BoolRef
    """It is possible."""
    after: State


def nothing(client_id: int, now: z3.ArithRef) -> Consumer:
    """A consumer that has nothing to do with the queue yet."""
    return Consumer(
        client_id=z3.IntVal(client_id),
        present=NO,
        dropped=NO,
        locked=NO,
        stamp=now,
        pulls_from=now,
        cached=NO,
        runs=NO,
        since=now,
        orphan=NO,
        twice=NO,
        answered=NO,
        answered_at=now,
        adding=NO,
        adding_at=now,
        unlocking=NO,
        later=NO,
        due=now,
        stopping=NO,
        waits_since=now,
        cut=NO,
        yielded=NO,
        closed=NO,
        granted_at=now,
        released=z3.BoolVal(True),
        left=now,
        owned_from=now,
        lost=z3.BoolVal(True),
        lost_at=now,
        call_from=now,
        call_lost=NO,
        call_lost_at=now,
    )


def passed_on(me: Consumer, now: z3.ArithRef) -> Consumer:
    """The lock is granted to another."""
    return replace(
        me,
        lost=YES,
        lost_at=z3.If(me.lost, me.lost_at, now),
        call_lost=YES,
        call_lost_at=z3.If(me.call_lost, me.call_lost_at, now),
    )
