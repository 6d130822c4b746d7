"""Invariant of one consumer of one ordered queue: conjuncts that every action preserves."""

from dataclasses import replace

from rebalance_proofs.model.machine import conjunct
from rebalance_proofs.model.machine.copies import ME
from rebalance_proofs.model.machine.values import And, Bool, If, Implies, Not, Or
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.state import Ordered
from rebalance_proofs.proofs.ordered.circumstances import Circumstances, enough

Conjunct = conjunct.Conjunct[Ordered, Limits]


def undisturbed(s: Ordered) -> Bool:
    """Return the condition that no unlock arrived since the last grant, and none is on its way."""
    return Not(Or(s.released, s.unlocking, s.later))


def _past(s: Ordered, limits: Limits) -> Bool:
    return And(
        s.updated <= s.now,
        s.granted_at <= s.now,
        Implies(s.present, s.stamp <= s.now),
        Implies(s.runs, s.since <= s.now),
    )


def _kept(s: Ordered, limits: Limits) -> Bool:
    mine = And(s.holder == ME, s.updated == s.granted_at)
    return Or(s.released, mine, s.now > s.granted_at + limits.broker)


def _reply(s: Ordered, limits: Limits) -> Bool:
    in_time = And(s.answered_at <= s.granted_at, s.now <= s.answered_at + limits.delay)
    return Implies(s.answered, in_time)


def _adding(s: Ordered, limits: Limits) -> Bool:
    in_time = And(s.adding_at <= s.granted_at, s.now <= s.adding_at + limits.delay)
    return Implies(s.adding, And(Not(s.present), Or(s.yielded, undisturbed(s)), in_time))


def _believes(s: Ordered, limits: Limits) -> Bool:
    return Implies(And(s.present, s.locked), s.stamp <= s.granted_at + limits.delay)


def _entry(s: Ordered, limits: Limits) -> Bool:
    return Implies(And(s.present, Not(s.yielded)), undisturbed(s))


def _runs(s: Ordered, limits: Limits) -> Bool:
    recent = s.since <= s.granted_at + limits.delay + limits.client
    return Implies(s.runs, And(undisturbed(s), s.now <= s.since + limits.listener, recent))


def _runs_on(s: Ordered, limits: Limits) -> Bool:
    """Return conditions that remain true for a running listener that may have lost the lock."""
    recent = s.since <= s.granted_at + limits.delay + limits.client
    return Implies(s.runs, And(s.now <= s.since + limits.listener, recent))


def _own(s: Ordered, limits: Limits) -> Bool:
    return Implies(s.runs, And(s.present, Not(s.orphan)))


def _started(s: Ordered, limits: Limits) -> Bool:
    own = And(s.runs, s.present, Not(s.orphan))
    return Implies(own, s.since <= s.stamp + limits.client)


ALL = (
    Conjunct("past", "No recorded time is in the future.", _past),
    Conjunct(
        "kept",
        "The consumer has held the broker's lock since the last grant, unless the lock was released or expired.",
        _kept,
    ),
    Conjunct("reply", "The answer to a renewal arrives within the delay.", _reply),
    Conjunct(
        "adding",
        "While a queue is being added, it has no process queue, and only a shutdown releases its lock.",
        _adding,
    ),
    Conjunct("believes", "A locked process queue was stamped within the delay after a grant.", _believes),
    Conjunct("entry", "While a process queue exists, only a shutdown releases its lock.", _entry),
    Conjunct(
        "runs",
        "While the listener runs, no action releases the lock, and the call began while the lock was recent.",
        _runs,
    ),
)
RUNS_ON = Conjunct("runs-on", "The listener began while the lock was recent, and returns in time.", _runs_on)
OWN = Conjunct("own", "The listener runs on the process queue that is in the table.", _own)
STARTED = Conjunct("started", "The listener call began while the process queue's own time stamp was recent.", _started)


