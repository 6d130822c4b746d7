"""Inductive invariants of a client's rebalance thread: named conjuncts with sentences."""

from rebalance_proofs.model.machine.conjunct import Conjunct
from rebalance_proofs.model.machine.values import And, Bool, If, Implies, Int, Not, Or
from rebalance_proofs.model.settling.clients import SettlingClient
from rebalance_proofs.model.settling.limits import Limits
from rebalance_proofs.model.settling.machine import Service
from rebalance_proofs.model.settling.service_thread import CHECKS, CLEARS, LOOKS, RESETS, RUNS, WAITS, WOKEN
from rebalance_proofs.model.settling.spans import LOOP, period, settled, woken

__all__ = ["alone", "apart", "once", "settles", "soon", "waits"]

Invariant = tuple[Conjunct[Service, Limits], ...]


def _at(s: Service, *places: int) -> Bool:
    return Or(*(s.at == place for place in places))


def _past(s: Service, lim: Limits) -> Bool:
    return And(
        Implies(s.changed, s.change <= s.now),
        Implies(s.heard, And(s.changed, s.heard_at >= s.change, s.heard_at <= s.now)),
        Implies(s.told, And(s.changed, Not(s.heard))),
        Implies(s.fresh, And(s.changed, s.at == RUNS)),
        s.last <= s.now,
    )


def _running(s: Service, lim: Limits) -> Bool:
    stale = And(s.changed, Not(s.fresh))
    in_time = And(s.began <= s.now, s.now <= s.began + lim.loop, Implies(stale, s.began <= s.change))
    return Implies(s.at == RUNS, in_time)


PAST = Conjunct(
    "past", "Recorded times are in the past, and times of events after the change are not before the change.", _past
)
RUNNING = Conjunct(
    "running",
    "A running rebalance is within its time limit; unless it counts as begun after the change, it began no later than "
    "the change.",
    _running,
)


def _place(client: SettlingClient) -> Conjunct[Service, Limits]:
    known = (LOOKS, CHECKS if client.parks else RESETS, WAITS, CLEARS, WOKEN, RUNS)
    return Conjunct("place", "The rebalance thread is at one of its steps.", lambda s, lim: _at(s, *known))


UNCALLED = Conjunct[Service, Limits](
    "uncalled", "No other thread rebalances.", lambda s, lim: Not(Or(s.called, s.follows))
)

UNINTERRUPTED = Conjunct[Service, Limits](
    "uninterrupted", "No interrupt is pending.", lambda s, lim: Not(s.interrupted)
)


def _waiting(client: SettlingClient) -> Conjunct[Service, Limits]:
    def holds(s: Service, lim: Limits) -> Bool:
        latest = s.last + period(client).of(lim)
        return And(
            Implies(_at(s, LOOKS, RESETS), s.now + s.interval <= latest),
            Implies(_at(s, WAITS, CHECKS), And(s.since + s.interval <= latest, s.now <= s.since + s.interval)),
            Implies(_at(s, CLEARS, WOKEN), s.now <= latest),
        )

    return Conjunct("waiting", "No wait takes longer than its limit, counted from the last rebalance.", holds)


def _owed(client: SettlingClient) -> Conjunct[Service, Limits]:
    def holds(s: Service, lim: Limits) -> Bool:
        runs = If(s.fresh, s.began + lim.loop, s.began + settled(client).of(lim))
        late = If(s.at == RUNS, runs, s.last + (period(client) + LOOP).of(lim))
        return Implies(And(s.changed, Not(s.right)), late <= s.due)

    return Conjunct("owed", "The next rebalance that uses the change ends within the time limit.", holds)


def settles(client: SettlingClient) -> Invariant:
    """Return the invariant for ``settles``: a rebalance uses the change in time."""
    return PAST, _place(client), RUNNING, _waiting(client), _owed(client)


def _latched(s: Service, lim: Limits) -> Bool:
    return And(
        Implies(And(s.at == WAITS, s.flag), Or(s.open, s.waking)),
        Implies(s.at == RESETS, Not(s.flag)),
    )


LATCHED = Conjunct("latched", "A rebalance thread whose flag is set does not wait.", _latched)


