"""The rebalance thread of one client, its timer and its wake-ups, and one membership change of its group.

The page reads top down: state, time limits, actions, clients, assumptions, guarantees. The parameters of actions and
conditions: ``s``, the state before; ``c``, the action's nondeterministic choices; ``lim``, the time limits; ``client``,
the client's differences from other clients.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
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
    RebalanceService,
    RebalanceServiceV5_2,
    RebalanceServiceV5_5_1,
)
from rebalance_proofs.model.machine.bound import Bound
from rebalance_proofs.model.machine.client import Code, MachineClient, Wrong, by_name
from rebalance_proofs.model.machine.conjunct import Conjunct
from rebalance_proofs.model.machine.fields import Flag, Ghost, Limit, Number, defaults, limit, record
from rebalance_proofs.model.machine.machine import ENVIRONMENT, Actions, Machine, Step, step
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
from rebalance_proofs.model.machine.record import Record, Shown, Timed
from rebalance_proofs.model.machine.recorded import (
    Cause,
    Gaps,
    History,
    Recorded,
    Unseen,
    Urgent,
    does,
    nothing,
    shows,
    stays,
)
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
    Value,
    longer,
    number,
    truth,
    twice,
)
from rebalance_proofs.model.releases import CONSUMERS, SOURCES, java_from
from rebalance_proofs.model.transition.generations import FROM_5_2, UP_TO_5_1, Generation

# ---- State: the thread, and what happened to the membership change

PLACES = Shown(
    "rebalance thread",
    {
        LOOKS: "about to check its flag",
        RESETS: "about to reset its latch",
        WAITS: "waits",
        CLEARS: "about to clear its flag",
        WOKEN: "awake",
        RUNS: "rebalancing",
        CHECKS: "about to check its flag again",
    },
    "thread",
    ("looks", "resets", "waits", "clears", "woken", "runs", "checks"),
)
FLAG = Shown("`hasNotified` flag", {True: "set", False: "clear"})
LATCH = Shown("`waitPoint` latch, or permit", {True: "open", False: "closed"})
INTERRUPT = Shown("interrupt", {True: "pending", False: "none"})
SEEN = "; it used the new member list"
CHANGE = Shown("membership change", {True: "seen", False: "not yet used by a rebalance"})


@record
class Service(Timed):
    """State of a client's rebalance thread, and progress of one membership change.

    The thread is ``RebalanceService`` with its ``ServiceThread``.
    """

    at: Int = Number("Current or next step of `RebalanceService`.", most=7, shown=PLACES)
    flag: Bool = Flag("`hasNotified`: the thread was asked to run.", shown=FLAG)
    open: Bool = Flag(
        "`waitPoint`: the latch is open, which ends a wait. From common 5.5.1 on, the thread has a permit of `unpark`.",
        shown=LATCH,
    )
    interrupted: Bool = Flag("An interrupt of the rebalance thread is pending.", shown=INTERRUPT)
    waking: Bool = Flag("At least one `wakeup` call has set the flag and has not yet counted down the latch.")
    since: Int = Number("Time at which the wait began.", when=lambda s: Or(s.at == WAITS, s.at == CHECKS))
    interval: Int = Number("Length of this wait, or of the next one (`realWaitInterval`).")
    last: Int = Number(
        "Time at which the last rebalance ended (`lastRebalanceTimestamp`); clients before 5.2 do not store it."
    )
    spent: Bool = Ghost("Whether the last interrupt has ended a wait before its time.")
    spent_twice: Bool = Ghost("Whether one interrupt has ended two waits before their time.")
    ended: Bool = Ghost("Whether a rebalance has ended.")
    began: Int = Ghost("Time at which the running rebalance began.", when=lambda s: s.at == RUNS)
    was_balanced: Bool = Ghost("Whether every group worked on the queues of its share when the last rebalance ended.")
    woken: Bool = Ghost(
        "Whether a wake-up has set the flag or counted down the latch since the last rebalance began; a permit "
        "alone does not count."
    )
    woken_before: Bool = Ghost("Whether a wake-up came between the starts of the last rebalance and the one before it.")
    woken_earlier: Bool = Ghost(
        "Whether a wake-up came between the starts of the second-last rebalance and the one before it."
    )
    changed: Bool = Ghost("Whether the member list has changed for the last time.")
    change: Int = Ghost("Time of the last change of the member list.", when=lambda s: s.changed)
    told: Bool = Ghost("Whether the notification of the change is in flight.")
    heard: Bool = Ghost("Whether the notification of the change has arrived.")
    heard_at: Int = Ghost("Time at which the notification arrived.", when=lambda s: s.heard)
    fresh: Bool = Ghost("Whether the running rebalance began after the change.")
    right: Bool = Ghost("Whether a rebalance that used the new member list has ended.", shown=CHANGE)
    due: Int = Ghost("Time by which a rebalance with the new member list must have ended.", when=lambda s: s.changed)
    called: Bool = Ghost(
        "Whether another thread rebalances: a user's thread that resumes a suspended consumer, or an offset "
        "reset, which ends with a resume (`DefaultMQPushConsumerImpl.resume`)."
    )
    called_at: Int = Ghost("Time at which the other thread's rebalance began.", when=lambda s: s.called)
    follows: Bool = Ghost(
        "Whether the other thread's rebalance began between two rebalances of this thread, the later of which "
        "has not ended yet."
    )


@record
class Choices(Record):
    """Choices of an action that the model leaves open, such as a rebalance's result."""

    seen: Bool = Flag("Whether a rebalance that began before the change uses the new member list all the same.")
    balanced: Bool = Flag(
        "Whether every group works on the queues of its share. False also if a strategy or a topic's rebalance "
        "throws, or a push consumer is suspended; true if no member list arrives."
    )
    more: Bool = Flag("Whether another wake-up has still to count down the latch.")


