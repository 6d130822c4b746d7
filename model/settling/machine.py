"""A client's rebalance thread, its timer and its wake-ups, and one change of what the client is told."""

from dataclasses import dataclass
from typing import Annotated

from rebalance_proofs.model.machine.machine import ENVIRONMENT, Actions, Machine, Step, step
from rebalance_proofs.model.machine.record import Record, Shown, Timed, Variable
from rebalance_proofs.model.machine.values import And, Bool, If, Int, Not, Or, Value
from rebalance_proofs.model.settling.limits import Limits
from rebalance_proofs.model.settling.service_thread import CLEARS, LOOKS, RESETS, RUNS, WAITS, WOKEN
from rebalance_proofs.model.settling.spans import LOOP, Variant, period, settled

__all__ = ["SETTLING", "Choices", "Service"]

PLACES = Shown(
    "rebalance thread",
    {
        LOOKS: "looks at its flag next",
        RESETS: "resets its latch next",
        WAITS: "waits",
        CLEARS: "clears its flag next",
        WOKEN: "is awake",
        RUNS: "rebalances",
    },
    "thread",
    ("looks", "resets", "waits", "clears", "woken", "runs"),
)
FLAG = Shown("flag", {True: "set", False: "clear"})
LATCH = Shown("latch", {True: "open", False: "closed"})
SEEN = "; it used the new state"
CHANGE = Shown("change", {True: "seen", False: "not seen"})


@dataclass(frozen=True)
class Service(Timed):
    """``RebalanceService`` with its ``ServiceThread``, and how far the change has come."""

    at: Annotated[Int, Variable("What `RebalanceService` does, or does next.", most=7, shown=PLACES)]
    flag: Annotated[Bool, Variable("`hasNotified`: somebody wants the thread to run.", shown=FLAG)]
    open: Annotated[Bool, Variable("`waitPoint`: the latch is open, and a wait for it ends.", shown=LATCH)]
    waking: Annotated[Bool, Variable("A `wakeup`, or several, has set the flag, and not yet counted down the latch.")]
    since: Annotated[Int, Variable("When the wait began.", matters=lambda s: s.at == WAITS)]
    interval: Annotated[Int, Variable("The length of this wait, or of the next one (`realWaitInterval`).")]
    last: Annotated[
        Int, Variable("When the last rebalance ended (`lastRebalanceTimestamp`); before 5.2 clients do not keep it.")
    ]
    ended: Annotated[Bool, Variable("A rebalance has ended.", ghost=True)]
    began: Annotated[Int, Variable("When the rebalance under way began.", matters=lambda s: s.at == RUNS, ghost=True)]
    was_balanced: Annotated[
        Bool, Variable("When the last rebalance ended, every group worked on the queues of its share.", ghost=True)
    ]
    woken: Annotated[
        Bool,
        Variable(
            "Somebody has woken the thread since its last rebalance began: set its flag, or counted down its latch.",
            ghost=True,
        ),
    ]
    woken_before: Annotated[
        Bool, Variable("Somebody had, between the beginnings of that rebalance and of the one before.", ghost=True)
    ]
    woken_earlier: Annotated[
        Bool, Variable("Somebody had, between the beginnings of that one and of the one before it.", ghost=True)
    ]
    changed: Annotated[
        Bool, Variable("What the client is told when it asks has changed for the last time.", ghost=True)
    ]
    change: Annotated[Int, Variable("When that changed.", matters=lambda s: s.changed, ghost=True)]
    told: Annotated[Bool, Variable("The notification of the change is on its way.", ghost=True)]
    heard: Annotated[Bool, Variable("The notification of the change has arrived.", ghost=True)]
    heard_at: Annotated[Int, Variable("When the notification arrived.", matters=lambda s: s.heard, ghost=True)]
    fresh: Annotated[Bool, Variable("The rebalance under way began after the change.", ghost=True)]
    right: Annotated[
        Bool, Variable("Whether a rebalance that has seen the change has ended.", ghost=True, shown=CHANGE)
    ]
    due: Annotated[
        Int,
        Variable(
            "When a rebalance that has seen the change has to have ended.", matters=lambda s: s.changed, ghost=True
        ),
    ]
    called: Annotated[
        Bool,
        Variable(
            "Another thread rebalances: a user's that resumes a suspended consumer, or that of a reset of offsets, "
            "which resumes it at its end (`DefaultMQPushConsumerImpl.resume`).",
            ghost=True,
        ),
    ]
    called_at: Annotated[
        Int, Variable("When the other thread's rebalance began.", matters=lambda s: s.called, ghost=True)
    ]
    follows: Annotated[
        Bool,
        Variable(
            "The other thread's rebalance began between two of this thread, of which the later has not ended yet.",
            ghost=True,
        ),
    ]


