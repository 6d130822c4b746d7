"""Exactness of the time condition: if it is violated, some run ends with two listeners.

This is proved for any limits.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Any

from rebalance_proofs.model.machine.happens import Schedule
from rebalance_proofs.model.machine.record import names
from rebalance_proofs.model.machine.values import Bool, Int, Not, term, truth
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.proofs.machine.configuration import read
from rebalance_proofs.proofs.machine.kind import violated
from rebalance_proofs.proofs.numerals import number
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.ordered.circumstances import OUT_OF_TIME, Circumstances, enough
from rebalance_proofs.proofs.ordered.condition import condition
from rebalance_proofs.proofs.ordered.configuration import happens, runs
from rebalance_proofs.proofs.ordered.timed import Time, Timed, begins, first_pull, later_of, reached, sooner_of

# Runs that end with two running listeners, for limits that violate the time condition.
# Times are terms of the limits.

X, Y = 0, 1


def deeds(at: Time, *schedule: Schedule) -> Timed:
    """Return the actions of these schedules in order, all at the time ``at``."""
    return tuple((deed, at) for some in schedule for deed in some)


class Ways:
    """The runs of one client under one set of assumptions, for limits that are terms.

    The first lock owner calls its listener as late as it trusts the lock. If the lock is to expire, its time stamp is
    late, too. The other consumer is fast. In one case, it adds the queue, which takes as long as the delay of its
    first pull. In the other case it has an older process queue with messages, and only its lock has expired
    meanwhile: it needs only a renewal, and begins immediately.
    """

    def __init__(self, client: OrderedClient, world: Circumstances, limits: Limits) -> None:
        self._client, self._world, self._limits = client, world, limits
        self._pull = first_pull(client, limits)
        self._trusted = world.trusted(limits).client
        self._zero = 0
        # If renewals are in time, a rebalance takes the queue after the listener has begun: no renewal is due then,
        # except for a client that renews dropped process queues.
        self._marks = world.renewed and not client.renews_under_listener

    def _begins(self, who: int, granted: Time, stamped: Time) -> Timed:
        return begins(who, self._client, self._world, self._limits, granted, stamped)

    def _called(self, who: int, at: Time, *, mark: bool = True) -> Timed:
        marks = ((happens(who, "revokes", False),),) if mark and self._marks else ()
        return deeds(at, (happens(who, "starts", False),), *marks)

    @staticmethod
    def _given_up(who: int, at: Time) -> Timed:
        return deeds(at, (happens(who, "revokes", False), happens(who, "returned", False)))

    @staticmethod
    def _comes_back(who: int, at: Time) -> Timed:
        return deeds(at, (happens(who, "renews", True), happens(who, "renewed"), happens(who, "starts", False)))

    def _adds(self, who: int, at: Time) -> Timed:
        """Return the actions of a consumer that adds the queue and calls its listener at once."""
        return (*self._begins(who, at, at), (happens(who, "starts", False), at + self._pull))

    def runs_out(self) -> tuple[Timed, ...]:
        """Return the runs in which the lock expires, and another consumer takes it.

        The lock expires while the first listener runs, or before it is called.
        """
        limits = self._limits
        begun, over = limits.delay + self._trusted, limits.broker + 1
        first = self._begins(X, self._zero, limits.delay)
        added = (*first, *self._called(X, begun), *self._adds(Y, later_of(begun, over)))
        if not self._client.pulls_later:
            return (added,)
        locks, adds, pulls, starts = self._adds(Y, over)
        late = (*first, locks, adds, *self._called(X, sooner_of(begun, over + self._pull)), pulls, starts)
        if self._world.renewed:
            return added, late
        return added, late, self._runs_out_behind(renewed=False), self._runs_out_behind(renewed=True)

    def _behind(self, slow: Time, *, renewed: bool) -> tuple[Timed, Time, Time]:
        """Return the actions after which one consumer has an expired lock, and another the queue.

        The first consumer still has its process queue. Also returns the times of the other consumer's last grant, and
        of its time stamp. ``renewed``: the other consumer renews the lock before it calls the listener.
        """
        old = self._begins(X, self._zero, self._zero)
        taken = later_of(self._limits.broker + 1, self._pull)
        if not renewed:
            return (*old, *self._begins(Y, taken, taken + slow)), taken, taken + slow
        granted = taken + self._pull
        known = ((happens(Y, "renews", True), granted), (happens(Y, "renewed"), granted + slow))
        return (*old, *self._begins(Y, taken, taken), *known), granted, granted + slow

    def _runs_out_behind(self, *, renewed: bool) -> Timed:
        begun, granted, stamped = self._behind(self._limits.delay, renewed=renewed)
        called = stamped + self._trusted
        again = later_of(called, granted + self._limits.broker + 1)
        return (*begun, *self._called(Y, called), *self._comes_back(X, again))

    def forced(self) -> tuple[Timed, ...]:
        """Return the runs in which another consumer gets the lock while the first listener runs.

        The first consumer's lock was released.
        """
        limits, called = self._limits, self._trusted
        first, due = self._begins(X, self._zero, self._zero), limits.unlock + 1
        given = later_of(called, due)
        late = (*first, *self._called(X, called), *self._given_up(X, given), *self._adds(Y, given))
        if not self._world.renewed:
            return late, self._forced_behind(renewed=False), self._forced_behind(renewed=True)
        # For limits with which such a late drop would itself release the lock.
        at_once = (*first, *self._called(X, due, mark=False), *self._given_up(X, due), *self._adds(Y, due))
        then = (*first, *self._called(X, called, mark=False), *self._given_up(X, called), *self._adds(Y, called))
        return late, at_once, then

    def _forced_behind(self, *, renewed: bool) -> Timed:
        begun, _, stamped = self._behind(self._zero, renewed=renewed)
        called = stamped + self._trusted
        given = later_of(called, stamped + self._limits.unlock + 1)
        return (*begun, *self._called(Y, called), *self._given_up(Y, given), *self._comes_back(X, given))

    def shut_down(self) -> tuple[Timed, ...]:
        """Return the runs in which a shutdown does not wait long enough.

        The first consumer releases the lock while its listener runs.
        """
        rules = self._client.rules
        if not rules.waits_for_listener:
            begun = (*self._begins(X, self._zero, self._zero), *self._called(X, self._zero))
            shut = (happens(X, "shuts"), happens(X, "gives_back"), happens(X, "returned", False))
            return ((*begun, *deeds(self._zero, shut), *self._adds(Y, self._zero)),)
        return (self._renewed_on(),) if rules.renews_on else tuple(self._last_lock())

    def _renewed_on(self) -> Timed:
        """Return the run of a shutdown during which renewals continue.

        The last call begins as late as its request allows; the other consumer has an old process queue.
        """
        limits = self._limits
        begun, _, stamped = self._behind(self._zero, renewed=False)
        shut = stamped + self._pull
        cut = shut + limits.wait
        called = cut + sooner_of(limits.wait, limits.loop)
        over = cut + limits.wait
        return (
            *begun,
            (happens(Y, "shuts"), shut),
            (happens(Y, "interrupts", True), cut),
            *self._comes_back(Y, called),
            *deeds(over, (happens(Y, "gives_back"), happens(Y, "returned", False))),
            *self._comes_back(X, over),
        )

    def _last_lock(self) -> tuple[Timed, ...]:
        """Return the runs in which the last lock request is sent at the start of the shutdown.

        The lock comes late. There is one run for each order of its steps and the interrupt.
        """
        limits = self._limits
        over = 2 * limits.wait
        last = sooner_of(limits.late + limits.delay + limits.client, limits.wait + limits.loop)
        called = sooner_of(over, last)
        granted = sooner_of(limits.late, called)
        stamped = sooner_of(granted + limits.delay, called)
        cut = (happens(X, "interrupts", True), limits.wait)
        call = (
            (happens(X, "renews", True), granted),
            (happens(X, "renewed"), stamped),
            (happens(X, "starts", False), called),
        )
        begun = (*self._begins(X, self._zero, self._zero), (happens(X, "shuts"), self._zero))
        given = deeds(over, (happens(X, "gives_back"), happens(X, "returned", False)))
        return tuple((*begun, *call[:at], cut, *call[at:], *given, *self._adds(Y, over)) for at in range(4))


BOTH = violated(runs, every=True)
"""The condition that both consumers' listeners run at the end of a run."""
Example = tuple[Schedule, tuple[int, ...]]
"""A schedule of actions, with their times in ms."""