@record
class Limits(Record):
    """Time limits of the rebalance thread in ms, each a number or a term."""

    wait: Int = Limit("Timer period (`rocketmq.client.rebalance.waitInterval`).", "waitInterval", 20_000)
    least: Int = Limit(
        "Minimum time between two rebalances, from Java 5.2 on (`rocketmq.client.rebalance.minInterval`).",
        "minInterval",
        1_000,
    )
    # The default assumes that one query for the ids is not answered. An ordered group may need longer: each queue that
    # is revoked while its listener runs adds the wait of ``tryLock``.
    loop: Int = Limit(
        "Longest time of one rebalance of all groups of the process, including waits for brokers' answers and "
        "listeners' locks. No client setting bounds it.",
        "maxRebalance",
        3_000,
    )


DEFAULTS = defaults(Limits)
"""Default settings for ``wait`` and ``least``, and an assumed ``loop``."""
WAIT, LEAST, LOOP = (limit(Limits, name) for name in ("wait", "least", "loop"))


# ---- Differences between clients


@dataclass(frozen=True)
class SettlingClient(MachineClient):
    """Releases of a client whose rebalance threads behave the same."""

    name: str
    """Name used in claim ids: ``java_v5_2_to_v5_3``."""
    rocketmq_name: str
    """Name for people: ``Java 4.9 to 5.1.4``."""
    made: type[RebalanceService]
    """Class with the Python code of the rebalance thread."""
    least: bool
    """Whether the client has a minimum time between two rebalances (``minInterval``)."""
    generations: tuple[Generation, ...]
    """Generations of the Java client to which the releases belong.

    Empty for a release whose client was not read as a whole.
    """
    parks: bool = False
    """Whether the thread parks instead of waiting for a latch (``ServiceThread`` from 5.5.1 on)."""

    @cached_property
    def code(self) -> Code[Service, Choices, Limits, RebalanceService]:
        """How the thread's Python code implements the machine (refinement map)."""
        return by_name(self.made, self.made, SETTLING, STORED, _put, lambda thread: {"waking": thread.wakers > 0})


STORED = {
    "at": "at",
    "flag": "has_notified",
    "open": "open",
    "interrupted": "interrupted",
    "since": "since",
    "interval": "real_wait_interval",
    "last": "last_rebalance_timestamp",
}
"""Field of the state -> the attribute of the thread that stores it."""


def _put(thread: RebalanceService, s: Service, c: Choices) -> None:
    thread.wakers = (2 if c.more else 1) if s.waking else 0