@dataclass(frozen=True)
class Choices(Record):
    """An action's nondeterministic choices."""

    seen: Annotated[Bool, Variable("A rebalance that began before the change has seen it all the same.")]
    balanced: Annotated[
        Bool,
        Variable(
            "Every group works on the queues of its share; false also where a strategy or a topic's rebalance has "
            "thrown, or a push consumer is suspended, and true where no list of ids came."
        ),
    ]
    more: Annotated[Bool, Variable("Another wake-up has still to count down the latch.")]


def _early(s: Service, lim: Limits, client: Variant) -> Bool:
    return s.now - s.last < lim.least if client.least else False


def _over(s: Service, c: Choices, lim: Limits, client: Variant) -> dict[str, Value]:
    """The fields that change when a rebalance is over, whatever it has done."""
    interval = If(c.balanced, lim.wait, lim.least) if client.least else lim.wait
    ghosts: dict[str, Value] = {"ended": True, "was_balanced": c.balanced, "fresh": False, "follows": False}
    return {"at": LOOKS, "last": s.now, "interval": interval, **ghosts}


action: Actions[Service, Choices, Limits, Variant] = Actions()


@action(
    "The thread looks whether it was woken.",
    lambda before, after, c, client: f"The thread checks whether it was woken: it was{'' if before.flag else ' not'}",
)
def looks(s: Service, c: Choices, lim: Limits, client: Variant) -> Step:
    """``hasNotified.compareAndSet(true, false)``: where the flag is set there is no wait."""
    return step(s.at == LOOKS, at=If(s.flag, WOKEN, RESETS), flag=False)


@action("It begins to wait.", "The thread resets its latch and starts to wait")
def resets(s: Service, c: Choices, lim: Limits, client: Variant) -> Step:
    """``waitPoint.reset()``, and ``await`` begins."""
    return step(s.at == RESETS, at=WAITS, open=False, since=s.now)


@action("Its wait ends.", "The wait of the thread ends")
def wakes(s: Service, c: Choices, lim: Limits, client: Variant) -> Step:
    """The latch was counted down, or the time is over."""
    return step(And(s.at == WAITS, Or(s.open, s.now >= s.since + s.interval)), at=CLEARS)


@action("It clears the flag.", "The thread clears its flag")
def clears(s: Service, c: Choices, lim: Limits, client: Variant) -> Step:
    """``hasNotified.set(false)``."""
    return step(s.at == CLEARS, at=WOKEN, flag=False)


@action("A rebalance begins.")
def begins(s: Service, c: Choices, lim: Limits, client: Variant) -> Step:
    """``doRebalance`` begins."""
    woken = {"woken": False, "woken_before": s.woken, "woken_earlier": s.woken_before}
    return step(And(s.at == WOKEN, Not(_early(s, lim, client))), at=RUNS, began=s.now, fresh=s.changed, **woken)


