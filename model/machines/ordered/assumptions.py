"""Assumptions of claims about one ordered queue, and the time condition for exclusive listeners.

Each assumption is declared once. To drop one in a claim, use ``SET.dropping(ASSUMPTION)``.

Which assumption excludes what:

- A lock that the client releases by force under its running listener (5.2 and later): the time condition
  (``IN_CONDITION``), by its part ``NOT_FORCED``.
- A lock that expires under a running listener: the time condition, by its part ``KEPT``.
- An unlock request that arrives too late: ``NOT_OVERTAKEN`` and ``NOT_BACK``.
- A shutdown that unlocks under a running listener: ``SHUTS_IDLE``.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial, reduce
from operator import add
from typing import Any, ClassVar

from rebalance_proofs.model.machine.premise import Assumptions, Premise
from rebalance_proofs.model.machine.run import Happens, Schedule
from rebalance_proofs.model.machine.values import And, Bool, If, Implies, Int, Not, Or, number
from rebalance_proofs.model.machines.ordered.actions import ORDERED, OrderedClient
from rebalance_proofs.model.machines.ordered.state import DEFAULTS, SEARCHED, Choices, Limits, Ordered, OrderedRules
from rebalance_proofs.model.transition.client import ORDERLY, Mode

assume = Premise[Ordered, Choices, Limits]

# ---- The wait of a shutdown, and the assumption that it is long enough


def enough(rules: OrderedRules, limits: Limits) -> Bool:
    """Return the condition that a shutdown waits long enough before it releases the locks.

    Then no listener call runs or can begin. A request that begins just before the end of the first wait must end
    within the second wait. If renewals end with the shutdown, the last call begins while the last lock is trusted,
    and both waits count.
    """
    if not rules.waits_for_listener:
        return False
    requests_end = limits.wait > limits.loop + limits.listener
    if rules.renews_on:
        return requests_end
    return Or(requests_end, 2 * limits.wait > _last_call(limits))


def least(rules: OrderedRules, limits: Limits) -> int | None:
    """Return the shortest wait that satisfies ``enough``, in ms; None if there is none.

    ``limits`` are numbers.
    """
    if not rules.waits_for_listener:
        return None
    by_requests = number(limits.loop + limits.listener) + 1
    if rules.renews_on:
        return by_requests
    by_locks = number(_last_call(limits)) // 2 + 1
    return min(by_requests, by_locks)


def _last_call(limits: Limits) -> Int:
    """Return the time from the start of the shutdown to the end of the last listener call.

    Renewals end with the shutdown.
    """
    return limits.late + limits.delay + limits.client + limits.listener


def waits_in_words(client: OrderedClient) -> str:
    """Return the shortest sufficient wait of a shutdown, as a formula in text."""
    if not client.rules.waits_for_listener:
        return "no wait is long enough: the client has none"
    requests = "`awaitTerminationMillisWhenShutdown` > `maxTimeConsumeContinuously` + maxListenerTime"
    if client.rules.renews_on:
        return f"long enough: {requests}"
    return (
        f"long enough: {requests}, or 2 x `awaitTerminationMillisWhenShutdown` > maxLateRequest + maxLockDelay + "
        "client.lockMaxLiveTime + maxListenerTime"
    )


def at_rest(s: Ordered) -> Bool:
    """Return the condition that no listener call runs, and no message is left for another one."""
    return Not(Or(s.runs, s.cached))


def _renews_in_shutdown(encoding: Any, s: Ordered, c: Choices, limits: Limits) -> Bool:
    if encoding.rules.renews_on:
        return True
    waits = limits.wait if encoding.rules.waits_for_listener else 0
    begun = s.waits_since - If(s.cut, waits, 0)
    return Implies(s.stopping, s.now <= begun + limits.late)


# ---- Assumptions

IN_CONDITION = assume(
    "time limits that meet the exclusivity condition",
    name="time",
    otherwise="the time limits break the exclusivity condition",
)
"""The condition depends on the client: see ``condition``. The other sets of assumptions mention its formula instead."""
NOT_OVERTAKEN = assume(
    "no unlock overtaken by a later lock request of the same consumer",
    name="overtaken",
    otherwise="an unlock is overtaken by the next lock request",
    allows={"locks": lambda s, c, lim: Not(s.unlocking)},
)
NOT_BACK = assume(
    "no queue reassigned to a consumer while the consumer's delayed unlock of it is pending",
    name="return",
    otherwise="the queue comes back before its delayed unlock",
    allows={"locks": lambda s, c, lim: Not(s.later)},
)
SHUTS_IDLE = assume(
    "a shutdown without messages left in the process queue, or one that waits long enough for the listener",
    name="shutdown",
    otherwise="a shutdown with messages does not wait (the default)",
    asks={"shuts": lambda encoding, s, c, lim: Or(at_rest(s), enough(encoding.rules, lim))},
)
"""The claims define "long enough", for the client that they are about (``enough``)."""
KEEPS_TOPIC = assume(
    "no unsubscribe while the listener runs",
    name="unsubscribed",
    otherwise="the topic is unsubscribed and resubscribed under the listener",
    allows={"unsubscribes": lambda s, c, lim: Not(s.runs)},
)
NO_RESTART = assume(
    "no broker restart, and no other broker that takes over the queue",
    name="restart",
    otherwise="the broker restarts or is replaced",
    excludes=("restarts",),
)
UNIQUE_IDS = assume("unique client ids in the group", name="twin", otherwise="two consumers share a client id")
ONE_CLOCK = assume("no clock jumps, and the same time on consumers and broker")
MASTER = assume("lock requests to the master broker only")
NOT_BY_HAND = assume("no `consumeMessageDirectly`, which takes no lock")
LATE_IN_SHUTDOWN = assume("", asks={"renews": _renews_in_shutdown})
"""The meaning of ``Limits.late`` for a shutdown that ends renewals."""
RENEWALS = assume(
    "lock renewals at most maxRenewalGap apart while the process queue is in the table (from 5.0: and not dropped)",
    waits=lambda encoding, s, until, lim: Implies(encoding.listed(s), until <= s.stamp + lim.renewal),
)
IDLE = assume(
    "no message left at the shutdown of a consumer whose lock renewals end at the shutdown (only up to 4.9, and Go)",
    asks={"shuts": lambda encoding, s, c, lim: True if encoding.rules.renews_on else at_rest(s)},
)
SOON = (
    assume(
        "maxLockDelay + maxRenewalGap <= broker.lockMaxLiveTime",
        limits={"renewals come before a lock expires": lambda lim: lim.delay + lim.renewal <= lim.broker},
    ),
    assume(
        "only consumers from 5.0 on in the group, with firstPullDelay <= client.lockMaxLiveTime and firstPullDelay <= "
        "maxRenewalGap",
        limits={
            "a first pull comes before the client distrusts its lock": lambda lim: And(
                lim.first_pull <= lim.client, lim.first_pull <= lim.renewal
            )
        },
    ),
)
"""Assumptions of groups in which all consumers delay first pulls."""
ANSWERED = assume(
    "immediate broker answers, in order, and none lost",
    allows={"locks": lambda s, c, lim: c.heard},
    asks={"renews": lambda encoding, s, c, lim: And(c.heard, encoding.listed(s))},
)
OFFSET_FOUND = assume("a start offset found for each added queue", allows={"adds": lambda s, c, lim: c.found})
SUBSCRIBED = assume("no unsubscribe", excludes=("unsubscribes",))
NO_REBALANCE = assume(
    "no rebalance of the queue during the shutdown",
    allows={
        **dict.fromkeys(("locks", "revokes"), lambda s, c, lim: Not(s.stopping)),
        "shuts": lambda s, c, lim: Not(s.adding),
    },
)
NOT_PENDING = assume(
    "no delayed unlock pending at the start of the shutdown",
    name="pending",
    otherwise="a delayed unlock is pending",
    excludes=("exits",),
    allows={"shuts": lambda s, c, lim: Not(s.later)},
)
IN_TABLE_OR_LATE = assume(
    "no lock request later than maxLateRequest after the removal of the process queue",
    allows={"renews": lambda s, c, lim: Or(s.present, s.adding, s.now <= s.left + lim.late)},
)

# ---- Sets of assumptions


class Circumstances(Assumptions[Ordered, Choices, Limits]):
    """A set of assumptions about the consumers of one ordered queue."""

    kind: ClassVar[str] = "ordered"
    modes: ClassVar[tuple[Mode, ...]] = (ORDERLY,)
    """The modes of use of the client that the claims cover."""

    @property
    def twins(self) -> bool:
        return self.gone is UNIQUE_IDS

    @property
    def renewed(self) -> bool:
        """Whether lock renewals are assumed to be in time (``Limits.renewal``)."""
        return RENEWALS in self

    @property
    def alike(self) -> bool:
        """Whether all consumers of the group delay the first pull of a new process queue."""
        return SOON[0] in self

    @property
    def prompt(self) -> bool:
        """Whether a consumer's requests are answered immediately, and none is lost."""
        return ANSWERED in self

    def trusted(self, limits: Limits) -> Limits:
        """Return the limits that a consumer can rely on under these assumptions.

        ``client`` is reduced to the longest time after the lock's time stamp at which a listener can begin.
        """
        if not self.renewed:
            return limits
        return limits.but(client=If(limits.renewal < limits.client, limits.renewal, limits.client))

    def waits(self, state: Ordered, until: Int, limits: Limits) -> Bool:
        """Return whether time may pass until ``until`` without an event.

        Not if a listener must return, an answer must arrive, or, for renewals in time, a renewal is due before.
        """
        s = state
        may = And(
            until >= s.now,
            Implies(s.runs, until <= s.since + limits.listener),
            Implies(s.answered, until <= s.answered_at + limits.delay),
            Implies(s.adding, until <= s.adding_at + limits.delay),
        )
        return And(may, self.undue(state, until, limits)) if self.renewed else may