def period(client: SettlingClient) -> Span:
    """Return the longest time from the end of a rebalance to the start of the next one."""
    return longer(WAIT, LEAST) if client.least else WAIT


def settled(client: SettlingClient) -> Span:
    """Return the longest time from a membership change to the end of a rebalance that used it.

    This assumes that no rebalance fails; it does not matter whether the client is notified.
    """
    return period(client) + twice(LOOP)


def answered(client: SettlingClient) -> Span:
    """Return the longest time from a notification to the end of a rebalance that uses it.

    That rebalance uses the changed membership. This assumes that no wake-up is lost.
    """
    return LEAST + twice(LOOP) if client.least else twice(LOOP)


# ---- Actions of the thread and of its environment

action: Actions[Service, Choices, Limits, SettlingClient] = Actions()


def _early(s: Service, lim: Limits, client: SettlingClient) -> Bool:
    return s.now - s.last < lim.least if client.least else False


def _over(s: Service, c: Choices, lim: Limits, client: SettlingClient) -> dict[str, Value]:
    """Return the fields that change when a rebalance ends, whatever its result."""
    interval = If(c.balanced, lim.wait, lim.least) if client.least else lim.wait
    ghosts: dict[str, Value] = {"ended": True, "was_balanced": c.balanced, "fresh": False, "follows": False}
    return {"at": LOOKS, "last": s.now, "interval": interval, **ghosts}


@action(
    "The rebalance thread checks whether it was woken.",
    lambda before, after, c, client: (
        f"The rebalance thread checks its flag: it was{'' if before.flag else ' not'} woken"
    ),
)
def looks(s: Service, c: Choices, lim: Limits, client: SettlingClient) -> Step:
    """The thread checks the flag, and skips the wait if it is set.

    Mirror of ``hasNotified.compareAndSet(true, false)``. A thread that parks computes its deadline next.
    """
    if client.parks:
        return step(s.at == LOOKS, at=If(s.flag, WOKEN, CHECKS), flag=False, since=If(s.flag, s.since, s.now))
    return step(s.at == LOOKS, at=If(s.flag, WOKEN, RESETS), flag=False)


@action(
    "The rebalance thread begins to wait.",
    "The rebalance thread resets its latch and starts to wait",
    has=lambda client: not client.parks,
)
def resets(s: Service, c: Choices, lim: Limits, client: SettlingClient) -> Step:
    """The thread closes the latch and begins to wait (``waitPoint.reset()``, ``await``)."""
    return step(s.at == RESETS, at=WAITS, open=False, since=s.now)


def _over_due(s: Service) -> Bool:
    """Check whether the interval of the wait is over."""
    return s.now >= s.since + s.interval


def _cut(s: Service, woken: Bool) -> dict[str, Value]:
    """Return the fields that change when a wait ends; ``woken``: whether a wake-up ends it."""
    cut = And(s.interrupted, Not(woken), Not(_over_due(s)))
    return {"spent": Or(s.spent, cut), "spent_twice": Or(s.spent_twice, And(cut, s.spent))}


@action(
    "The rebalance thread checks its flag and its deadline before it parks.",
    lambda before, after, c, client: (
        f"The rebalance thread checks its flag again: it {'parks' if after.at == WAITS else 'does not park'}"
    ),
    has=lambda client: client.parks,
)
def checks(s: Service, c: Choices, lim: Limits, client: SettlingClient) -> Step:
    """The thread parks, unless the flag is set or the deadline has passed (loop of ``waitForRunning``)."""
    return step(s.at == CHECKS, at=If(Or(s.flag, _over_due(s)), CLEARS, WAITS))


@action(
    "The wait of the rebalance thread ends.",
    lambda before, after, c, client: (
        f"`park` returns{' at once because of the interrupt' if before.interrupted else ''}"
        if client.parks
        else "The wait of the rebalance thread ends"
    ),
)
def wakes(s: Service, c: Choices, lim: Limits, client: SettlingClient) -> Step:
    """The wait ends: the latch was counted down, or the wait interval is over.

    A thread that parks can return from ``park`` at any time, even for no reason. It then checks the flag again, unless
    an interrupt is pending: that ends the wait and stays pending.
    """
    if client.parks:
        return step(s.at == WAITS, at=If(s.interrupted, CLEARS, CHECKS), open=False, **_cut(s, s.flag))
    return step(And(s.at == WAITS, Or(s.open, _over_due(s))), at=CLEARS)


