"""State machine of a client's rebalance thread and of one membership change of its group.

It includes the thread's timer and wake-ups. Each action function returns the action's guard and the state's changed
fields. Its parameters: ``s``, the state before; ``c``, the action's nondeterministic choices; ``lim``, the time limits;
``client``, the client's differences from other clients.
"""

from dataclasses import dataclass
from typing import Annotated

from rebalance_proofs.model.machine.machine import ENVIRONMENT, Actions, Machine, Step, step
from rebalance_proofs.model.machine.record import Record, Shown, Timed, Variable
from rebalance_proofs.model.machine.values import And, Bool, If, Int, Not, Or, Value
from rebalance_proofs.model.settling.limits import Limits
from rebalance_proofs.model.settling.service_thread import CHECKS, CLEARS, LOOKS, RESETS, RUNS, WAITS, WOKEN
from rebalance_proofs.model.settling.spans import LOOP, Variant, period, settled

__all__ = ["SETTLING", "Choices", "Service"]

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


@dataclass(frozen=True)
class Service(Timed):
    """State of a client's rebalance thread, and progress of one membership change.

    The thread is ``RebalanceService`` with its ``ServiceThread``.
    """

    at: Annotated[Int, Variable("Current or next step of `RebalanceService`.", most=7, shown=PLACES)]
    flag: Annotated[Bool, Variable("`hasNotified`: the thread was asked to run.", shown=FLAG)]
    open: Annotated[
        Bool,
        Variable(
            "`waitPoint`: the latch is open, which ends a wait. From common 5.5.1 on, the thread has a permit of "
            "`unpark`.",
            shown=LATCH,
        ),
    ]
    interrupted: Annotated[Bool, Variable("An interrupt of the rebalance thread is pending.", shown=INTERRUPT)]
    waking: Annotated[
        Bool, Variable("At least one `wakeup` call has set the flag and has not yet counted down the latch.")
    ]
    since: Annotated[
        Int, Variable("Time at which the wait began.", matters=lambda s: Or(s.at == WAITS, s.at == CHECKS))
    ]
    interval: Annotated[Int, Variable("Length of this wait, or of the next one (`realWaitInterval`).")]
    last: Annotated[
        Int,
        Variable(
            "Time at which the last rebalance ended (`lastRebalanceTimestamp`); clients before 5.2 do not store it."
        ),
    ]
    spent: Annotated[Bool, Variable("Whether the last interrupt has ended a wait before its time.", ghost=True)]
    spent_twice: Annotated[Bool, Variable("Whether one interrupt has ended two waits before their time.", ghost=True)]
    ended: Annotated[Bool, Variable("Whether a rebalance has ended.", ghost=True)]
    began: Annotated[
        Int, Variable(("Time at which the running rebalance began."), matters=lambda s: s.at == RUNS, ghost=True)
    ]
    was_balanced: Annotated[
        Bool,
        Variable(("Whether every group worked on the queues of its share when the last rebalance ended."), ghost=True),
    ]
    woken: Annotated[
        Bool,
        Variable(
            "Whether a wake-up has set the flag or counted down the latch since the last rebalance began; a permit "
            "alone does not count.",
            ghost=True,
        ),
    ]
    woken_before: Annotated[
        Bool,
        Variable(
            ("Whether a wake-up came between the starts of the last rebalance and the one before it."), ghost=True
        ),
    ]
    woken_earlier: Annotated[
        Bool,
        Variable(
            ("Whether a wake-up came between the starts of the second-last rebalance and the one before it."),
            ghost=True,
        ),
    ]
    changed: Annotated[Bool, Variable("Whether the member list has changed for the last time.", ghost=True)]
    change: Annotated[
        Int, Variable(("Time of the last change of the member list."), matters=lambda s: s.changed, ghost=True)
    ]
    told: Annotated[Bool, Variable("Whether the notification of the change is in flight.", ghost=True)]
    heard: Annotated[Bool, Variable("Whether the notification of the change has arrived.", ghost=True)]
    heard_at: Annotated[Int, Variable("Time at which the notification arrived.", matters=lambda s: s.heard, ghost=True)]
    fresh: Annotated[Bool, Variable("Whether the running rebalance began after the change.", ghost=True)]
    right: Annotated[
        Bool, Variable("Whether a rebalance that used the new member list has ended.", ghost=True, shown=CHANGE)
    ]
    due: Annotated[
        Int,
        Variable(
            "Time by which a rebalance with the new member list must have ended.",
            matters=lambda s: s.changed,
            ghost=True,
        ),
    ]
    called: Annotated[
        Bool,
        Variable(
            "Whether another thread rebalances: a user's thread that resumes a suspended consumer, or an offset "
            "reset, which ends with a resume (`DefaultMQPushConsumerImpl.resume`).",
            ghost=True,
        ),
    ]
    called_at: Annotated[
        Int, Variable("Time at which the other thread's rebalance began.", matters=lambda s: s.called, ghost=True)
    ]
    follows: Annotated[
        Bool,
        Variable(
            "Whether the other thread's rebalance began between two rebalances of this thread, the later of which "
            "has not ended yet.",
            ghost=True,
        ),
    ]