@action(
    "A rebalance would be too early.",
    "It is too early for a rebalance: the thread will wait again",
    has=lambda client: client.least,
)
def postpones(s: Service, c: Choices, lim: Limits, client: Variant) -> Step:
    """There is one more wait, for the rest of the least interval."""
    return step(And(s.at == WOKEN, _early(s, lim, client)), at=LOOKS, interval=lim.least - (s.now - s.last))


@action(
    "A rebalance ends.",
    lambda before, after, c, client: f"The rebalance ends{SEEN if after.right and not before.right else ''}",
    choices=("seen", "balanced"),
)
def ends(s: Service, c: Choices, lim: Limits, client: Variant) -> Step:
    """``doRebalance`` returns."""
    return step(s.at == RUNS, **_over(s, c, lim, client), right=Or(s.right, s.fresh, And(s.changed, c.seen)))


@action("A rebalance fails.", "The rebalance fails", choices=("balanced",))
def fails(s: Service, c: Choices, lim: Limits, client: Variant) -> Step:
    """``doRebalance`` returns, but did not do its work; if it began after the change, another rebalance is owed."""
    later = s.due + (period(client) + LOOP).of(lim)
    return step(s.at == RUNS, **_over(s, c, lim, client), due=If(s.fresh, later, s.due))


@action(
    "What the client is told when it asks changes for the last time.",
    "The group changes",
    by=ENVIRONMENT,
)
def changes(s: Service, c: Choices, lim: Limits, client: Variant) -> Step:
    """A notification is sent."""
    due = s.now + settled(client).of(lim)
    return step(Not(s.changed), changed=True, change=s.now, told=True, due=due)


@action("The notification of that is lost.", by=ENVIRONMENT)
def loses(s: Service, c: Choices, lim: Limits, client: Variant) -> Step:
    """A lost notification is not sent again."""
    return step(s.told, told=False)


@action("The notification arrives.", "The notification of the change arrives and sets the flag", by=ENVIRONMENT)
def notifies(s: Service, c: Choices, lim: Limits, client: Variant) -> Step:
    """``notifyConsumerIdsChanged``, ``rebalanceImmediately``: ``wakeup`` sets the flag, unless it is set."""
    waking = Or(s.waking, Not(s.flag))
    return step(s.told, told=False, heard=True, heard_at=s.now, flag=True, waking=waking, woken=True)


@action("Something else wakes the thread.", "Another wake-up sets the flag of the thread", by=ENVIRONMENT)
def stirs(s: Service, c: Choices, lim: Limits, client: Variant) -> Step:
    """Another notification, or whatever else calls ``wakeup``; where the flag is set, that does nothing."""
    return step(Not(s.flag), flag=True, waking=True, woken=True)


@action("The latch is counted down.", "The wake-up opens the latch", choices=("more",), by=ENVIRONMENT)
def counts(s: Service, c: Choices, lim: Limits, client: Variant) -> Step:
    """``wakeup``, which has set the flag, counts down the latch."""
    return step(s.waking, open=True, waking=c.more, woken=True)


@action(
    "Another thread rebalances.",
    "A user's thread, or that of a reset of offsets, resumes a consumer, and rebalances",
    by=ENVIRONMENT,
)
def resumes(s: Service, c: Choices, lim: Limits, client: Variant) -> Step:
    """``resume`` calls ``doRebalance`` in its caller's thread; nothing keeps two threads apart in it."""
    return step(Not(s.called), called=True, called_at=s.now, follows=And(s.ended, s.at != RUNS))


@action("It has.", "That rebalance ends", by=ENVIRONMENT)
def returns(s: Service, c: Choices, lim: Limits, client: Variant) -> Step:
    """The other thread's rebalance ends; the rebalance thread does not learn of it."""
    return step(s.called, called=False, follows=False)


def _started(blank: Service, lim: Limits, client: Variant) -> Service:
    return blank.but(at=LOOKS, interval=lim.wait)


SETTLING = Machine(Service, Choices, Limits, _started, action)
"""The machine; at first the thread has just been started, and the change has not happened."""