@action(
    "The wait of the rebalance thread ends because of an interrupt.",
    "The wait throws an `InterruptedException`, which clears the interrupt",
    has=lambda client: not client.parks,
)
def gives_up(s: Service, c: Choices, lim: Limits, client: SettlingClient) -> Step:
    """The wait ends by an exception, which clears the interrupt (``CountDownLatch2.await``)."""
    return step(And(s.at == WAITS, s.interrupted), at=CLEARS, interrupted=False, **_cut(s, s.open))


@action("The rebalance thread clears its flag.", "The rebalance thread clears its flag")
def clears(s: Service, c: Choices, lim: Limits, client: SettlingClient) -> Step:
    """The thread clears the flag after the wait (``hasNotified.set(false)``)."""
    return step(s.at == CLEARS, at=WOKEN, flag=False)


@action("The rebalance thread begins a rebalance.")
def begins(s: Service, c: Choices, lim: Limits, client: SettlingClient) -> Step:
    """A rebalance begins in the thread (``doRebalance``)."""
    woken = {"woken": False, "woken_before": s.woken, "woken_earlier": s.woken_before}
    return step(And(s.at == WOKEN, Not(_early(s, lim, client))), at=RUNS, began=s.now, fresh=s.changed, **woken)


@action(
    "The rebalance thread postpones a rebalance that would be too early.",
    "It is too early for a rebalance: the rebalance thread will wait again",
    has=lambda client: client.least,
)
def postpones(s: Service, c: Choices, lim: Limits, client: SettlingClient) -> Step:
    """The thread waits once more, for the rest of ``minInterval``."""
    return step(And(s.at == WOKEN, _early(s, lim, client)), at=LOOKS, interval=lim.least - (s.now - s.last))


@action(
    "The rebalance thread's rebalance ends.",
    lambda before, after, c, client: f"The rebalance ends{SEEN if after.right and not before.right else ''}",
    choices=("seen", "balanced"),
)
def ends(s: Service, c: Choices, lim: Limits, client: SettlingClient) -> Step:
    """The rebalance in the thread ends (``doRebalance`` returns)."""
    return step(s.at == RUNS, **_over(s, c, lim, client), right=Or(s.right, s.fresh, And(s.changed, c.seen)))


@action("The rebalance thread's rebalance fails.", "The rebalance fails", choices=("balanced",), code="ends")
def fails(s: Service, c: Choices, lim: Limits, client: SettlingClient) -> Step:
    """``doRebalance`` returns without success.

    If it began after the membership change, another rebalance is necessary.
    """
    later = s.due + (period(client) + LOOP).of(lim)
    return step(s.at == RUNS, **_over(s, c, lim, client), due=If(s.fresh, later, s.due))


@action("The group's member list changes for the last time.", "The group's member list changes", by=ENVIRONMENT)
def changes(s: Service, c: Choices, lim: Limits, client: SettlingClient) -> Step:
    """The membership changes, and a notification is sent."""
    due = s.now + settled(client).of(lim)
    return step(Not(s.changed), changed=True, change=s.now, told=True, due=due)


@action("The notification of the membership change is lost.", by=ENVIRONMENT)
def loses(s: Service, c: Choices, lim: Limits, client: SettlingClient) -> Step:
    """The notification is lost; it is not sent again."""
    return step(s.told, told=False)


@action(
    "The notification of the membership change arrives.",
    "The notification of the membership change arrives and sets the flag",
    by=ENVIRONMENT,
    code="wakeup",
    anytime=True,
)
def notifies(s: Service, c: Choices, lim: Limits, client: SettlingClient) -> Step:
    """The notification arrives: ``wakeup`` sets the flag unless it is already set.

    Mirror of ``notifyConsumerIdsChanged`` and ``rebalanceImmediately``.
    """
    waking = Or(s.waking, Not(s.flag))
    return step(s.told, told=False, heard=True, heard_at=s.now, flag=True, waking=waking, woken=True)