ALWAYS = (ONE_CLOCK, MASTER, NOT_BY_HAND)
"""Assumptions of every claim about ordered consumption: behaviour outside the model."""
COMMON = (NOT_OVERTAKEN, NOT_BACK, SHUTS_IDLE, KEEPS_TOPIC, NO_RESTART, UNIQUE_IDS, *ALWAYS, LATE_IN_SHUTDOWN)
"""All assumptions except the time condition, which depends on the client: ``asked`` adds it."""
IN_TIME = Circumstances.of("in-time", *COMMON, row="if all assumptions hold")
"""All assumptions hold: those of ``COMMON``, and the time condition that ``asked`` adds."""
TOO_LONG = Circumstances.of("time", IN_CONDITION, *COMMON).dropping(IN_CONDITION)
WITHOUT = (
    TOO_LONG,
    *(IN_TIME.dropping(one) for one in (NOT_OVERTAKEN, NOT_BACK, SHUTS_IDLE, KEEPS_TOPIC, NO_RESTART, UNIQUE_IDS)),
)
"""For each assumption, the set of assumptions without it."""
RENEWED_SO = ", if every renewal is in time"
RENEWED = Circumstances.of(
    "renewed",
    RENEWALS,
    IDLE,
    *COMMON,
    when=RENEWED_SO,
    row="if all assumptions hold and renewals are in time",
)
"""All assumptions hold, and one more: renewals are in time. No client guarantees this."""
BY_DEFAULT = Circumstances(
    "renewed-as-shipped",
    tuple(one.sentence for one in (RENEWALS, *COMMON) if one.sentence),
    "every renewal is in time, with default settings",
    declared=(RENEWALS, *COMMON),
    row="if renewals are in time, with default settings",
)
"""Renewals are in time, but default settings may break the client's time condition."""
ALIKE = Circumstances.of(
    "renewed-alike",
    RENEWALS,
    *SOON,
    *COMMON,
    when=f"{RENEWED_SO} and all consumers are 5.x",
    row="if all assumptions hold, renewals are in time, and all consumers are 5.x",
)
"""Renewals are in time, and all consumers delay first pulls.

The group has no older consumers.
"""
OUT_OF_TIME = Circumstances.of("out-of-time", *COMMON, row="if all other assumptions hold")
"""The limits break the client's time condition; all other assumptions hold."""
RENEWED_OUT_OF_TIME = Circumstances.of(
    "renewed-out-of-time", RENEWALS, *COMMON, row="if all other assumptions hold and renewals are in time"
)
"""The limits break the client's time condition, although renewals are in time."""
ALIKE_OUT_OF_TIME = Circumstances.of(
    "renewed-alike-out-of-time",
    RENEWALS,
    *SOON,
    *COMMON,
    row="if all other assumptions hold, renewals are in time, and all consumers are 5.x",
)
"""As ``RENEWED_OUT_OF_TIME``, for consumers that all delay their first pulls."""
SHUT_TOO_SOON = Circumstances.of(
    "shutdown",
    *(one for one in COMMON if one is not SHUTS_IDLE),
    row="if all other assumptions hold and a shutdown is too short",
)
"""A consumer is shut down, and does not wait long enough for its listener."""
PROMPT = Circumstances.of(
    "prompt",
    ANSWERED,
    OFFSET_FOUND,
    SUBSCRIBED,
    NO_REBALANCE,
    NOT_PENDING,
    UNIQUE_IDS,
    row="if requests are answered at once and nothing is lost",
)
"""Around a shutdown, requests are answered at once and in order, and none is lost."""
UNLOCK_PENDING = PROMPT.dropping(NOT_PENDING)
"""A queue was given up with cached messages within the last 20 s before the shutdown."""
ANYHOW = Circumstances.of("anyhow", NOT_BY_HAND, row="in any case except `consumeMessageDirectly`")
"""No assumption restricts the events."""
ONE_GROUP = Circumstances.of(
    "one-group", UNIQUE_IDS, ONE_CLOCK, MASTER, row="if client ids are unique and clocks agree"
)
"""Consumers of different clients share a group."""
NOT_LATER = Circumstances.of(
    "not-later", IN_TABLE_OR_LATE, UNIQUE_IDS, ONE_CLOCK, row="if no lock request is later than maxLateRequest"
)
"""Assumptions of the claims about the longest time for which an unused lock is held."""


