"""Assumptions about the rebalance thread; guarantees, with bad states, invariants, time bounds and claims."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import ClassVar

from rebalance_proofs.model.client.service_thread import (
    CHECKS,
    CLEARS,
    LOOKS,
    RESETS,
    RUNS,
    WAITS,
    WOKEN,
)
from rebalance_proofs.model.machine.bound import Bound
from rebalance_proofs.model.machine.conjunct import Conjunct
from rebalance_proofs.model.machine.page import (
    Attained,
    Compared,
    Guarantees,
    Holds,
    Page,
    Property,
    Search,
    Way,
    Words,
    every,
    holds,
    refuted,
)
from rebalance_proofs.model.machine.premise import Assumptions, Premise
from rebalance_proofs.model.machine.run import Run, seconds
from rebalance_proofs.model.machine.values import (
    And,
    Bool,
    If,
    Implies,
    Int,
    Not,
    Or,
    Span,
)
from rebalance_proofs.model.machines.settling.actions import (
    CLIENTS,
    DEFAULTS,
    LEAST,
    LOOP,
    SETTLING,
    SLIPS,
    WAIT,
    WRONG,
    Choices,
    Limits,
    Service,
    SettlingClient,
    answered,
    period,
    settled,
)
from rebalance_proofs.model.machines.settling.recorded import TABLE
from rebalance_proofs.model.releases import CONSUMERS, SOURCES

# ---- Assumptions

assume = Premise[Service, Choices, Limits]

TIMER = assume(
    "a timer that ends every wait after `rocketmq.client.rebalance.waitInterval`",
    name="timer",
    otherwise="the timer fails",
    dropped={"wakes": lambda s, c, lim: s.open},
)
DOES = assume(
    "every rebalance after the change succeeds: no exception, no missing answer, no suspended group",
    excludes=("fails",),
)
BETWEEN = assume(
    "no wake-up between the thread's check of its flag and the reset of its latch",
    name="timely",
    otherwise="a wake-up is lost",
    allows=dict.fromkeys(("notifies", "stirs"), lambda s, c, lim: s.at != RESETS),
)
NOBODY = assume(
    "no resume and no offset reset of a consumer of the process: both rebalance in the caller's thread",
    name="resume",
    otherwise="a consumer is resumed or resets offsets",
    excludes=("resumes", "returns"),
)
NO_INTERRUPT = assume(
    "no interrupt of the rebalance thread",
    name="interrupt",
    otherwise="interrupted",
    excludes=("interrupts", "gives_up", "swallows"),
)
INTERRUPTIBLE = (
    assume("every rebalance that begins after the change gets the new member list"),
    assume("every rebalance of all groups of the process ends within maxRebalance"),
    assume("no delay in the rebalance thread besides waits and rebalances (add pauses of the process to the time)"),
    assume("a process that keeps running"),
    assume("no clock jumps"),
)
"""Assumptions of every claim about settling: behaviour outside the model."""
ALWAYS = (*INTERRUPTIBLE, NO_INTERRUPT)


class Notices(Assumptions[Service, Choices, Limits]):
    """A set of assumptions about settling."""

    kind: ClassVar[str] = "settling"

    def waits(self, state: Service, until: Int, limits: Limits) -> Bool:
        """Return whether time can pass until ``until``; only waits and rebalances take time.

        A pending interrupt ends every wait at once. If it stays pending, the thread is busy until minInterval is over.
        """
        over = True if self.gone is TIMER else until <= state.since + state.interval
        waits = And(state.at == WAITS, Not(state.open), over)
        if NO_INTERRUPT not in self:
            spins = And(state.at == WOKEN, state.interrupted, state.spent, until <= state.last + limits.least)
            waits = Or(And(waits, Not(state.interrupted)), spins)
        runs = And(state.at == RUNS, until <= state.began + limits.loop)
        called = Implies(state.called, until <= state.called_at + limits.loop)
        passes = And(Not(state.waking), Or(waits, runs), called)
        return And(until >= state.now, Or(until == state.now, passes))


SUCCEEDS = Notices.of("succeeds", DOES, TIMER, *ALWAYS, row="if every rebalance after the change succeeds")
"""Assumptions under which rebalances succeed, with or without a notification."""
FAILS = Notices.of(
    "fails",
    TIMER,
    *ALWAYS,
    row="even with failed rebalances, which add a round each",
    when=", plus one round per failure",
    meaning="a round: one wait and one rebalance",
)
"""Assumptions under which rebalances may fail, too."""
TIMELY = Notices.of("in-time", BETWEEN, DOES, TIMER, *ALWAYS, row="if no wake-up is lost")
"""Assumptions under which no wake-up is lost."""
ANYHOW = Notices.of("anyhow", *ALWAYS, row="whatever rebalances and wake-ups do")
"""Only the assumptions ``ALWAYS``: rebalances may fail, and wake-ups come at any time.