@action(
    "Another event wakes the rebalance thread.",
    "Another wake-up sets the flag of the rebalance thread",
    by=ENVIRONMENT,
    code="wakeup",
    anytime=True,
)
def stirs(s: Service, c: Choices, lim: Limits, client: SettlingClient) -> Step:
    """Another notification arrives, or any other code calls ``wakeup``.

    This has no effect if the flag is already set.
    """
    return step(Not(s.flag), flag=True, waking=True, woken=True)


@action(
    "A wake-up counts down the latch.",
    lambda before, after, c, client: (
        "The wake-up unparks the thread" if client.parks else "The wake-up opens the latch"
    ),
    choices=("more",),
    by=ENVIRONMENT,
)
def counts(s: Service, c: Choices, lim: Limits, client: SettlingClient) -> Step:
    """``wakeup`` counts down the latch after it has set the flag, or unparks the thread.

    A permit alone does not end a wait, because the thread then checks its flag again.
    """
    return step(s.waking, open=True, waking=c.more, woken=Or(s.woken, not client.parks))


@action("Another thread interrupts the rebalance thread.", by=ENVIRONMENT, code="interrupt")
def interrupts(s: Service, c: Choices, lim: Limits, client: SettlingClient) -> Step:
    """``Thread.interrupt`` on the rebalance thread, such as by an application that interrupts all threads."""
    return step(Not(s.interrupted), interrupted=True, spent=False)


@action(
    "A call in the rebalance clears the interrupt.",
    "A call in the rebalance throws an `InterruptedException`, which clears the interrupt",
)
def swallows(s: Service, c: Choices, lim: Limits, client: SettlingClient) -> Step:
    """A call that waits, such as for a broker's answer, throws an exception and so clears the interrupt."""
    return step(And(s.at == RUNS, s.interrupted), interrupted=False)


@action(
    "Another thread begins a rebalance.",
    "A user's thread, or the thread of an offset reset, resumes a consumer and starts a rebalance",
    by=ENVIRONMENT,
)
def resumes(s: Service, c: Choices, lim: Limits, client: SettlingClient) -> Step:
    """``resume`` calls ``doRebalance`` in its caller's thread.

    No lock prevents that two threads run it at once.
    """
    return step(Not(s.called), called=True, called_at=s.now, follows=And(s.ended, s.at != RUNS))


@action("The other thread's rebalance ends.", "The other thread's rebalance ends", by=ENVIRONMENT)
def returns(s: Service, c: Choices, lim: Limits, client: SettlingClient) -> Step:
    """The rebalance of the other thread ends; the rebalance thread is not informed."""
    return step(s.called, called=False, follows=False)


SETTLING: Machine[Service, Choices, Limits, SettlingClient] = Machine(
    Service, Choices, Limits, lambda blank, lim, client: blank.but(at=LOOKS, interval=lim.wait), action
)
"""The state machine of the rebalance thread.

In its first state, the thread was just started and the membership change has not happened.
"""

# ---- How the actions show in a recording of one process

OWN = "RebalanceService"
"""Name of the rebalance thread."""
OFFSETS = "persist", "offset-removed"
"""Events of a removal: the offset store sends the queue's offset, and forgets it."""
LIST, LOCK = "GET_CONSUMER_LIST_BY_GROUP", "LOCK_BATCH_MQ"
"""Requests of a rebalance: for the ids, once per topic, and for locks."""
UNANSWERED = 6_000
"""Longest time in ms that a client waits for a connection and an answer. Its time-out has no event."""
TRY_LOCK = 1_000
"""Longest time in ms that a rebalance waits for the listener of a queue that it revokes."""
POLLED = 250
"""Longest time in ms from a change of a broker's table to the event of the poll that sees it."""
LOCK_WAIT = 1_000
"""Time in ms for which a client waits for the answer to a request for locks (``lockBatchMQ``)."""
LATER = 500
"""Time in ms after which a rebalance without all locks wakes the thread, from 5.0 on (``rebalanceLater``)."""


def _runs(s: Service, h: History) -> Bool:
    return s.at == RUNS


def _does_not_run(s: Service, h: History) -> Bool:
    return s.at != RUNS


def _asks_again(s: Service, h: History) -> bool:
    """Return True if the running rebalance has not requested the ids for every topic."""
    return truth(s.at == RUNS) and len(h.since("ask", number(s.began), code=LIST, thread=OWN)) < h.topics


