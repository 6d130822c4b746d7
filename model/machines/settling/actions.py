"""State, time limits, actions and clients of the rebalance thread."""

from dataclasses import dataclass, replace
from functools import cached_property

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
from rebalance_proofs.model.machine.client import Code, MachineClient, Wrong, by_name
from rebalance_proofs.model.machine.fields import Flag, Ghost, Limit, Number, defaults, limit, record
from rebalance_proofs.model.machine.machine import ENVIRONMENT, Actions, Machine, Step, step
from rebalance_proofs.model.machine.record import Record, Shown, Timed
from rebalance_proofs.model.machine.values import (
    And,
    Bool,
    If,
    Int,
    Not,
    Or,
    Span,
    Value,
    longer,
    twice,
)
from rebalance_proofs.model.releases import java_from
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