def needed(client: OrderedClient, world: Circumstances) -> bool:
    """Return whether two listeners can run on one queue under these assumptions, for some limits."""
    if world.name == BY_DEFAULT.name:
        return client.forces
    if world.gone is NOT_BACK:
        return client.puts_off
    if world.gone in (NOT_OVERTAKEN, KEEPS_TOPIC):
        return client.gives_back
    return world.gone is not None or world.name == SHUT_TOO_SOON.name


# ---- The time condition under which two listeners never run on one queue


@dataclass(frozen=True)
class Part:
    """One part of the time condition: a sum of times must not exceed a limit."""

    sentence: str
    summands: tuple[str, ...]
    """Names of fields of ``Limits`` that are added."""
    within: str
    """Name of the field of ``Limits`` that the sum must not exceed."""

    def total(self, limits: Limits) -> Int:
        """Return the sum, in ms or as a term."""
        total: Int = reduce(add, (getattr(limits, name) for name in self.summands))
        return total

    def holds(self, limits: Limits) -> Bool:
        """Return whether the sum is within the limit, as a truth value or (for terms) a formula."""
        kept: Int = getattr(limits, self.within)
        return self.total(limits) <= kept


KEPT = Part(
    "the broker keeps a lock for as long as the listener can rely on it", ("delay", "client", "listener"), "broker"
)
NOT_FORCED = Part("a lock is not given back by force while the listener can run", ("client", "listener"), "unlock")
"""Excludes a forced unlock under a running listener, which clients do from 5.2 on (``OrderedClient.forces``)."""