def _has_list(s: Service, h: History) -> bool:
    """Return True if the running rebalance got a member list and divided a topic's queues."""
    return truth(s.at == RUNS) and bool(h.since("allocate", number(s.began)))


def _has_no_list(s: Service, h: History) -> bool:
    return truth(s.at == RUNS) and not h.since("allocate", number(s.began))


def _uses_change(s: Service, h: History) -> bool | None:
    """Return whether the rebalance uses the last membership change, or None if it does for some topics only."""
    used = {tuple(one.cid_all or ()) == h.members for one in h.since("allocate", number(s.began))}
    return used.pop() if len(used) == 1 else None


def _is_balanced(s: Service, h: History) -> bool | None:
    """Return whether each queue of the last results has a process queue; None if a recording does not show it."""
    results = [*h.assigned.values()]
    if any(queues is None or any(h.table.get(q) for q in queues) for queues in results):
        return None
    return all(q in h.table for queues in results for q in queues or ())


def _agrees(s: Service, h: History) -> bool:
    """Return True if machine and recording agree whether the rebalance that ended used the last membership change."""
    used = _uses_change(s, h)
    return used is None or not truth(s.changed) or truth(s.right) is used


def _was_denied(h: History) -> bool:
    """Return True if an answer denies a lock for which the rebalance thread has asked."""
    asked = h.since("ask", h.event.at - UNANSWERED, opaque=h.event.opaque, thread=OWN)
    return h.release >= (5,) and bool(asked) and not h.event.said.granted


def _was_not_answered(h: History) -> bool:
    """Return True if a request for a lock got no answer in time."""
    answers = h.since("answer", h.event.at, opaque=h.event.opaque)
    return h.release >= (5,) and all(one.at > h.event.at + LOCK_WAIT for one in answers)


def _wakes_up(h: History) -> bool:
    """Return True if the event belongs to a correction that wakes the thread: from 5.2 on."""
    return h.release >= (5, 2) and h.corrected


def _is_own(h: History) -> bool:
    """Return True if a rebalance has the effect, and not a reset or a correction of an offset."""
    return not h.corrected and h.event.q.partition(":")[0] not in h.resetting


def _starting(s: Service, h: History) -> int:
    """Return how many ms later the thread can begin to work: at any time until ``start()`` returns."""
    return 0 if h.since("started", 0) else h.at


def _longest(s: Service, h: History) -> int:
    """Return the longest time in ms for which a rebalance leaves no event: it waits for an answer, and for locks."""
    return UNANSWERED + TRY_LOCK * len(h.table) * h.ordered


def _later(s: Service, h: History) -> int:
    """Return how many ms after its last event a rebalance can end: a request without an answer ends it later."""
    return UNANSWERED if h.waits_for_answer(OWN) else 0


def _anywhere(first: Service, at: int, lim: Limits) -> Iterator[Service]:
    """Yield the states from which the thread can go on after a gap: it rebalances, or can begin to."""
    awake = first.but(now=at, at=WOKEN, since=at, last=at - lim.least)
    yield from (awake, awake.but(called=True), awake.but(at=RUNS, began=at))


def _unseen_rebalances(h: History) -> Iterator[tuple[int, int]]:
    """Yield the times in which rebalances send no request: there is no connection, or the consumer is suspended."""
    yield from ((since, until + UNANSWERED) for since, until in h.away)
    yield from h.spans("suspending", "resuming")
    yield from h.spans("reset-told", "reset-done")


WAKES_UP: Cause[Service] = does("stirs", only=lambda s, h: Not(s.flag)).then("counts", more=False)
LISTS = "no wake-up and no timer explains that a rebalance begins"
IN_REBALANCE = "no rebalance is under way"
BESIDE = "another thread rebalances already, or none does"