@dataclass(frozen=True)
class _Outside:
    """The case that one part of the time condition is violated."""

    name: str
    sentence: str
    asked: str
    """The violation of the part, in words."""
    holds: Callable[[Limits], Bool]
    ways: Callable[[Ways], tuple[Timed, ...]]
    """Runs to two running listeners; at least one of them is possible."""


def _outside(client: OrderedClient, world: Circumstances) -> Iterator[_Outside]:
    """Yield, for each part of the time condition, the case that it is violated."""
    kept, *not_forced = condition(client, world)
    out = "The lock expires under the listener, and another consumer takes it."
    yield _Outside("runs-out", out, kept.sentence, kept.holds, Ways.runs_out)
    for part in not_forced:
        given_back = "The lock is released under the listener, and another consumer takes it."
        yield _Outside("forced", given_back, part.sentence, part.holds, Ways.forced)


def obligations(client: OrderedClient, world: Circumstances) -> Iterator[Obligation]:
    """Yield, for each part of the time condition, the obligation that a violation allows a run.

    The run ends with two running listeners; its times are terms of the limits.
    """
    for outside in _outside(client, world):
        yield _possible(client, world, outside)


def waits(client: OrderedClient, world: Circumstances) -> Iterator[Obligation]:
    """Yield the obligation that too short a wait of a shutdown allows two running listeners."""
    sentence = "A shutdown releases the lock under the consumer's listener, and another consumer takes it."
    asked = "a shutdown waits until its listener is no longer called"
    enough_of = partial(enough, client.rules)
    yield _possible(client, world, _Outside("waits", sentence, asked, enough_of, Ways.shut_down))


