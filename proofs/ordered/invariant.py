"""What is always so, of one consumer of one queue: conjunct by conjunct, each of which every action keeps."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import z3

from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.state import Consumer, State
from rebalance_proofs.model.terms.truth import NO
from rebalance_proofs.proofs.ordered.waiting import enough

__all__ = ["NEVER_LATER", "Conjunct", "invariant", "undisturbed"]


@dataclass(frozen=True)
class Conjunct:
    """One of them."""

    name: str
    sentence: str
    holds: Callable[[State, Limits], z3.BoolRef]


def undisturbed(me: Consumer) -> z3.BoolRef:
    """The broker has not taken the lock back since it was granted last, and nothing is on its way that would."""
    return z3.Not(z3.Or(me.released, me.unlocking, me.later))


def _past(state: State, limits: Limits) -> z3.BoolRef:
    me = state.me
    return z3.And(
        state.lock.updated <= state.now,
        me.granted_at <= state.now,
        z3.Implies(me.present, me.stamp <= state.now),
        z3.Implies(me.runs, me.since <= state.now),
    )


def _kept(state: State, limits: Limits) -> z3.BoolRef:
    me, lock = state.me, state.lock
    mine = z3.And(lock.holder == me.client_id, lock.updated == me.granted_at)
    return z3.Or(me.released, mine, state.now > me.granted_at + limits.broker)


def _reply(state: State, limits: Limits) -> z3.BoolRef:
    me = state.me
    in_time = z3.And(me.answered_at <= me.granted_at, state.now <= me.answered_at + limits.delay)
    return z3.Implies(me.answered, in_time)


def _adding(state: State, limits: Limits) -> z3.BoolRef:
    me = state.me
    in_time = z3.And(me.adding_at <= me.granted_at, state.now <= me.adding_at + limits.delay)
    return z3.Implies(me.adding, z3.And(z3.Not(me.present), z3.Or(me.yielded, undisturbed(me)), in_time))


def _believes(state: State, limits: Limits) -> z3.BoolRef:
    me = state.me
    return z3.Implies(z3.And(me.present, me.locked), me.stamp <= me.granted_at + limits.delay)


def _entry(state: State, limits: Limits) -> z3.BoolRef:
    return z3.Implies(z3.And(state.me.present, z3.Not(state.me.yielded)), undisturbed(state.me))


def _runs(state: State, limits: Limits) -> z3.BoolRef:
    me = state.me
    recent = me.since <= me.granted_at + limits.delay + limits.client
    return z3.Implies(me.runs, z3.And(undisturbed(me), state.now <= me.since + limits.listener, recent))


def _runs_on(state: State, limits: Limits) -> z3.BoolRef:
    """Where it may have lost the lock."""
    me = state.me
    recent = me.since <= me.granted_at + limits.delay + limits.client
    return z3.Implies(me.runs, z3.And(state.now <= me.since + limits.listener, recent))


def _own(state: State, limits: Limits) -> z3.BoolRef:
    me = state.me
    return z3.Implies(me.runs, z3.And(me.present, z3.Not(me.orphan)))


def _started(state: State, limits: Limits) -> z3.BoolRef:
    me = state.me
    own = z3.And(me.runs, me.present, z3.Not(me.orphan))
    return z3.Implies(own, me.since <= me.stamp + limits.client)


ALL = (
    Conjunct("past", "What has happened has happened: no time lies ahead.", _past),
    Conjunct(
        "kept",
        "The broker's lock is the consumer's since it was granted last, unless it was given back, or has run out.",
        _kept,
    ),
    Conjunct("reply", "The answer to a renewal arrives within the delay.", _reply),
    Conjunct(
        "adding",
        "While a queue is added there is no entry, and nothing takes its lock away before a shutdown does.",
        _adding,
    ),
    Conjunct("believes", "An entry that is locked was stamped within the delay after a grant.", _believes),
    Conjunct("entry", "While there is an entry, nothing takes the lock away before a shutdown does.", _entry),
    Conjunct(
        "runs", "While the listener runs, nothing takes the lock away, and it began while the lock was recent.", _runs
    ),
)
RUNS_ON = Conjunct("runs-on", "The listener began while the lock was recent, and returns in time.", _runs_on)
OWN = Conjunct("own", "The listener runs on the entry that is in the table.", _own)
STARTED = Conjunct("started", "It began while the entry's own stamp was recent.", _started)


NEVER_LATER = Conjunct("never-later", "No return of the lock is put off.", lambda state, limits: z3.Not(state.me.later))
AT_THE_END = Conjunct(
    "at-the-end",
    "A return of the lock is under way only when the consumer has given all back, or has ended.",
    lambda state, limits: z3.Implies(state.me.unlocking, z3.Or(state.me.yielded, state.me.closed)),
)


def _shutting(client: OrderedClient, renewed: bool) -> Conjunct:
    def holds(state: State, limits: Limits) -> z3.BoolRef:
        me = state.me
        waits = NO if renewed and not client.rules.renews_on else enough(client.rules, limits)
        idle = z3.Not(z3.Or(me.runs, me.cached))
        return z3.And(
            z3.Implies(me.yielded, me.stopping),
            z3.Implies(me.stopping, z3.Or(waits, idle)),
            z3.Implies(me.closed, z3.And(me.stopping, idle)),
        )

    sentence = "Whoever is shut down has nothing to consume, or waits for long enough."
    return Conjunct("shutting", sentence, holds)


def _requests(state: State, limits: Limits) -> z3.BoolRef:
    me = state.me
    return z3.And(
        me.waits_since <= state.now,
        z3.Implies(me.cut, me.stopping),
        z3.Implies(z3.And(me.cut, me.runs), me.since <= me.waits_since + limits.loop),
        z3.Implies(me.yielded, z3.Not(me.runs)),
        z3.Implies(z3.And(me.yielded, me.cached), z3.And(me.cut, state.now >= me.waits_since + limits.wait)),
    )


REQUESTS = Conjunct(
    "requests",
    "Behind the first wait a call begins no later than a request may go on, and behind the second there is none.",
    _requests,
)


def _last_lock(state: State, limits: Limits) -> z3.BoolRef:
    me = state.me
    asked = me.waits_since - z3.If(me.cut, limits.wait, 0) + limits.late
    called = z3.Implies(me.runs, me.since <= asked + limits.delay + limits.client)
    stamped = z3.Implies(z3.And(me.present, z3.Or(me.runs, me.cached)), me.stamp <= asked + limits.delay)
    return z3.Implies(me.stopping, z3.And(z3.Implies(me.answered, me.answered_at <= asked), called, stamped))


LAST_LOCK = Conjunct(
    "last-lock",
    "No lock is noted later than one that was asked for when the shutdown began, and no call begins later than that is "
    "trusted in.",
    _last_lock,
)


STAMPED = Conjunct(
    "stamped",
    "An entry was stamped within the delay after a grant.",
    lambda state, limits: z3.Implies(state.me.present, state.me.stamp <= state.me.granted_at + limits.delay),
)


def _in_time(client: OrderedClient) -> Conjunct:
    return Conjunct(
        "in-time",
        "An entry whose lock is renewed was stamped within the limit for renewals.",
        lambda state, limits: z3.Implies(client.encoding.listed(state), state.now <= state.me.stamp + limits.renewal),
    )


def invariant(client: OrderedClient, *, renewed: bool = False, alike: bool = False) -> Mapping[str, Conjunct]:
    """That of a client: where no lock is given back by a rebalance, a listener may outlive its entry.

    ``renewed``: where renewals are in time; ``alike``: and a listener may outlive its lock (``proofs.ordered.alike``).
    The limits that the conjuncts get are ``Circumstances.trusted``.
    """
    forced = alike and client.forces
    conjuncts = [*(RUNS_ON if forced and one.name == "runs" else one for one in ALL), _shutting(client, renewed)]
    conjuncts += [] if forced else [OWN if client.gives_back else AT_THE_END]
    if client.rules.waits_for_listener and (client.rules.renews_on or not renewed):
        conjuncts += [REQUESTS] if client.rules.renews_on else [REQUESTS, LAST_LOCK]
    conjuncts += [STARTED] if client.forces else []
    conjuncts += [] if client.puts_off else [NEVER_LATER]
    conjuncts += [_in_time(client)] if renewed else []
    conjuncts += [STAMPED] if renewed and (client.renews_under_listener or alike) else []
    return {conjunct.name: conjunct for conjunct in conjuncts}