TABLE: Recorded[Service, Limits] = Recorded(
    begins="starting",
    ends=("shutdown-begin", "start-failed"),
    rows=(
        # A rebalance first requests the consumer ids of each topic. Its other requests and effects show that it runs.
        shows("ask", stays(_asks_again), does("begins"), code=LIST, thread=OWN, why=LISTS),
        shows("allocate", stays(_runs), only=lambda h: not h.resuming, why=IN_REBALANCE),
        shows("entry-new", stays(_runs), only=lambda h: not h.resuming, why=IN_REBALANCE),
        shows("ask", stays(_runs), nothing(_does_not_run), thread=OWN),
        *(shows(one, stays(_runs), nothing(_does_not_run), only=_is_own) for one in OFFSETS),
        # A notification wakes the thread. The thread's flag may be set already.
        shows(
            "notified",
            WAKES_UP,
            does("notifies").then("counts", more=False),
            does("notifies", only=lambda s, h: s.flag),
            nothing(lambda s, h: s.flag),
            only=lambda h: h.event.said.consumer_group == h.group,
        ),
        # Other wake-ups: by start() before it returns, by a new connection (from 5.2 on), and, later, by a rebalance
        # that did not get a lock: it was denied, or there was no answer.
        shows("started", WAKES_UP, may=True),
        shows("ask", WAKES_UP, may=True, thread="NettyEventExecutor"),
        shows("answer", WAKES_UP, may=True, code=LOCK, delay=LATER, only=_was_denied),
        shows("ask", WAKES_UP, may=True, code=LOCK, thread=OWN, delay=LOCK_WAIT + LATER, only=_was_not_answered),
        # From 5.2 on, the correction of an illegal offset removes the process queue, and wakes the thread. It waits
        # for an ordered listener before.
        shows("entry-gone", WAKES_UP, nothing(lambda s, h: s.flag), how="remove", only=_wakes_up),
        *(shows(one, WAKES_UP, may=True, only=lambda h: h.ordered and _wakes_up(h)) for one in OFFSETS),
        # Other threads rebalance, too: a user's thread in resume(), and an offset reset, which shows by its requests.
        shows("resuming", does("resumes"), beside=True, why=BESIDE),
        shows("resumed", does("returns"), beside=True, why=BESIDE),
        shows(
            "ask",
            does("resumes").then("returns"),
            code=LIST,
            only=lambda h: h.event.thread != OWN and not h.resuming,
            beside=True,
            why=BESIDE,
        ),
        # A poll of the broker's table sees the last membership change in the process's life.
        shows("table", does("changes"), what="members", only=lambda h: h.event is h.last_change, early=POLLED),
    ),
    hidden=(
        Unseen(does("looks"), _starting),
        *(Unseen(does(one)) for one in ("resets", "checks", "wakes", "clears", "postpones")),
        Unseen(does("ends", only=_has_list, seen=_uses_change, balanced=_is_balanced, sees=_agrees), _later),
        Unseen(does("fails", only=_has_no_list), _later),
        Unseen(replace(WAKES_UP, only=lambda s, h: s.at == LOOKS and not h.since("started", 0))),
    ),
    urgent=(
        Urgent(does("looks"), lambda s, h, since: _starting(s, h)),
        *(Urgent(does(one)) for one in ("resets", "checks", "wakes", "clears", "postpones", "begins")),
        Urgent(does("ends"), lambda s, h, since: _longest(s, h)),
        Urgent(does("returns"), lambda s, h, since: None if h.resuming else 0),
    ),
    kept=frozenset(("called", "changed", "told", "fresh", "right", "began")),
    late="the thread should have begun a rebalance before",
    gaps=Gaps(_unseen_rebalances, _anywhere, lambda lim: number(lim.wait)),
    settings={
        "wait": "rocketmq.client.rebalance.waitInterval",
        "least": "rocketmq.client.rebalance.minInterval",
    },
    first=lambda h: ({"last": h.created},),
)

# ---- Clients and mutants. To add a client, add a line to ``CLIENTS``