@dataclass(frozen=True)
class _Renewed(Part):
    """Part with a sum of times until a running listener's lock is renewed, or it returns."""

    def total(self, limits: Limits) -> Int:
        called = limits.client + limits.listener
        return limits.delay + If(limits.renewal < called, limits.renewal, called)


KEPT_BY_RENEWALS = _Renewed(KEPT.sentence, (), KEPT.within)


@dataclass(frozen=True)
class _UntilPulled(Part):
    """Part that allows more time: a listener may run until the next owner's delayed first pull."""

    def holds(self, limits: Limits) -> Bool:
        kept: Int = getattr(limits, self.within)
        return self.total(limits) <= kept + limits.first_pull


@dataclass(frozen=True)
class _OrShorter(_UntilPulled):
    """Part like ``_UntilPulled``, with an alternative for short listener calls.

    It suffices that a listener called just before the unlock returns before a first pull.
    """

    def holds(self, limits: Limits) -> Bool:
        return Or(super().holds(limits), limits.listener < limits.first_pull)


KEPT_UNTIL_PULLED = _UntilPulled(
    "the broker keeps a lock as long as the listener can rely on it, except for the next consumer's first pull",
    KEPT.summands,
    KEPT.within,
)
NOT_FORCED_UNTIL_PULLED = _OrShorter(
    "a lock is not released by force while the listener can run, except for the next consumer's first pull",
    NOT_FORCED.summands,
    NOT_FORCED.within,
)