@dataclass(frozen=True)
class Choices(Record):
    """Choices of an action that the model leaves open, such as a rebalance's result."""

    seen: Annotated[
        Bool, Variable("Whether a rebalance that began before the change uses the new member list all the same.")
    ]
    balanced: Annotated[
        Bool,
        Variable(
            "Whether every group works on the queues of its share. False also if a strategy or a topic's rebalance "
            "throws, or a push consumer is suspended; true if no member list arrives."
        ),
    ]
    more: Annotated[Bool, Variable("Whether another wake-up has still to count down the latch.")]


def _early(s: Service, lim: Limits, client: Variant) -> Bool:
    return s.now - s.last < lim.least if client.least else False


def _over(s: Service, c: Choices, lim: Limits, client: Variant) -> dict[str, Value]:
    """Return the fields that change when a rebalance ends, whatever its result."""
    interval = If(c.balanced, lim.wait, lim.least) if client.least else lim.wait
    ghosts: dict[str, Value] = {"ended": True, "was_balanced": c.balanced, "fresh": False, "follows": False}
    return {"at": LOOKS, "last": s.now, "interval": interval, **ghosts}


action: Actions[Service, Choices, Limits, Variant] = Actions()


@action(
    "The rebalance thread checks whether it was woken.",
    lambda before, after, c, client: (
        f"The rebalance thread checks its flag: it was{'' if before.flag else ' not'} woken"
    ),
)
def looks(s: Service, c: Choices, lim: Limits, client: Variant) -> Step:
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
def resets(s: Service, c: Choices, lim: Limits, client: Variant) -> Step:
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
def checks(s: Service, c: Choices, lim: Limits, client: Variant) -> Step:
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
def wakes(s: Service, c: Choices, lim: Limits, client: Variant) -> Step:
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
def gives_up(s: Service, c: Choices, lim: Limits, client: Variant) -> Step:
    """The wait ends by an exception, which clears the interrupt (``CountDownLatch2.await``)."""
    return step(And(s.at == WAITS, s.interrupted), at=CLEARS, interrupted=False, **_cut(s, s.open))


@action("The rebalance thread clears its flag.", "The rebalance thread clears its flag")
def clears(s: Service, c: Choices, lim: Limits, client: Variant) -> Step:
    """The thread clears the flag after the wait (``hasNotified.set(false)``)."""
    return step(s.at == CLEARS, at=WOKEN, flag=False)


@action("The rebalance thread begins a rebalance.")
def begins(s: Service, c: Choices, lim: Limits, client: Variant) -> Step:
    """A rebalance begins in the thread (``doRebalance``)."""
    woken = {"woken": False, "woken_before": s.woken, "woken_earlier": s.woken_before}
    return step(And(s.at == WOKEN, Not(_early(s, lim, client))), at=RUNS, began=s.now, fresh=s.changed, **woken)


@action(
    "The rebalance thread postpones a rebalance that would be too early.",
    "It is too early for a rebalance: the rebalance thread will wait again",
    has=lambda client: client.least,
)
def postpones(s: Service, c: Choices, lim: Limits, client: Variant) -> Step:
    """The thread waits once more, for the rest of ``minInterval``."""
    return step(And(s.at == WOKEN, _early(s, lim, client)), at=LOOKS, interval=lim.least - (s.now - s.last))