CLIENTS = (
    SettlingClient("java_v4_9_to_v5_1", "Java 4.9 to 5.1.4", RebalanceService, False, UP_TO_5_1),
    SettlingClient("java_v5_2_to_v5_3", java_from("5.2"), RebalanceServiceV5_2, True, FROM_5_2),
    SettlingClient("java_v5_5_1", "ServiceThread 5.5.1", RebalanceServiceV5_5_1, True, (), parks=True),
)
"""The rebalance threads, oldest first.

Of 5.5.1, ``ServiceThread`` was read, which is in ``rocketmq-common``, but not the client: the last one is the
``RebalanceService`` of 5.5.0 on the ``ServiceThread`` of 5.5.1.
"""
Mistake = Wrong[Service, Choices, Limits, SettlingClient]
WRONG = (
    Mistake(
        "forgets",
        "a thread that was woken waits nevertheless",
        lambda s, c, lim, turn: turn.but(at=If(s.at == LOOKS, s.at + 1, s.at)),
        "looks",
        "woken",
        of=lambda client: not client.parks,
    ),
    Mistake(
        "forgets-and-parks",
        "a thread that was woken waits nevertheless",
        lambda s, c, lim, turn: turn.but(at=If(s.at == LOOKS, CHECKS, s.at), since=s.now),
        "looks",
        "woken",
        of=lambda client: client.parks,
    ),
    Mistake(
        "parks-unchecked",
        "the thread parks again without a check of its flag",
        lambda s, c, lim, turn: turn.but(at=If(_over_due(s), CLEARS, WAITS)),
        "checks",
        "woken",
        of=lambda client: client.parks,
    ),
    Mistake(
        "ends-unchecked",
        "the wait ends whenever `park` returns",
        lambda s, c, lim, turn: turn.but(at=CLEARS),
        "wakes",
        "waits",
        of=lambda client: client.parks,
    ),
    Mistake(
        "stays-interrupted",
        "an interrupt stays pending after it has ended a wait",
        lambda s, c, lim, turn: turn.but(interrupted=s.interrupted),
        "gives_up",
        "one-wait",
        of=lambda client: not client.parks,
    ),
    Mistake(
        "stays-woken",
        "the flag of a woken thread stays set until the thread has waited",
        lambda s, c, lim, turn: turn.but(flag=s.flag),
        "looks",
        "waits",
        # With a minimum time between rebalances, the mutant checks twice without time passing, so it does not rebalance
        # too early.
        of=lambda client: not client.least,
    ),
    Mistake(
        "waits-less",
        "after every rebalance, the thread waits only the minimum interval",
        lambda s, c, lim, turn: turn.but(interval=lim.least),
        "ends",
        "waits",
    ),
    Mistake(
        "opens-nothing",
        "a latch that is counted down stays closed",
        lambda s, c, lim, turn: turn.but(open=s.open),
        "counts",
        "woken",
    ),
    Mistake(
        "waits-longer",
        "after a rebalance, the thread waits three times as long",
        lambda s, c, lim, turn: turn.but(interval=3 * lim.wait + 3 * lim.least),
        "ends",
        "settles",
    ),
    Mistake(
        "sees-nothing",
        "no rebalance uses the new member list",
        lambda s, c, lim, turn: turn.but(right=s.right),
        "ends",
        "settles",
    ),
    Mistake(
        "hurries",
        "a rebalance begins whenever a wait ends",
        lambda s, c, lim, turn: replace(turn, guard=s.at == WOKEN),
        "begins",
        "apart",
        of=lambda client: client.least,
    ),
    Mistake(
        "rebalances-itself",
        "the thread that calls `wakeup` rebalances itself",
        lambda s, c, lim, turn: turn.but(called=True, called_at=s.now),
        "stirs",
        "alone",
    ),
)
SLIPS = (
    Mistake(
        "owes-more",
        "After any action, the change must have been used before.",
        lambda s, c, lim, turn: turn.but(changed=True, right=False, due=turn.after.last - 1),
    ),
    Mistake(
        "is-late",
        "After any action, the last rebalance has not ended yet.",
        lambda s, c, lim, turn: turn.but(last=turn.after.last + turn.after.began + turn.after.since + 99),
    ),
    Mistake(
        "is-nowhere", "After any action, the thread is at no valid position.", lambda s, c, lim, turn: turn.but(at=-1)
    ),
    Mistake(
        "began-later",
        "After any action, a rebalance runs that began before the last one ended.",
        lambda s, c, lim, turn: turn.but(at=RUNS, began=turn.after.last - 1),
    ),
    Mistake(
        "calls",
        "After any action, another thread rebalances.",
        lambda s, c, lim, turn: turn.but(called=True, follows=True),
    ),
)
"""Mutants where every action leaves one wrong value in the state.

See ``proofs.mutation.slips``.
"""

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