def _possible(client: OrderedClient, world: Circumstances, outside: _Outside) -> Obligation:
    def state(encoding: Any, v: SimpleNamespace) -> Statement:
        limits, ways = read(Limits, v), []
        for run in outside.ways(Ways(client, world, limits)):
            found = reached(client, encoding, world, limits, run)
            ways.append(smt.And(*found.constraints.values(), BOTH(found)))
        fails = {f"not so: {outside.asked}": Not(outside.holds(world.trusted(limits)))}
        given = {words: term(so) for words, so in (world.given(limits) | world.soon(limits) | fails).items()}
        return Statement(given, smt.Or(ways) if len(ways) > 1 else ways[0])

    sentence = f"{outside.sentence} Such a run is possible whenever the condition does not hold."
    return Obligation(outside.name, sentence, names(Limits), state)


def example(client: OrderedClient, limits: Limits, world: Circumstances = OUT_OF_TIME) -> Example:
    """Return a run for the first part of the time condition that the limits violate.

    Times are in ms. Raises ``LookupError`` if no part is violated.
    """
    terms = limits.terms()
    for outside in _outside(client, world):
        if truth(outside.holds(world.trusted(limits))):
            continue
        for timed in outside.ways(Ways(client, world, terms)):
            found = reached(client, client.encoding, world, terms, timed)
            if all(map(smt.is_true, map(simplify, (*found.constraints.values(), BOTH(found))))):
                return tuple(happens for happens, _ in timed), tuple(map(_known, (time for _, time in timed)))
    raise LookupError("the condition holds")


def _known(time: Int) -> int:
    return time if isinstance(time, int) else number(simplify(time))