Consumers may be resumed, too.
"""
UNRESUMED = Notices.of("unresumed", NOBODY, *ALWAYS, row="if no consumer is resumed or resets offsets")
"""As ``ANYHOW``, but no consumer is resumed or resets its offsets."""
INTERRUPTED = Notices.of("interrupts", *INTERRUPTIBLE, row="even if other threads interrupt the rebalance thread")
"""As ``ANYHOW``, and other threads may interrupt the rebalance thread, too."""


# ---- Guarantees, each with its bad states, its invariant, its time bounds and its claims

SERVICE_THREAD = f"{SOURCES}/common/src/main/java/org/apache/rocketmq/common/ServiceThread.java"
REBALANCE_SERVICE = f"{CONSUMERS}/RebalanceService.java"
RESUME = f"{CONSUMERS}/DefaultMQPushConsumerImpl.java"

NOT_CALLED = ("resumes", "returns")
"""Rebalances of another thread, which do not affect this thread."""
Thread = Property[Service, Limits]
part = Conjunct[Service, Limits]
guarantee: Guarantees[SettlingClient, Service, Limits] = Guarantees()


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


PAST = part(
    "past", "Recorded times are in the past, and times of events after the change are not before the change.", _past
)
RUNNING = part(
    "running",
    "A running rebalance is within its time limit; unless it counts as begun after the change, it began no later than "
    "the change.",
    _running,
)


def _place(client: SettlingClient) -> Conjunct[Service, Limits]:
    known = (LOOKS, CHECKS if client.parks else RESETS, WAITS, CLEARS, WOKEN, RUNS)
    return part("place", "The rebalance thread is at one of its steps.", lambda s, lim: _at(s, *known))


UNCALLED = part("uncalled", "No other thread rebalances.", lambda s, lim: Not(Or(s.called, s.follows)))

UNINTERRUPTED = part("uninterrupted", "No interrupt is pending.", lambda s, lim: Not(s.interrupted))


@guarantee
def settles(client: SettlingClient) -> Thread:
    """A change takes effect within a time limit, with or without a notification."""
    seen = Bound[Service, Limits](settled(client), lambda s: And(s.changed, Not(s.right)), lambda s: s.change)

    def waiting(s: Service, lim: Limits) -> Bool:
        latest = s.last + period(client).of(lim)
        return And(
            Implies(_at(s, LOOKS, RESETS), s.now + s.interval <= latest),
            Implies(_at(s, WAITS, CHECKS), And(s.since + s.interval <= latest, s.now <= s.since + s.interval)),
            Implies(_at(s, CLEARS, WOKEN), s.now <= latest),
        )

    def owed(s: Service, lim: Limits) -> Bool:
        runs = If(s.fresh, s.began + lim.loop, s.began + settled(client).of(lim))
        late = If(s.at == RUNS, runs, s.last + (period(client) + LOOP).of(lim))
        return Implies(And(s.changed, Not(s.right)), late <= s.due)

    return Thread(
        f"within {seen.span.words} of the last membership change, a rebalance that used the new list completes",
        REBALANCE_SERVICE,
        (holds(SUCCEEDS), holds(FAILS), refuted(SUCCEEDS.dropping(TIMER))),
        bad=lambda s, lim: And(s.changed, s.now > s.due, Not(s.right)),
        observed=seen.exceeded,
        broken=lambda run: (
            f"{seconds(run.end.now - run.end.change)} after the change, no rebalance has used the new state."
        ),
        invariant=(
            PAST,
            _place(client),
            RUNNING,
            part("waiting", "No wait takes longer than its limit, counted from the last rebalance.", waiting),
            part("owed", "The next rebalance that uses the change ends within the time limit.", owed),
        ),
        concluded="settles",
        conclusion="a rebalance uses the change in time",
        # ``due`` is no later than that, unless rebalances fail.
        bounds=(replace(seen, pending=lambda s: And(seen.pending(s), s.now >= s.due)),),
        aside=NOT_CALLED,
        brief=f"within {seen.span.words} of the last change, a rebalance using it ends",
        covers=("with or without a notification of the change",),
    )


@guarantee
def as_long(client: SettlingClient) -> Thread:
    """The time limit of ``settles`` is sharp: for all limits, settling can take that long."""

    def waits(since: Int, lim: Limits, *, postponed: bool, idle: bool) -> tuple[list[tuple[str, Int]], Int]:
        """Return the actions between two rebalances without a wake-up, with times, and the start of the second one.

        ``postponed``: the wait is shorter than minInterval. ``idle``: a wait of 0 ms, for which a thread with ``park``
        does not park.
        """
        start = ("looks", "checks") if client.parks else ("looks", "resets")
        parked = ("wakes", "checks", "clears") if client.parks else ("wakes", "clears")
        over = since + lim.wait
        found = [(one, since) for one in start] + [(one, over) for one in (("clears",) if idle else parked)]
        if postponed:
            later = since + lim.least
            found += [(one, over) for one in ("postpones", *start)] + [(one, later) for one in parked]
            over = later
        return [*found, ("begins", over)], over

    def ways(lim: Limits) -> Iterator[Way]:
        """Yield runs in which the change comes just after a rebalance has begun, and its notification is lost.

        The rebalance that uses the change still runs at the end.
        """
        for postponed, idle in product((False, True) if client.least else (False,), (False, True)[: 1 + client.parks]):
            first, began = waits(0, lim, postponed=postponed, idle=idle)
            ended = began + lim.loop
            second, again = waits(ended, lim, postponed=postponed, idle=idle)
            lost = (("changes", began), ("loses", began), (("ends", False, True), ended))
            yield [*first, *lost, *second, ("observes", again + lim.loop)]

    return Thread(
        f"whatever the limits, it can take {settled(client).words} until a rebalance with the new list completes",
        REBALANCE_SERVICE,
        (holds(SUCCEEDS),),
        attained=Attained(
            "A change comes just after the start of a rebalance, which misses the change, and no notification arrives.",
            ways,
            lambda s, lim: (s.now == s.change + settled(client).of(lim), Not(s.right)),
        ),
        aside=NOT_CALLED,
    )


@guarantee
def woken(client: SettlingClient) -> Thread:
    """After a notification, a change takes effect sooner than by the timer: at once, or after the running rebalance."""
    heard = Bound[Service, Limits](answered(client), lambda s: And(s.heard, Not(s.right)), lambda s: s.heard_at)

    def latched(s: Service, lim: Limits) -> Bool:
        return And(Implies(And(s.at == WAITS, s.flag), Or(s.open, s.waking)), Implies(s.at == RESETS, Not(s.flag)))

    def answering(s: Service, lim: Limits) -> Bool:
        begins = s.heard_at + answered(client).of(lim) - lim.loop
        early = s.last + lim.least if client.least else s.heard_at
        stale = And(s.flag, s.began <= s.heard_at)
        woken_up = s.flag if client.parks else Or(s.open, s.waking)
        places = And(
            Implies(s.at == RUNS, Or(And(s.fresh, s.began <= begins), And(Not(s.fresh), stale))),
            Implies(s.at != RUNS, s.last <= s.heard_at + lim.loop),
            Implies(_at(s, LOOKS), Or(s.flag, s.now + s.interval <= early)),
            Implies(_at(s, LOOKS, CLEARS, WOKEN, CHECKS), s.now <= begins),
            Implies(_at(s, RESETS), s.now + s.interval <= early),
            Implies(_at(s, WAITS), Or(woken_up, s.since + s.interval <= early)),
            Implies(_at(s, CHECKS), Or(s.flag, s.since + s.interval <= early)),
            Implies(_at(s, WAITS), s.now <= begins),
        )
        return Implies(And(s.heard, Not(s.right)), places)

    return Thread(
        f"within {heard.span.words} of a notification, a rebalance that used the new list completes",
        SERVICE_THREAD,
        (holds(SUCCEEDS),) if client.parks else (holds(TIMELY), refuted(TIMELY.dropping(BETWEEN))),
        bad=heard.exceeded,
        broken=lambda run: (
            f"{seconds(run.end.now - run.end.heard_at)} after the notification, no rebalance has used the new state."
        ),
        invariant=(
            PAST,
            _place(client),
            RUNNING,
            part("latched", "A rebalance thread whose flag is set does not wait.", latched),
            part("answered", "A rebalance for the received notification is due or running, in time.", answering),
        ),
        concluded="woken",
        conclusion="a rebalance answers the notification in time",
        bounds=(heard,),
        aside=NOT_CALLED,
        brief=f"a rebalance with the new list ends within {heard.span.words} of notification",
        assumes=("a notification of the last membership change",),
    )


@guarantee
def waits(client: SettlingClient) -> Thread:
    """The rebalance thread waits its full time unless a wake-up comes.

    One wake-up causes at most two early rebalances.
    """

    def after(span: Span, so: Callable[[Service], Bool]) -> Bound[Service, Limits]:
        def begins(s: Service) -> Bool:
            return And(s.ended, s.at == RUNS, so(s), Not(Or(s.woken_before, s.woken_earlier)))

        return Bound(span, begins, lambda s: s.last, lambda s: s.began)

    def unhurried(s: Service, lim: Limits) -> Bool:
        waits_for = If(s.was_balanced, lim.wait, lim.least) if client.least else lim.wait
        over, woken = s.last + waits_for, Or(s.woken, s.woken_before)
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

    bounds: Sequence[Bound[Service, Limits]] = (after(WAIT, lambda s: True),)
    if client.least:
        bounds = after(WAIT, lambda s: s.was_balanced), after(LEAST, lambda s: Not(s.was_balanced))
    other = f" ({LEAST.words} if a group is unbalanced)" if client.least else ""
    unbalanced = ("an unbalanced group: one that does not work on exactly the queues of its share",)
    return Thread(
        f"the rebalance thread waits at least {WAIT.words}{other} between two rebalances, unless woken",
        SERVICE_THREAD,
        (holds(ANYHOW), refuted(ANYHOW.dropping(NO_INTERRUPT))),
        bad=lambda s, lim: Or(*(one.undercut(s, lim) for one in bounds)),
        broken=lambda run: (
            f"without a wake-up, the thread rebalances {seconds(run.end.began - run.end.last)} after its last "
            "rebalance."
        ),
        invariant=(
            part("flagged", "If the flag is set, or the latch of the wait is open, a wake-up came just before.", owed),
            part("unhurried", "A rebalance thread without a wake-up waits its full time.", unhurried),
            *((UNINTERRUPTED,) if client.parks else ()),
        ),
        concluded="unwoken",
        conclusion="a rebalance that begins sooner was asked for",
        bounds=bounds,
        aside=NOT_CALLED,
        assumes=("no wake-up since the start of the last rebalance before the two rebalances of the claim",),
        where=unbalanced if client.least else (),
    )


@guarantee
def one_wait(client: SettlingClient) -> Thread:
    """An interrupt does not make the thread spin; the next wait is not affected."""
    return Thread(
        "an interrupt of the rebalance thread ends at most one wait before its time",
        SERVICE_THREAD,
        (Holds(INTERRUPTED, not client.parks),),
        bad=lambda s, lim: s.spent_twice,
        broken="the same interrupt has ended two waits: it is still pending.",
        invariant=(
            part(
                "gone",
                "An interrupt that has ended a wait before its time is no longer pending, and has ended only that one.",
                lambda s, lim: Not(Or(s.spent_twice, And(s.spent, s.interrupted))),
            ),
        ),
        concluded="at-most-one",
        aside=NOT_CALLED,
        brief="an interrupt ends at most one wait of the rebalance thread",
    )


@guarantee
def alone(client: SettlingClient) -> Thread:
    """Rebalances of one client do not overlap: all claims that treat them as consecutive steps rely on this."""
    return Thread(
        "a client never runs two rebalances concurrently",
        RESUME,
        (holds(UNRESUMED), refuted(UNRESUMED.dropping(NOBODY))),
        bad=lambda s, lim: And(s.at == RUNS, s.called),
        broken="two rebalances are under way.",
        invariant=(UNCALLED,),
        concluded="one-at-a-time",
    )


@guarantee
def apart(client: SettlingClient) -> Thread:
    """Rebalances are at least minInterval apart, in this thread or another, for any number of notifications."""
    sooner: Sequence[Bound[Service, Limits]] = (
        Bound(LEAST, lambda s: And(s.ended, s.at == RUNS), lambda s: s.last, lambda s: s.began),
        Bound(LEAST, lambda s: And(s.ended, s.follows), lambda s: s.last, lambda s: s.called_at),
    )

    def broken(run: Run[Service, Limits]) -> str:
        began = run.end.called_at if run.end.follows else run.end.began
        return f"a rebalance begins {seconds(began - run.end.last)} after the end of the last one."

    return Thread(
        f"a rebalance starts at least {LEAST.words} after the previous one ends",
        REBALANCE_SERVICE,
        (holds(UNRESUMED), refuted(UNRESUMED.dropping(NOBODY))) if client.least else (refuted(UNRESUMED),),
        bad=lambda s, lim: Or(*(one.undercut(s, lim) for one in sooner)),
        broken=broken,
        invariant=(
            UNCALLED,
            part(
                "begun",
                "A running rebalance began at least minInterval after the last one.",
                lambda s, lim: Implies(s.at == RUNS, s.began >= s.last + lim.least),
            ),
        ),
        concluded="no-sooner",
        bounds=sooner[:1],  # Other threads rebalance only if a consumer is resumed.
    )


# ---- States in which code and terms are compared, with times in ticks

_W, _L = 6, 3
_AWAY = {"since": 0, "interval": _W, "last": -3, "began": -3, "fresh": 0}
_PLACES = (
    *(_AWAY | {"at": place} for place in (LOOKS, RESETS, CLEARS)),
    *(_AWAY | {"at": place, "since": -ago} for place in (WAITS, CHECKS) for ago in (_W - 1, _W)),
    *(_AWAY | {"at": WAITS, "since": -ago, "interval": _L} for ago in (_L - 1, _L)),
    *(_AWAY | {"at": WOKEN, "last": -ago} for ago in (_L - 1, _L, _L + 1)),
    *(_AWAY | {"at": RUNS, "began": -1, "fresh": fresh} for fresh in (0, 1)),
)
"""Points of the thread's loop (waiting, woken, rebalancing), with the time since it began."""
_NO_CHANGE = {"changed": 0, "change": 0, "told": 0, "heard": 0, "heard_at": 0, "right": 0, "due": 0}
_CHANGES = (
    _NO_CHANGE,
    *(
        _NO_CHANGE
        | {"changed": 1, "change": -2, "told": told, "heard": heard, "heard_at": -1, "right": right, "due": 6}
        for told, heard in ((0, 0), (1, 0), (0, 1))
        for right in (0, 1)
    ),
)
"""States of a membership change: none; notification lost, in flight, or received."""
_BEFORE = [
    {"ended": ended, "was_balanced": ended, "woken": ended, "woken_before": 0, "woken_earlier": 1} for ended in (0, 1)
]
"""Whether the thread has completed a rebalance, and its earlier events."""
_CALLED = (
    {"called": 0, "called_at": -1, "follows": 0},
    *({"called": 1, "called_at": -1, "follows": follows} for follows in (0, 1)),
)
"""Whether another thread of the client rebalances at the same time."""
_INTERRUPTS = [
    dict(zip(("interrupted", "spent", "spent_twice"), values, strict=True))
    for values in ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0))
]
"""Whether an interrupt is pending, and whether it has ended a wait."""