def condition(client: OrderedClient, world: Circumstances) -> tuple[Part, ...]:
    """Return all parts of the time condition.

    They are stated for limits as ``Circumstances.trusted`` returns them. ``outside`` shows that no part can be weaker.
    """
    if world.alike and client.pulls_later:
        return (KEPT_UNTIL_PULLED, NOT_FORCED_UNTIL_PULLED) if client.forces else (KEPT_UNTIL_PULLED,)
    if world.renewed and client.renews_under_listener:
        return (KEPT_BY_RENEWALS,)
    return (KEPT, NOT_FORCED) if client.forces else (KEPT,)


def asked(client: OrderedClient, world: Circumstances, limits: Limits) -> dict[str, Bool]:
    """Return all assumptions about the limits that proofs need, by sentence."""
    trusted = world.trusted(limits)
    return world.asked(limits) | {part.sentence: part.holds(trusted) for part in condition(client, world)}


def condition_of(client: OrderedClient, world: Circumstances) -> tuple[str, ...]:
    """Return the parts of the time condition, as formulas in text."""
    if world.renewed and client.renews_under_listener and not world.alike:
        kept = "maxLockDelay + min(maxRenewalGap, client.lockMaxLiveTime + maxListenerTime) <= broker.lockMaxLiveTime"
        return (kept,)
    trusted = "min(client.lockMaxLiveTime, maxRenewalGap)" if world.renewed else "client.lockMaxLiveTime"
    later = " + firstPullDelay" if world.alike else ""
    kept = f"maxLockDelay + {trusted} + maxListenerTime <= broker.lockMaxLiveTime{later}"
    unforced = f"{trusted} + maxListenerTime <= unlockDelayTimeMills{later}"
    if world.alike:
        unforced = f"either {unforced} or maxListenerTime < firstPullDelay"
    return (kept, unforced) if client.forces else (kept,)


def condition_in_words(client: OrderedClient, world: Circumstances) -> str:
    """Return the definition of the exclusivity condition: the time condition of the client."""
    return f"the exclusivity condition: {', and '.join(condition_of(client, world))}"


# ---- Runs to two listeners, for all limits that violate the time condition. Times are terms of the limits