@action(
    "The rebalance thread's rebalance ends.",
    lambda before, after, c, client: f"The rebalance ends{SEEN if after.right and not before.right else ''}",
    choices=("seen", "balanced"),
)
def ends(s: Service, c: Choices, lim: Limits, client: Variant) -> Step:
    """The rebalance in the thread ends (``doRebalance`` returns)."""
    return step(s.at == RUNS, **_over(s, c, lim, client), right=Or(s.right, s.fresh, And(s.changed, c.seen)))


@action("The rebalance thread's rebalance fails.", "The rebalance fails", choices=("balanced",))
def fails(s: Service, c: Choices, lim: Limits, client: Variant) -> Step:
    """``doRebalance`` returns without success.

    If it began after the membership change, another rebalance is necessary.
    """
    later = s.due + (period(client) + LOOP).of(lim)
    return step(s.at == RUNS, **_over(s, c, lim, client), due=If(s.fresh, later, s.due))


@action(
    "The group's member list changes for the last time.",
    "The group's member list changes",
    by=ENVIRONMENT,
)
def changes(s: Service, c: Choices, lim: Limits, client: Variant) -> Step:
    """The membership changes, and a notification is sent."""
    due = s.now + settled(client).of(lim)
    return step(Not(s.changed), changed=True, change=s.now, told=True, due=due)


@action("The notification of the membership change is lost.", by=ENVIRONMENT)
def loses(s: Service, c: Choices, lim: Limits, client: Variant) -> Step:
    """The notification is lost; it is not sent again."""
    return step(s.told, told=False)


@action(
    "The notification of the membership change arrives.",
    ("The notification of the membership change arrives and sets the flag"),
    by=ENVIRONMENT,
)
def notifies(s: Service, c: Choices, lim: Limits, client: Variant) -> Step:
    """The notification arrives: ``wakeup`` sets the flag unless it is already set.

    Mirror of ``notifyConsumerIdsChanged`` and ``rebalanceImmediately``.
    """
    waking = Or(s.waking, Not(s.flag))
    return step(s.told, told=False, heard=True, heard_at=s.now, flag=True, waking=waking, woken=True)


@action(
    ("Another event wakes the rebalance thread."),
    "Another wake-up sets the flag of the rebalance thread",
    by=ENVIRONMENT,
)
def stirs(s: Service, c: Choices, lim: Limits, client: Variant) -> Step:
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
def counts(s: Service, c: Choices, lim: Limits, client: Variant) -> Step:
    """``wakeup`` counts down the latch after it has set the flag, or unparks the thread.

    A permit alone does not end a wait, because the thread then checks its flag again.
    """
    return step(s.waking, open=True, waking=c.more, woken=Or(s.woken, not client.parks))


@action("Another thread interrupts the rebalance thread.", by=ENVIRONMENT)
def interrupts(s: Service, c: Choices, lim: Limits, client: Variant) -> Step:
    """``Thread.interrupt`` on the rebalance thread, such as by an application that interrupts all threads."""
    return step(Not(s.interrupted), interrupted=True, spent=False)


@action(
    "A call in the rebalance clears the interrupt.",
    "A call in the rebalance throws an `InterruptedException`, which clears the interrupt",
)
def swallows(s: Service, c: Choices, lim: Limits, client: Variant) -> Step:
    """A call that waits, such as for a broker's answer, throws an exception and so clears the interrupt."""
    return step(And(s.at == RUNS, s.interrupted), interrupted=False)


@action(
    "Another thread begins a rebalance.",
    "A user's thread, or the thread of an offset reset, resumes a consumer and starts a rebalance",
    by=ENVIRONMENT,
)
def resumes(s: Service, c: Choices, lim: Limits, client: Variant) -> Step:
    """``resume`` calls ``doRebalance`` in its caller's thread.

    No lock prevents that two threads run it at once.
    """
    return step(Not(s.called), called=True, called_at=s.now, follows=And(s.ended, s.at != RUNS))


@action("The other thread's rebalance ends.", "The other thread's rebalance ends", by=ENVIRONMENT)
def returns(s: Service, c: Choices, lim: Limits, client: Variant) -> Step:
    """The rebalance of the other thread ends; the rebalance thread is not informed."""
    return step(s.called, called=False, follows=False)


def _started(blank: Service, lim: Limits, client: Variant) -> Service:
    return blank.but(at=LOOKS, interval=lim.wait)


SETTLING = Machine(Service, Choices, Limits, _started, action)
"""The state machine of the rebalance thread.

In its first state, the thread was just started and the membership change has not happened.
"""