def _given(run: Run[Service, Limits]) -> str:
    """Return the first line of a counterexample in words, with the time limits."""
    told = {"the thread waits for": run.limits.wait, "a rebalance takes at most": run.limits.loop}
    told |= {"two of them are apart by at least": run.limits.least} if run.client.least else {}
    return f"One client: {', '.join(f'{words} {value / 1000:g} s' for words, value in told.items())}."


PAGE = Page(
    "settling",
    SETTLING,
    CLIENTS,
    guarantee,
    WRONG,
    SLIPS,
    examples=DEFAULTS,
    # The limits in ticks are different numbers, none of them 0.
    search=Search(Limits(wait=6, least=1, loop=2), end=16),
    compared=Compared(
        "wakes",
        "wake-ups",
        Limits(wait=_W, least=_L, loop=2),
        (_PLACES, every(flag=2, open=2, waking=2), _CHANGES, _BEFORE, _CALLED, _INTERRUPTS),
    ),
    words=Words(
        "Settling",
        "When a client rebalances after its view of the group changes: its rebalance thread, the timer, and the "
        "wake-up by a notification. In Java, one thread serves all groups of the client.",
        about=lambda client: f"The rebalance thread of one client of {client.rocketmq_name}, and all that wakes it.",
        given=_given,
        who="the thread",
        around="1 consumer",
        called="settling",
        counted="of rebalance threads",
        state="a rebalance thread",
        observes="The client's tables are inspected",
    ),
    scopes=("for all limits of time", "the shortest run, in ticks, is shown"),
    shown=TABLE,
)