NEVER_LATER = Conjunct("never-later", "No unlock is delayed.", lambda s, limits: Not(s.later))
AT_THE_END = Conjunct(
    "at-the-end",
    "An unlock is under way only when the consumer has released all locks, or has ended.",
    lambda s, limits: Implies(s.unlocking, Or(s.yielded, s.closed)),
)


def _shutting(client: OrderedClient, renewed: bool) -> Conjunct:
    def holds(s: Ordered, limits: Limits) -> Bool:
        waits = False if renewed and not client.rules.renews_on else enough(client.rules, limits)
        idle = Not(Or(s.runs, s.cached))
        return And(
            Implies(s.yielded, s.stopping),
            Implies(s.stopping, Or(waits, idle)),
            Implies(s.closed, And(s.stopping, idle)),
        )

    sentence = "A consumer that is shut down has no messages left, or waits long enough."
    return Conjunct("shutting", sentence, holds)


def _requests(s: Ordered, limits: Limits) -> Bool:
    return And(
        s.waits_since <= s.now,
        Implies(s.cut, s.stopping),
        Implies(And(s.cut, s.runs), s.since <= s.waits_since + limits.loop),
        Implies(s.yielded, Not(s.runs)),
        Implies(And(s.yielded, s.cached), And(s.cut, s.now >= s.waits_since + limits.wait)),
    )


REQUESTS = Conjunct(
    "requests",
    "After the shutdown's first wait, a call begins within one consume request; after the second wait, no call runs.",
    _requests,
)


def _last_lock(s: Ordered, limits: Limits) -> Bool:
    asked = s.waits_since - If(s.cut, limits.wait, 0) + limits.late
    called = Implies(s.runs, s.since <= asked + limits.delay + limits.client)
    stamped = Implies(And(s.present, Or(s.runs, s.cached)), s.stamp <= asked + limits.delay)
    return Implies(s.stopping, And(Implies(s.answered, s.answered_at <= asked), called, stamped))


LAST_LOCK = Conjunct(
    "last-lock",
    "After a shutdown starts, no later lock request is recorded, and no call begins once that lock is distrusted.",
    _last_lock,
)


STAMPED = Conjunct(
    "stamped",
    "A process queue was stamped within the delay after a grant.",
    lambda s, limits: Implies(s.present, s.stamp <= s.granted_at + limits.delay),
)


def _in_time(client: OrderedClient) -> Conjunct:
    return Conjunct(
        "in-time",
        "A process queue whose lock is renewed was stamped within the limit for renewals.",
        lambda s, limits: Implies(client.encoding.listed(s), s.now <= s.stamp + limits.renewal),
    )


def trusted(world: Circumstances, *conjuncts: Conjunct) -> tuple[Conjunct, ...]:
    """Return the conjuncts, stated for the limits that a consumer can rely on.

    See ``Circumstances.trusted``.
    """

    def of(one: Conjunct) -> Conjunct:
        return replace(one, holds=lambda s, limits: one.holds(s, world.trusted(limits)))

    return tuple(map(of, conjuncts))


def invariant(client: OrderedClient, world: Circumstances) -> tuple[Conjunct, ...]:
    """Return the invariant of a client under a set of assumptions (``world``).

    If a rebalance does not release the lock, a listener may outlive its process queue. If first pulls are delayed, it
    may also outlive its lock (``proofs.ordered.alike``).
    """
    renewed, alike = world.renewed, world.alike
    forced = alike and client.forces
    conjuncts = [*(RUNS_ON if forced and one.name == "runs" else one for one in ALL), _shutting(client, renewed)]
    conjuncts += [] if forced else [OWN if client.gives_back else AT_THE_END]
    if client.rules.waits_for_listener and (client.rules.renews_on or not renewed):
        conjuncts += [REQUESTS] if client.rules.renews_on else [REQUESTS, LAST_LOCK]
    conjuncts += [STARTED] if client.forces else []
    conjuncts += [] if client.puts_off else [NEVER_LATER]
    conjuncts += [_in_time(client)] if renewed else []
    conjuncts += [STAMPED] if renewed and (client.renews_under_listener or alike) else []
    return trusted(world, *conjuncts)