X, Y = 0, 1
Time = Int
Timed = tuple[tuple[Happens, Time], ...]
"""A sequence of actions, each with its time."""


def happens(who: int, action: str, *said: bool) -> Happens:
    """Return an action of consumer ``who``, with its nondeterministic choices ``said``.

    Raises ``ValueError`` for a wrong number of choices.
    """
    return Happens(who, action, tuple(zip(ORDERED.actions[action].choices, said, strict=True)))


def later_of(one: Time, other: Time) -> Time:
    """Return the later one of two times."""
    return If(one > other, one, other)


def sooner_of(one: Time, other: Time) -> Time:
    """Return the earlier one of two times."""
    return If(one < other, one, other)


def first_pull(client: OrderedClient, limits: Limits) -> Time:
    """Return the time from the addition of a process queue to its first pull."""
    return limits.first_pull if client.pulls_later else 0


def begins(
    who: int, client: OrderedClient, world: Circumstances, limits: Limits, granted: Time, stamped: Time
) -> Timed:
    """Return a consumer's actions from an empty table to the lock and messages to consume.

    The broker grants the lock at ``granted``; the consumer records the lock at ``stamped``.
    """
    locks, adds, pulls = happens(who, "locks", True), happens(who, "adds", True), happens(who, "pulls")
    pulled = stamped + first_pull(client, limits)
    if client.rebalance.new_locked:
        return ((locks, granted), (adds, stamped), (pulls, pulled))
    # A new process queue that is not locked waits for the first renewal.
    renews, renewed = happens(who, "renews", True), happens(who, "renewed")
    if world.renewed:
        # The delay may exceed the renewal limit: then an earlier process queue has asked for this renewal.
        return ((locks, granted), (renews, granted), (adds, stamped), (renewed, stamped), (pulls, pulled))
    return ((locks, granted), (adds, granted), (renews, granted), (renewed, stamped), (pulls, pulled))


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
        return deeds(at, (happens(who, "revokes", False), happens(who, "unlocked", False)))

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
        first = self._begins(X, 0, limits.delay)
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
        old = self._begins(X, 0, 0)
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
        first, due = self._begins(X, 0, 0), limits.unlock + 1
        given = later_of(called, due)
        late = (*first, *self._called(X, called), *self._given_up(X, given), *self._adds(Y, given))
        if not self._world.renewed:
            return late, self._forced_behind(renewed=False), self._forced_behind(renewed=True)
        # For limits with which such a late drop would itself release the lock.
        at_once = (*first, *self._called(X, due, mark=False), *self._given_up(X, due), *self._adds(Y, due))
        then = (*first, *self._called(X, called, mark=False), *self._given_up(X, called), *self._adds(Y, called))
        return late, at_once, then

    def _forced_behind(self, *, renewed: bool) -> Timed:
        begun, _, stamped = self._behind(0, renewed=renewed)
        called = stamped + self._trusted
        given = later_of(called, stamped + self._limits.unlock + 1)
        return (*begun, *self._called(Y, called), *self._given_up(Y, given), *self._comes_back(X, given))

    def shut_down(self) -> tuple[Timed, ...]:
        """Return the runs in which a shutdown does not wait long enough.

        The first consumer releases the lock while its listener runs.
        """
        rules = self._client.rules
        if not rules.waits_for_listener:
            begun = (*self._begins(X, 0, 0), *self._called(X, 0))
            shut = (happens(X, "shuts"), happens(X, "gives_back"), happens(X, "unlocked", False))
            return ((*begun, *deeds(0, shut), *self._adds(Y, 0)),)
        return (self._renewed_on(),) if rules.renews_on else tuple(self._last_lock())

    def _renewed_on(self) -> Timed:
        """Return the run of a shutdown during which renewals continue.

        The last call begins as late as its request allows; the other consumer has an old process queue.
        """
        limits = self._limits
        begun, _, stamped = self._behind(0, renewed=False)
        shut = stamped + self._pull
        cut = shut + limits.wait
        called = cut + sooner_of(limits.wait, limits.loop)
        over = cut + limits.wait
        return (
            *begun,
            (happens(Y, "shuts"), shut),
            (happens(Y, "interrupts", True), cut),
            *self._comes_back(Y, called),
            *deeds(over, (happens(Y, "gives_back"), happens(Y, "unlocked", False))),
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
        begun = (*self._begins(X, 0, 0), (happens(X, "shuts"), 0))
        given = deeds(over, (happens(X, "gives_back"), happens(X, "unlocked", False)))
        return tuple((*begun, *call[:at], cut, *call[at:], *given, *self._adds(Y, over)) for at in range(4))


@dataclass(frozen=True)
class Outside:
    """The case that one part of the time condition is violated."""

    name: str
    sentence: str
    asked: str
    """The violation of the part, in words."""
    holds: Callable[[Limits], Bool]
    ways: Callable[[Ways], tuple[Timed, ...]]
    """Runs to two running listeners; at least one of them is possible."""


def outside(client: OrderedClient, world: Circumstances) -> Iterator[Outside]:
    """Yield, for each part of the time condition, the case that it is violated."""
    kept, *not_forced = condition(client, world)
    out = "The lock expires under the listener, and another consumer takes it."
    yield Outside("runs-out", out, kept.sentence, kept.holds, Ways.runs_out)
    for part in not_forced:
        given_back = "The lock is released under the listener, and another consumer takes it."
        yield Outside("forced", given_back, part.sentence, part.holds, Ways.forced)


def too_short(client: OrderedClient) -> Outside:
    """Return the case that a shutdown does not wait long enough for its listener."""
    return Outside(
        "waits",
        "A shutdown releases the lock under the consumer's listener, and another consumer takes it.",
        "a shutdown waits until its listener is no longer called",
        partial(enough, client.rules),
        Ways.shut_down,
    )


# ---- Limits of examples in ms, and of explorations in ticks


def example(client: OrderedClient, world: Circumstances) -> Limits:
    """Return limits in ms for a counterexample: the defaults, unless ``world`` excludes them."""
    if world.name == BY_DEFAULT.name or world.prompt:
        return DEFAULTS
    if world.gone is not IN_CONDITION:
        return _fitting(client, world, DEFAULTS)
    if client.forces:
        return DEFAULTS
    return replace(DEFAULTS, listener=DEFAULTS.broker - DEFAULTS.client)


def _fitting(client: OrderedClient, world: Circumstances, limits: Limits) -> Limits:
    """Return limits that meet the time condition, made from these; a shutdown waits long enough if it has to."""
    if world.alike:
        return _waited(client, replace(limits, listener=_until_pulled(client, limits)))
    fits = replace(limits, unlock=limits.client + limits.listener) if client.forces else limits
    return fits if needed(client, world) else _waited(client, fits)


def _waited(client: OrderedClient, limits: Limits) -> Limits:
    """Return the limits with a shutdown that waits long enough for its listener."""
    return replace(limits, wait=least(client.rules, limits) or 0)


def _until_pulled(client: OrderedClient, limits: Limits) -> int:
    """Return the longest time of a listener call, in ms, that meets the time condition.

    Renewals are in time, and all consumers delay first pulls.
    """
    trusted = min(number(limits.client), number(limits.renewal))
    within = limits.unlock if client.forces else limits.broker - limits.delay
    return number(within + limits.first_pull) - trusted


def in_ticks(client: OrderedClient, world: Circumstances) -> Limits:
    """Return limits in ticks for a counterexample."""
    if world.name == BY_DEFAULT.name:
        return replace(SEARCHED, listener=2)
    if world.prompt:
        return SEARCHED
    if world.gone is not IN_CONDITION:
        return _fitting(client, world, SEARCHED)
    if client.forces:
        return SEARCHED
    return replace(SEARCHED, listener=SEARCHED.broker - SEARCHED.client + 1 + client.pulls_later)