def soon(client: SettlingClient) -> Invariant:
    """Return the invariant for ``woken``: a notified client soon uses the change.

    It does so at once, or after the running rebalance.
    """

    def woken_up(s: Service) -> Bool:
        return s.flag if client.parks else Or(s.open, s.waking)

    def answered(s: Service, lim: Limits) -> Bool:
        begins = s.heard_at + woken(client).of(lim) - lim.loop
        early = s.last + lim.least if client.least else s.heard_at
        stale = And(s.flag, s.began <= s.heard_at)
        places = And(
            Implies(s.at == RUNS, Or(And(s.fresh, s.began <= begins), And(Not(s.fresh), stale))),
            Implies(s.at != RUNS, s.last <= s.heard_at + lim.loop),
            Implies(_at(s, LOOKS), Or(s.flag, s.now + s.interval <= early)),
            Implies(_at(s, LOOKS, CLEARS, WOKEN, CHECKS), s.now <= begins),
            Implies(_at(s, RESETS), s.now + s.interval <= early),
            Implies(_at(s, WAITS), Or(woken_up(s), s.since + s.interval <= early)),
            Implies(_at(s, CHECKS), Or(s.flag, s.since + s.interval <= early)),
            Implies(_at(s, WAITS), s.now <= begins),
        )
        return Implies(And(s.heard, Not(s.right)), places)

    waits = Conjunct("answered", "A rebalance for the received notification is due or running, in time.", answered)
    return PAST, _place(client), RUNNING, LATCHED, waits


def apart(client: SettlingClient) -> Invariant:
    """Return the invariant for ``apart``: consecutive rebalances are at least minInterval apart."""

    def begun(s: Service, lim: Limits) -> Bool:
        return Implies(s.at == RUNS, s.began >= s.last + lim.least)

    return UNCALLED, Conjunct("begun", "A running rebalance began at least minInterval after the last one.", begun)


def _waits_for(s: Service, lim: Limits, client: SettlingClient) -> Int:
    return If(s.was_balanced, lim.wait, lim.least) if client.least else lim.wait


def waits(client: SettlingClient) -> Invariant:
    """Return the invariant for ``waits``: a thread without a wake-up waits its full time."""

    def unhurried(s: Service, lim: Limits) -> Bool:
        over, woken = s.last + _waits_for(s, lim, client), Or(s.woken, s.woken_before)
        may = And(
            Implies(_at(s, LOOKS, RESETS), Or(woken, s.now + s.interval >= over)),
            Implies(_at(s, WAITS, CHECKS), Or(woken, s.since + s.interval >= over)),
            Implies(_at(s, CLEARS, WOKEN), Or(woken, s.now >= over)),
            Implies(s.at == RUNS, Or(s.woken_before, s.woken_earlier, s.began >= over)),
        )
        return Implies(s.ended, may)

    def owed(s: Service, lim: Limits) -> Bool:
        return And(
            Implies(And(s.flag, _at(s, LOOKS, RUNS)), Or(s.woken, s.woken_before)),
            Implies(And(s.flag, _at(s, RESETS, WAITS, CLEARS, WOKEN, CHECKS)), s.woken),
            Implies(And(s.open, s.at == WAITS), Or(s.woken, client.parks)),
        )

    flagged = Conjunct(
        "flagged", "If the flag is set, or the latch of the wait is open, a wake-up came just before.", owed
    )
    waiting = Conjunct("unhurried", "A rebalance thread without a wake-up waits its full time.", unhurried)
    return (flagged, waiting, UNINTERRUPTED) if client.parks else (flagged, waiting)


def alone(client: SettlingClient) -> Invariant:
    """Return the invariant for ``alone``: a client never runs two rebalances at once."""
    return (UNCALLED,)


def once(client: SettlingClient) -> Invariant:
    """Return the invariant for ``one-wait``: an interrupt that has ended a wait is no longer pending."""

    def gone(s: Service, lim: Limits) -> Bool:
        return Not(Or(s.spent_twice, And(s.spent, s.interrupted)))

    sentence = "An interrupt that has ended a wait before its time is no longer pending, and has ended only that one."
    return (Conjunct("gone", sentence, gone),)
