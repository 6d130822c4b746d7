"""One queue's pull requests at one push consumer.

The page reads top down: state, limit, clients, actions, assumptions, guarantees.

``pullMessage`` checks its process queue once, before anything else, so the rest of it is one action. The exception is
the first pull of an ordered queue, which queries its offset in between. The pull thread takes no other request during
that query. Exits by which a request can get lost are modelled only for process queues in the table; elsewhere they do
not matter.

Each action function returns the action's guard and the state's changed fields. Its parameters: ``s``, the state before;
``c``, the action's nondeterministic choices; ``lim``, the time limit; ``client``, the client's differences from others.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import product
from typing import Any, ClassVar

from rebalance_proofs.model.client.process_queue_table import PULL_MAX_IDLE_TIME, ProcessQueue
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.machine.client import Code, MachineClient, Wrong, by_name
from rebalance_proofs.model.machine.conjunct import Conjunct
from rebalance_proofs.model.machine.fields import Flag, Ghost, Limit, Number, defaults, record
from rebalance_proofs.model.machine.machine import Actions, Machine, Step, Turn, act_of, becomes, step
from rebalance_proofs.model.machine.page import (
    Compared,
    Guarantees,
    Holds,
    Lemma,
    Page,
    Property,
    Search,
    Words,
    holds,
    refuted,
)
from rebalance_proofs.model.machine.premise import Assumptions, Premise
from rebalance_proofs.model.machine.record import Record, Shown
from rebalance_proofs.model.machine.recorded import Cause, History, Recorded, Unseen, Urgent, does, nothing, shows
from rebalance_proofs.model.machine.run import Run
from rebalance_proofs.model.machine.values import And, Bool, If, Implies, Int, Not, Or, Value, number, truth
from rebalance_proofs.model.pulls.consumer import QUEUE, PullsConsumer, Transition, rebalanced
from rebalance_proofs.model.pulls.remoting import Remoting, RemotingV5_2, RemotingV5_3, RemotingV5_4
from rebalance_proofs.model.releases import CONSUMERS, SOURCES, java_from
from rebalance_proofs.model.transition import generations, java
from rebalance_proofs.model.transition.client import ORDERLY, PUSH, Mode
from rebalance_proofs.model.transition.drivers import NOW, JavaDriver
from rebalance_proofs.model.transition.generations import TakenAsOne

# ---- State of the queue and its requests, and the limit

PARTIES = CONSUMER, ENTRY, OLD = ("consumer", "process queue", "old process queues")
YES: Mapping[int, str] = {True: "yes", False: "–"}
MOST = 2
"""Largest number of requests, and largest age, that explorations distinguish.

A pull of this age counts as too old.
"""
PLACES = ("waiting", "pulling", "asking", "repairing")
"""Where a pull request can be: waiting, sent, querying its offset, or in a repair task."""
OF_ENTRY = ("age", "idle", "kept", *PLACES)


def live(s: "Pulls") -> Bool:
    """Check whether the process queue is in the table and is not dropped."""
    return And(s.present, Not(s.dropped))


REQUESTS = {
    "wait": "Pull requests in the queue of `PullMessageService`, or scheduled for it.",
    "sent": "Pull requests whose callback has not been called yet.",
    "asks": "Pull requests held by `pullMessage` while it queries an ordered queue's start offset.",
    "repairs": "Repair tasks, which write the offset that the broker has named and remove the process queue.",
}
"""Place of a pull request -> its meaning."""


@record
class Pulls(Record):
    """A consumer's state of one queue. Fields of an absent process queue are 0.

    A pull request waits from its hand-over to ``PullMessageService``, at once or later, until its turn comes.
    """

    present: Bool = Flag(
        "Whether the process queue is in the consumer's table.", shown=Shown("in table", YES, party=ENTRY)
    )
    dropped: Bool = Flag(
        "Whether the process queue is in the table, and not marked as dropped.",
        shown=Shown("live", YES, "live", of=live, party=ENTRY),
    )
    age: Int = Number("Time since the process queue's last pull began, or since its creation if none has.", most=MOST)
    idle: Int = Ghost(
        "Time since the process queue's request was last taken, or since its creation if none was.", most=MOST
    )
    kept: Int = Ghost("Value of `idle` when a rebalance last left the process queue as it was.", most=MOST)
    waiting: Int = Number(REQUESTS["wait"], most=MOST, shown=Shown("wait", party=ENTRY))
    pulling: Int = Number(REQUESTS["sent"], most=MOST, shown=Shown("sent", party=ENTRY))
    asking: Int = Number(REQUESTS["asks"], most=MOST, shown=Shown("asks", party=ENTRY))
    repairing: Int = Number(REQUESTS["repairs"], most=MOST, shown=Shown("repairs", party=ENTRY))
    fixed: Bool = Flag("Whether the first request has its offset (`isPreviouslyLocked`); later pulls do not query it.")
    old_waiting: Int = Number(REQUESTS["wait"], most=MOST, shown=Shown("wait", party=OLD))
    old_pulling: Int = Number(REQUESTS["sent"], most=MOST, shown=Shown("sent", party=OLD))
    old_asking: Int = Number(REQUESTS["asks"], most=MOST, shown=Shown("asks", party=OLD))
    old_repairing: Int = Number(REQUESTS["repairs"], most=MOST, shown=Shown("repairs", party=OLD))
    unmarked: Bool = Flag("Whether a process queue that has left the table is not dropped.")
    ended: Bool = Flag(
        "Whether the thread of `PullMessageService` has ended.",
        shown=Shown("thread", {True: "has ended", False: "runs"}),
    )
    suspended: Bool = Flag(
        "Whether the consumer is suspended: no pulls and no rebalances.", shown=Shown("suspended", YES)
    )
    late: Bool = Ghost("Whether a pull has begun after its process queue had left the table.")
    hit: Bool = Ghost("Whether a repair task has removed another process queue than its own.")
    wrote: Bool = Ghost("Whether a repair task has written an offset after its process queue had left the table.")
    cut: Bool = Ghost("Whether a rebalance has removed a live process queue as idle while a request of it existed.")
    hasty: Bool = Ghost(
        "Whether a rebalance has removed a live process queue as idle although its request was taken just before."
    )
    begun: Bool = Ghost("Whether a pull has begun although its request was taken while the consumer was suspended.")
    stale: Bool = Ghost("Whether a rebalance has left a process queue live although another consumer owns the queue.")


@record
class Choices(Record):
    """Choices of an action that the model leaves open, such as the broker's answer."""

    old: Bool = Flag("Whether the action is about a process queue that has left the table.")
    later: Bool = Flag("Whether the pull is delayed: flow control, no lock, no subscription, or a failure to send it.")
    in_set: Bool = Flag("Whether the queue is still in mqSet.")
    stays: Bool = Flag(
        "Whether the process queue is dropped but cannot be removed yet, because an ordered listener runs."
    )
    silent: Bool = Flag("Whether the start offset of the queue is unknown.")
    span: Int = Number("Amount of time that passes.")


@record
class Limits(Record):
    """The time limit of pull requests, a number of ms or a term."""

    limit: Int = Limit(
        "Idle time after which a process queue is removed (`rocketmq.client.pull.pullMaxIdleTime`).",
        "pullMaxIdleTime",
        PULL_MAX_IDLE_TIME,
    )


DEFAULTS = defaults(Limits)
"""The limit by the default setting of clients."""


def well_formed(s: Pulls, lim: Limits) -> Bool:
    """Check that the state is possible.

    Counts are not negative, an absent process queue's fields are 0, and at most one offset query runs.
    """
    none = And(Not(s.dropped), Not(s.fixed), *(getattr(s, name) == 0 for name in OF_ENTRY))
    counts = (getattr(s, name) >= 0 for name in (*OF_ENTRY, *(f"old_{place}" for place in PLACES)))
    return And(*counts, s.asking + s.old_asking <= 1, Implies(Not(s.present), none))


# ---- Differences between clients, and how their code stores the state


@dataclass(frozen=True)
class PullRules:
    """Differences between generations in pulling, each of one or two lines of the sources."""

    repairs_at_once: bool
    """Whether an illegal offset is repaired at once, not after 10 s.

    Mirror of ``executeTask`` and ``executeTaskLater``.
    """
    callback_survives: bool
    """Whether an ``Error`` in ``PullCallback.onSuccess`` reaches ``onException``.

    Otherwise it is only logged.
    """
    thread_survives: bool
    """Whether ``PullMessageService.run`` catches ``Throwable``; otherwise only ``Exception``."""
    hook_heard: bool
    """Whether an RPC hook's exception reaches the caller.

    Otherwise Netty logs it (``doBeforeRpcHooks``).
    """
    fails_twice: bool
    """Whether a pull that times out before its connection is made fails twice.

    ``NettyRemotingClient.invokeAsync`` continues after it reports the timeout, and fails again (5.3.0 to 5.3.3).
    """


@dataclass(frozen=True)
class PullsClient(MachineClient, TakenAsOne):
    """Releases of a client whose pulls behave the same."""

    releases: tuple[str, ...]
    """The releases, oldest first; the source of each was read.

    Releases of one generation may differ here.
    """
    rules: PullRules
    remoting: type[Remoting]

    @cached_property
    def transition(self) -> Transition:
        """The client's rebalance of one queue, as an SMT encoding."""
        return java.encoding(self.rebalance).step

    @cached_property
    def code(self) -> Code[Pulls, Choices, Limits, PullsConsumer]:
        """How the client's Python code implements the machine (refinement map)."""
        return by_name(lambda limits: self.consumer(number(limits.limit)), PullsConsumer, PULLS, put=_put, seen=_seen)

    def consumer(self, limit: int = PULL_MAX_IDLE_TIME) -> PullsConsumer:
        """Return a new consumer that runs the client's Python code.

        ``limit``: ``pullMaxIdleTime`` in ms.
        """
        driver = JavaDriver(self.made, Settings(orderly=True), order=True, own_store=False)
        return PullsConsumer(driver, self.remoting(), catches_throwable=self.rules.thread_survives, limit=limit)


def _put(consumer: PullsConsumer, s: Pulls, c: Choices) -> None:
    """Set a new consumer's attributes so that they represent the state ``s``.

    One process queue represents all that have left the table.
    """
    service, gone = consumer.service, ProcessQueue(dropped=not s.unmarked)
    service.waiting = Counter({gone: number(s.old_waiting)})
    consumer.pulling = Counter({gone: number(s.old_pulling)})
    service.tasks = Counter({gone: number(s.old_repairing)})
    service.ended, consumer.suspended, consumer.left = truth(s.ended), truth(s.suspended), [gone]
    consumer.asking, consumer.fixed = gone if s.old_asking > 0 else None, set()
    if s.present:
        entry = ProcessQueue(dropped=truth(s.dropped), last_pull_timestamp=NOW - number(s.age), last_lock_timestamp=NOW)
        entry.pull_max_idle_time = consumer.limit
        consumer.driver.table[QUEUE] = entry
        service.waiting[entry], consumer.pulling[entry] = number(s.waiting), number(s.pulling)
        service.tasks[entry] = number(s.repairing)
        consumer.asking = entry if s.asking > 0 else consumer.asking
        consumer.fixed = {entry} if s.fixed else set()


def _seen(consumer: PullsConsumer) -> dict[str, int]:
    entry, service, asking = consumer.entry, consumer.service, consumer.asking
    counted = {"waiting": service.waiting, "pulling": consumer.pulling, "repairing": service.tasks}
    return {
        "present": entry is not None,
        "dropped": entry is not None and entry.dropped,
        "age": 0 if entry is None else NOW - entry.last_pull_timestamp,
        **{name: 0 if entry is None else of[entry] for name, of in counted.items()},
        **{f"old_{name}": sum(of[one] for one in consumer.left) for name, of in counted.items()},
        "asking": int(entry is not None and asking is entry),
        "fixed": entry in consumer.fixed,
        "old_asking": int(asking is not None and asking is not entry),
        "unmarked": any(not one.dropped for one in consumer.left),
        "ended": service.ended,
        "suspended": consumer.suspended,
    }


# ---- Actions of the consumer and of the broker

SENT = "`PullMessageService` takes the pull request and sends it to the broker"
OF_ANOTHER = "the queue now belongs to another consumer"

action: Actions[Pulls, Choices, Limits, PullsClient] = Actions()


def _told_adds(before: Pulls, after: Pulls, c: Choices, client: PullsClient) -> str:
    if after.suspended:
        return "A rebalance is due, but the suspended consumer skips it"
    if c.silent:
        return "A rebalance finds no offset for the queue and does not add it"
    return "A rebalance adds the queue with a new process queue and a pull request"


@action("A rebalance adds the queue, if it finds an offset to start at.", _told_adds, choices=("silent",))
def adds(s: Pulls, c: Choices, lim: Limits, client: PullsClient) -> Step:
    """Second half of a rebalance: a process queue is added, with a pull request.

    Mirror of ``updateProcessQueueTableInRebalance`` and ``dispatchPullRequest``.
    """
    done = rebalanced(client.transition, False, s.dropped, s.age > lim.limit, True, c.silent)
    new: dict[str, Value] = {"present": True, "dropped": done.dropped, "age": 0, "idle": 0, "kept": 0, "fixed": False}
    enters = And(done.present, Not(s.suspended))
    return becomes(Not(s.present), s.where(enters, **new, waiting=If(done.asked, 1, 0)))


def _told_revokes(before: Pulls, after: Pulls, c: Choices, client: PullsClient) -> str:
    if after.suspended:
        others = f", because {OF_ANOTHER}, but the suspended consumer skips it"
        return "A rebalance is due" + (", but the suspended consumer skips it" if c.in_set else others)
    if live(after):
        return "A rebalance leaves the process queue as it is"
    why = "it has not pulled for two minutes" if c.in_set else OF_ANOTHER
    if c.stays or after.present:
        return f"A rebalance drops the process queue, because {why}, but cannot remove it yet"
    return f"A rebalance removes the process queue, because {why}"


@action("A rebalance checks the process queue.", _told_revokes, choices=("in_set", "stays"))
def revokes(s: Pulls, c: Choices, lim: Limits, client: PullsClient) -> Step:
    """First half of a rebalance: the process queue is removed or dropped.

    The process queue is removed if the consumer no longer owns the queue, or if no pull has begun for too long; or
    it is dropped and stays. ``unsubscribe`` and an offset reset remove it in the same way. ``doRebalance`` of a
    suspended consumer returns at once.
    """
    done = rebalanced(client.transition, s.present, s.dropped, s.age > lim.limit, c.in_set, True)
    looks, goes, dropped = Not(s.suspended), Not(done.present), Or(s.dropped, done.marked)
    pulled = And(Not(s.dropped), Not(s.ended), s.waiting + s.pulling + s.asking > 0)
    cut = Or(s.cut, And(c.in_set, pulled))
    hasty = Or(s.hasty, And(c.in_set, Not(s.dropped), s.idle <= lim.limit))
    after = s.where(And(looks, Not(goes)), kept=s.idle)
    after = after.where(And(looks, goes), cut=cut, hasty=hasty, dropped=dropped)
    after = after.where(And(looks, goes, Not(c.stays)), **_gone(s, dropped))
    return becomes(s.present, after.but(stale=Or(s.stale, And(Not(c.in_set), live(after)))))


def _gone(s: Pulls, marked: Bool) -> dict[str, Value]:
    """Return the changed fields after the process queue has left the table.

    Its pull requests and tasks stay. ``marked``: whether it is dropped.
    """
    old: dict[str, Value] = {f"old_{place}": getattr(s, f"old_{place}") + getattr(s, place) for place in PLACES}
    none: dict[str, Value] = dict.fromkeys(OF_ENTRY, 0)
    flags: dict[str, Value] = {"present": False, "dropped": False, "fixed": False}
    return {**none, **flags, **old, "unmarked": Or(s.unmarked, Not(marked))}


def _told_takes(before: Pulls, after: Pulls, c: Choices, client: PullsClient) -> str:
    if c.old:
        return "`PullMessageService` takes a pull request whose process queue is gone, and discards it"
    if not live(after):
        return "`PullMessageService` takes the pull request, and discards it because its process queue is dropped"
    if after.suspended:
        return (
            "`PullMessageService` takes the pull request and delays it for a second, because the consumer is suspended"
        )
    return "`PullMessageService` takes the pull request and delays it" if c.later else SENT


@action("`PullMessageService` takes a pull request.", _told_takes, choices=("old", "later"))
def takes(s: Pulls, c: Choices, lim: Limits, client: PullsClient) -> Step:
    """The pull thread takes a request, and ``pullMessage`` begins.

    The request of a dropped process queue is discarded; nothing else is checked. The request of a suspended
    consumer is delayed and counts as a pull (``setLastPullTimestamp``).
    """
    later = Or(c.later, s.suspended)
    sends, begins = And(Not(s.dropped), Not(later)), And(s.unmarked, Not(later))
    after = s.where(
        Not(c.old),
        age=If(s.dropped, s.age, 0),
        idle=If(s.dropped, s.idle, 0),
        waiting=s.waiting - If(Or(s.dropped, sends), 1, 0),
        pulling=s.pulling + If(sends, 1, 0),
    ).where(
        c.old,
        old_waiting=s.old_waiting - If(Or(Not(s.unmarked), begins), 1, 0),
        old_pulling=s.old_pulling + If(begins, 1, 0),
        late=Or(s.late, begins),
    )
    begun = And(s.suspended, Or(And(c.old, begins), And(Not(c.old), sends)))
    after = after.but(begun=Or(s.begun, begun))
    return becomes(And(_there(s, c, "waiting"), _idle(s)), after)


def _there(s: Pulls, c: Choices, place: str) -> Bool:
    """Check whether a pull request or repair task is at the place with that name.

    If the choice ``old`` holds, those of process queues outside the table count, else that of the process queue in
    it.
    """
    return Or(And(c.old, getattr(s, f"old_{place}") > 0), And(Not(c.old), s.present, getattr(s, place) > 0))


def _idle(s: Pulls) -> Bool:
    """Check whether the pull thread runs and can take the next request."""
    return And(Not(s.ended), s.asking == 0, s.old_asking == 0)


@action(
    "`PullMessageService` takes an ordered queue's first request and queries the start offset.",
    "`PullMessageService` takes the pull request and queries the offset at which to start the ordered queue",
)
def asks(s: Pulls, c: Choices, lim: Limits, client: PullsClient) -> Step:
    """``pullMessage`` queries the start offset for an ordered queue's first pull request.

    ``computePullFromWhereWithException`` takes at most 5 s.
    """
    first = And(live(s), Not(s.fixed), s.waiting > 0)
    taken: dict[str, Value] = {"age": 0, "idle": 0, "begun": Or(s.begun, s.suspended)}
    return step(And(first, _idle(s), Not(s.suspended)), waiting=s.waiting - 1, asking=1, **taken)


def _told_sends(before: Pulls, after: Pulls, c: Choices, client: PullsClient) -> str:
    if c.later:
        return "The broker does not return the offset, and the pull request is delayed"
    gone = "gone" if c.old else "" if live(after) else "dropped"
    whose = f", although its process queue is {gone}" if gone else ""
    return f"The broker returns the offset, and the pull is sent{whose}"


@action("The query for the start offset ends, with an answer or without one.", _told_sends, choices=("old", "later"))
def sends(s: Pulls, c: Choices, lim: Limits, client: PullsClient) -> Step:
    """The start offset arrives, and the pull is sent, or delayed if the query failed.

    The process queue is not checked again.
    """
    again, sent = If(c.later, 1, 0), If(c.later, 0, 1)
    after = s.where(
        Not(c.old), asking=0, fixed=Or(s.fixed, Not(c.later)), waiting=s.waiting + again, pulling=s.pulling + sent
    ).where(
        c.old,
        old_asking=0,
        old_waiting=s.old_waiting + again,
        old_pulling=s.old_pulling + sent,
        late=Or(s.late, Not(c.later)),
    )
    return becomes(And(_there(s, c, "asking"), Not(s.ended)), after)


def _told_answers(before: Pulls, after: Pulls, c: Choices, client: PullsClient) -> str:
    whose = "The broker answers a pull whose process queue is gone"
    return whose if c.old else "The broker answers the pull, and its request waits for the next pull"


@action("A pull ends, with an answer or with a failure.", _told_answers, choices=("old",))
def answers(s: Pulls, c: Choices, lim: Limits, client: PullsClient) -> Step:
    """A pull is answered or fails, and the request waits again.

    Mirror of ``PullCallback.onSuccess`` with or without messages, and of ``onException``. Neither checks
    ``dropped``: the request of a dropped process queue is discarded only when it is taken.
    """
    own = s.where(Not(c.old), pulling=s.pulling - 1, waiting=s.waiting + 1)
    after = own.where(c.old, old_pulling=s.old_pulling - 1, old_waiting=s.old_waiting + 1)
    return becomes(_there(s, c, "pulling"), after)


def _told_illegal(before: Pulls, after: Pulls, c: Choices, client: PullsClient) -> str:
    if c.old:
        return "The answer to a pull whose process queue is gone reports an illegal offset: a repair task is scheduled"
    return "The broker reports an illegal offset: the process queue is dropped and a repair task is scheduled"


@action("The broker answers a pull with `OFFSET_ILLEGAL`.", _told_illegal, choices=("old",))
def illegal(s: Pulls, c: Choices, lim: Limits, client: PullsClient) -> Step:
    """The broker answers that the offset is illegal.

    The process queue is dropped, and a repair task is made (``onSuccess`` with ``OFFSET_ILLEGAL``).
    """
    own = s.where(Not(c.old), pulling=s.pulling - 1, dropped=True, repairing=s.repairing + 1)
    old: dict[str, Value] = {"old_pulling": s.old_pulling - 1, "old_repairing": s.old_repairing + 1, "unmarked": False}
    return becomes(_there(s, c, "pulling"), own.where(c.old, **old))


def _told_repairs(before: Pulls, after: Pulls, c: Choices, client: PullsClient) -> str:
    when = "At once" if client.rules.repairs_at_once else "Ten seconds after the answer"
    if not c.old:
        return f"{when}, the repair task writes the offset and removes the process queue"
    found = "removes its current process queue, which is a newer one"
    return f"{when}, the repair task writes the queue's offset" + (
        f" and {found}" if before.present else ", although this client has no process queue of it"
    )


@action("A repair task writes the offset and removes the process queue.", _told_repairs, choices=("old",))
def repairs(s: Pulls, c: Choices, lim: Limits, client: PullsClient) -> Step:
    """The repair task corrects the offset and removes the queue's process queue.

    It removes whichever process queue the queue has by then. Mirror of ``updateOffset``, ``persist`` and
    ``removeProcessQueue``.
    """
    own = s.where(Not(c.old), repairing=s.repairing - 1).where(c.old, old_repairing=s.old_repairing - 1)
    after = own.where(s.present, **_gone(own, True))
    return becomes(_there(s, c, "repairing"), after.where(c.old, wrote=True, hit=Or(s.hit, s.present)))


@action(
    "Time passes without a pull of the queue.",
    "`PullMessageService` does not reach the request for more than two minutes",
    choices=("span",),
)
def waits(s: Pulls, c: Choices, lim: Limits, client: PullsClient) -> Step:
    """Time passes; no pull of the process queue begins meanwhile."""
    return step(And(s.present, c.span > 0), age=s.age + c.span, idle=s.idle + c.span)


@action("`suspend()` suspends the consumer.", "`suspend()` is called")
def suspends(s: Pulls, c: Choices, lim: Limits, client: PullsClient) -> Step:
    """A user or an offset reset suspends the consumer.

    Then no pull begins, and rebalances do nothing.
    """
    return step(Not(s.suspended), suspended=True)


@action("`resume()` lets the consumer continue.", "`resume()` is called")
def resumes(s: Pulls, c: Choices, lim: Limits, client: PullsClient) -> Step:
    """The consumer is resumed. The rebalance that ``resume`` runs is modelled like any other."""
    return step(s.suspended, suspended=False)


def _exit(s: Pulls, again: int, *, ended: Bool = False) -> Step:
    """Return the step where the pull thread ends with a request without sending a pull.

    It has taken the request, or has queried its start offset. ``again``: number of requests that wait again.
    ``ended``: whether the thread ends.
    """
    asked = s.asking > 0
    takes = And(Not(s.dropped), s.waiting > 0, s.old_asking == 0, Not(s.suspended))
    return step(
        And(s.present, Or(asked, takes), Not(s.ended)),
        age=If(asked, s.age, 0),
        idle=If(asked, s.idle, 0),
        begun=Or(s.begun, And(s.suspended, Not(asked))),
        waiting=s.waiting - If(asked, 0, 1) + again,
        asking=s.asking - If(asked, 1, 0),
        fixed=Or(s.fixed, asked),
        ended=Or(s.ended, ended),
    )


@action(
    "The offset store throws an exception in `pullMessage`.",
    "`PullMessageService` takes the request, the offset store throws an exception, and it is logged",
)
def throws(s: Pulls, c: Choices, lim: Limits, client: PullsClient) -> Step:
    """A user-defined offset store throws an exception when the pull is sent.

    ``pullMessage`` calls its ``readOffset`` for the offset to commit.
    """
    return _exit(s, 0)


def _told_errs(before: Pulls, after: Pulls, c: Choices, client: PullsClient) -> str:
    ends = ": the `PullMessageService` thread ends" if after.ended else ""
    return f"`PullMessageService` takes the request and an `Error` is thrown{ends}"


@action("An `Error` is thrown in `pullMessage`.", _told_errs)
def errs(s: Pulls, c: Choices, lim: Limits, client: PullsClient) -> Step:
    """An ``Error`` leaves ``pullMessage``.

    Before 5.3.3, ``PullMessageService.run`` catches only exceptions, so its thread ends.
    """
    return _exit(s, 0, ended=not client.rules.thread_survives)


def _answered(s: Pulls, again: int) -> Step:
    """Return the step where a pull is answered and ``again`` requests wait again."""
    return step(And(s.present, s.pulling > 0), pulling=s.pulling - 1, waiting=s.waiting + again)


def _told_breaks(before: Pulls, after: Pulls, c: Choices, client: PullsClient) -> str:
    if client.rules.callback_survives:
        return "An `Error` is thrown in the pull's callback, and the request waits for 1 s"
    return "The broker answers the pull, and an `Error` is thrown in the callback, which is logged"


@action("An `Error` is thrown in the callback of a pull.", _told_breaks)
def breaks(s: Pulls, c: Choices, lim: Limits, client: PullsClient) -> Step:
    """An ``Error`` is thrown in the callback ``onSuccess``.

    It reaches ``onException`` only from 5.2.0 on.
    """
    return _answered(s, 1 if client.rules.callback_survives else 0)


@action(
    "The thread that puts a pull request back into the queue is interrupted.",
    "The broker answers the pull, and the thread that puts the request back is interrupted, which is logged",
)
def interrupts(s: Pulls, c: Choices, lim: Limits, client: PullsClient) -> Step:
    """The thread is interrupted while it puts the request back, and the request is lost.

    ``executePullRequestImmediately`` only logs the interrupt.
    """
    return _answered(s, 0)


def _told_hooks(before: Pulls, after: Pulls, c: Choices, client: PullsClient) -> str:
    then = "and the request waits for 1 s" if client.rules.hook_heard else "and Netty logs the exception"
    return f"`PullMessageService` takes the request, the RPC hook throws an exception, {then}"


@action("The RPC hook throws an exception when a pull is sent.", _told_hooks)
def hooks(s: Pulls, c: Choices, lim: Limits, client: PullsClient) -> Step:
    """The user's RPC hook throws an exception when a pull is sent, if the client calls it.

    Mirror of ``doBeforeRpcHooks``.
    """
    return _exit(s, 1 if client.rules.hook_heard else 0)


def _told_overtime(before: Pulls, after: Pulls, c: Choices, client: PullsClient) -> str:
    if not client.rules.fails_twice:
        return (
            "`PullMessageService` takes the request, but the pull times out before it is sent: the request waits "
            "for 1 s"
        )
    return (
        "`PullMessageService` takes the request, but the pull times out before it is sent. It is delayed for 1 s "
        "twice, because the client still sends it and fails again"
    )


@action("The connection is made only after the pull has timed out.", _told_overtime)
def overtime(s: Pulls, c: Choices, lim: Limits, client: PullsClient) -> Step:
    """The pull times out before the connection is made.

    ``NettyRemotingClient.invokeAsync`` fails; from 5.3.0 to 5.3.3 it continues after that and fails again.
    """
    return _exit(s, 2 if client.rules.fails_twice else 1)


PULLS: Machine[Pulls, Choices, Limits, PullsClient] = Machine(
    Pulls, Choices, Limits, lambda blank, lim, client: blank, action, well_formed
)
"""The state machine of a queue's pull requests.

In its first state, the consumer has no process queue and no request.
"""

# ---- How the actions show in a recording of one queue of one process

PULL, QUERY = "PULL_MESSAGE", "QUERY_CONSUMER_OFFSET"
"""Requests of the pull thread: a pull, and the start offset of an ordered queue."""
LIST = "GET_CONSUMER_LIST_BY_GROUP"
THREAD, REBALANCING = "PullMessageService", "RebalanceService"
PUT_OFF = 3_000
"""Longest time in ms after which a postponed pull request returns to the pull thread."""
PULL_ENDS = 30_000 + PUT_OFF
"""Longest time in ms until a pull ends and its pull request can be used again."""
FLOW = 1_000
"""Number of unconsumed messages at which pulls are postponed (``pullThresholdForQueue``)."""
POLLED = 250
"""Longest time in ms from a poll of the process queue table to its event."""
CONNECTS = 3_000
"""Longest time in ms for which a request waits for its connection (``connectTimeoutMillis``)."""
SUSPENDING = 2_000
"""Longest time in ms from a call of ``suspend()`` until the consumer is suspended."""


def _is_assigned(s: Pulls, h: History) -> bool:
    """Return True if the last rebalance of the topic has assigned the queue to the consumer."""
    return not h.closing and h.queue in (h.assigned.get(h.topic) or ())


def _is_not_assigned(s: Pulls, h: History) -> bool:
    return not _is_assigned(s, h)


def _is_overdue(s: Pulls, h: History) -> bool:
    """Return True if the queue is the consumer's, but no pull of it has begun for too long."""
    return _is_assigned(s, h) and h.idle > PULL_MAX_IDLE_TIME


def _absent(s: Pulls, h: History) -> Bool:
    return Not(s.present)


def _dropped(s: Pulls, h: History) -> Bool:
    return s.dropped


def _was_removed(s: Pulls, h: History) -> bool:
    """Return True if the process queue was removed after the poll was made, and before it was written."""
    return bool(h.since("entry-gone", h.at - POLLED, entry=h.event.entry))


def _promptly(s: Pulls, h: History, since: int) -> int | None:
    """Return within how many ms the pull thread takes a waiting request and sends a pull.

    None if it may put it off, or if the recording has no pulls.
    """
    waits = h.ordered or h.unread >= FLOW or h.flow_limits or h.disturbed(since - PULL_ENDS)
    return PUT_OFF + h.unsubscribed(since, PUT_OFF) if h.pulls and not h.closing and not waits else None


def _answers(s: Pulls, h: History, since: int) -> int | None:
    """Return within how many ms a pull ends, and its request is taken again."""
    prompt = _promptly(s, h, since)
    return None if prompt is None else PULL_ENDS + prompt


def _sends(old: bool) -> tuple[Urgent[Pulls], Urgent[Pulls]]:
    """Return the urgent actions that send a pull: for a request that waits, and after the last pull has ended.

    ``old``: whether the request is of a process queue that has left the table.
    """
    takes: Cause[Pulls] = does("takes", later=False, old=old)
    again: Cause[Pulls] = does("answers", old=old).then("takes", later=False, old=old)

    def sent(before: Pulls, after: Pulls) -> Int:
        return after.pulling + after.old_pulling - before.pulling - before.old_pulling

    return (
        Urgent(takes, _promptly, lambda before, after: sent(before, after) > 0),
        Urgent(again, _answers, lambda before, after: sent(before, after) == 0),
    )


def _is_lost(s: Pulls, h: History) -> bool:
    """Return True if the process queue is later removed as no longer pulled, and no event shows why."""
    return h.loses_request


TAKES: tuple[Cause[Pulls], ...] = does("takes", later=False, old=False), does("takes", later=False, old=True)
SENDS: tuple[Cause[Pulls], ...] = does("sends", later=False, old=False), does("sends", later=False, old=True)
ENDS: tuple[Cause[Pulls], ...] = does("answers", old=False), does("answers", old=True)
"""A pull ends without an event: it was refused, or it timed out."""
PULLED: tuple[Cause[Pulls], ...] = (
    *TAKES,
    *(replace(one, only=lambda s, h: h.ordered) for one in SENDS),
    *(failed.then("takes", later=False, old=old) for failed in ENDS for old in (False, True)),
)
"""The pull thread sends a pull."""
REMOVED = "its entry is removed from the table"
NO_PULL = "no pull of the queue is under way"
NO_REQUEST = "no request of the queue waits"


def _revokes(stays: bool) -> tuple[Cause[Pulls], ...]:
    """Return the causes of the queue's removal: it was assigned to another consumer, or its pull expired."""
    idle = does("waits", only=_is_overdue, span=lambda s, h: h.idle)
    return (
        does("revokes", only=_is_not_assigned, in_set=False, stays=stays),
        idle.then("revokes", in_set=True, stays=stays),
    )


def _resets(stays: bool) -> tuple[Cause[Pulls], ...]:
    """Return the removal by an offset reset. It ignores that the consumer is suspended, other than a rebalance."""
    own: Cause[Pulls] = does("revokes", only=lambda s, h: h.topic in h.resetting, in_set=False, stays=stays)
    suspended: Cause[Pulls] = does("resumes", only=lambda s, h: h.topic in h.resetting)
    return own, suspended.then("revokes", in_set=False, stays=stays).then("suspends")


def _takes_long(h: History) -> int:
    """Return how many ms after it has begun a pull is sent: it waited for a connection, or its entry was removed."""
    return max(min(h.waited, CONNECTS), h.overtaken)


def _raises(action: str) -> tuple[Cause[Pulls], ...]:
    """Return the ways in which the pull thread takes a request and loses it. A pull may have failed before."""
    return (does(action), *(failed.then(action) for failed in ENDS))


TABLE: Recorded[Pulls, Limits] = Recorded(
    each="queue",
    begins="",
    ends=(),
    rows=(
        # A rebalance adds and removes the queue's process queue. A poll sees it dropped.
        shows("entry-new", does("adds", silent=False), why="the queue already has an entry"),
        shows(
            "entry-gone",
            nothing(_absent),
            *(replace(one, sees=_absent) for one in (*_revokes(stays=False), does("repairs"))),
            only=lambda h: h.event.how != "reset",
            why=REMOVED,
        ),
        shows(
            "entry-gone",
            nothing(_absent),
            *(replace(one, sees=_absent) for one in _resets(stays=False)),
            how="reset",
            why=REMOVED,
        ),
        shows(
            "entry",
            nothing(_dropped),
            nothing(_was_removed),
            *(replace(one, sees=_dropped) for one in (*_revokes(stays=True), *_resets(stays=True))),
            does("illegal", only=lambda s, h: not h.results, old=False),
            dropped=True,
            in_table=True,
            why="its entry is dropped",
        ),
        # The pull thread sends a pull. The pull before it may have failed, which has no event.
        # A thread that has to connect first writes the request after others that were created later.
        shows("ask", *PULLED, code=PULL, only=lambda h: not _takes_long(h), why=NO_REQUEST),
        shows("ask", *PULLED, code=PULL, only=lambda h: _takes_long(h) > 0, early=_takes_long, why=NO_REQUEST),
        shows(
            "ask",
            does("asks", sees=lambda s, h: s.asking > 0),
            replace(does("sends", later=True, old=False).then("asks"), sees=lambda s, h: s.asking > 0),
            code=QUERY,
            thread=THREAD,
            why=NO_REQUEST,
        ),
        # The answer to a pull, unless the thread is interrupted before it can return the request.
        shows(
            "pulled",
            *ENDS,
            only=lambda h: h.event.status != "OFFSET_ILLEGAL" and not h.interrupted,
            why=NO_PULL,
        ),
        shows(
            "pulled",
            does("illegal"),
            only=lambda h: h.event.status == "OFFSET_ILLEGAL" and not h.interrupted,
            why=NO_PULL,
        ),
        shows("pulled", does("interrupts"), only=lambda h: h.interrupted, why=NO_PULL),
        # Code of the user throws: an offset store or an RPC hook in the pull thread, or a callback.
        shows("threw", *_raises("errs"), only=lambda h: h.event.where in ("hook", "store"), error=True, why=NO_REQUEST),
        shows("threw", *_raises("hooks"), where="hook", error=False, why=NO_REQUEST),
        shows("threw", *_raises("throws"), where="store", error=False, why=NO_REQUEST),
        shows("threw", does("breaks"), nothing(), where="callback", error=True, why=NO_PULL),
        shows("threw", does("answers", old=False), nothing(), where="callback", error=False, why=NO_PULL),
        # The user suspends the consumer, and resumes it.
        shows("suspending", does("suspends"), nothing(lambda s, h: s.suspended), late=SUSPENDING),
        shows("resuming", does("resumes"), nothing(lambda s, h: Not(s.suspended)), why="it is suspended"),
        # An offset reset suspends the consumer, too, and resumes it in another thread, which then rebalances.
        shows("reset-told", does("suspends"), nothing(lambda s, h: s.suspended), late=SUSPENDING),
        shows(
            "ask",
            does("resumes"),
            nothing(lambda s, h: Not(s.suspended)),
            code=LIST,
            only=lambda h: bool(h.resetting) and h.event.thread != REBALANCING,
        ),
        shows(
            "reset-done", does("resumes"), nothing(lambda s, h: Not(s.suspended)), only=lambda h: len(h.resetting) == 1
        ),
        shows(
            "reset-done",
            does("suspends"),
            nothing(lambda s, h: s.suspended),
            only=lambda h: len(h.resetting) > 1,
        ),
    ),
    hidden=(
        Unseen(does("throws", only=_is_lost), missing=True),
        Unseen(does("interrupts", only=_is_lost), missing=True),
    ),
    urgent=(
        *_sends(old=False),
        *_sends(old=True),
    ),
    shared=("ended",),
    kept=frozenset(),
    late="no pull of the queue was sent, although a request waits",
    first=lambda h: ({"suspended": h.suspended is not None},),
)

# ---- Clients and mutants. To add a client, add a line to ``CLIENTS``

V5_2 = (generations.V5_2,)

CLIENTS = (
    PullsClient(
        "java_v4_9_to_5_1",
        "Java 4.9 to 5.1",
        generations.UP_TO_5_1,
        generations.releases_of(*generations.UP_TO_5_1),
        PullRules(
            repairs_at_once=False, callback_survives=False, thread_survives=False, hook_heard=True, fails_twice=False
        ),
        Remoting,
    ),
    PullsClient(
        "java_v5_2_0",
        "Java 5.2.0",
        V5_2,
        ("5.2.0",),
        PullRules(
            repairs_at_once=True, callback_survives=True, thread_survives=False, hook_heard=True, fails_twice=False
        ),
        RemotingV5_2,
    ),
    PullsClient(
        "java_v5_3_0",
        "Java 5.3.0 to 5.3.2",
        V5_2,
        ("5.3.0", "5.3.1", "5.3.2"),
        PullRules(
            repairs_at_once=True, callback_survives=True, thread_survives=False, hook_heard=False, fails_twice=True
        ),
        RemotingV5_3,
    ),
    PullsClient(
        "java_v5_3_3",
        "Java 5.3.3",
        V5_2,
        ("5.3.3",),
        PullRules(
            repairs_at_once=True, callback_survives=True, thread_survives=True, hook_heard=False, fails_twice=True
        ),
        RemotingV5_3,
    ),
    PullsClient(
        "java_v5_4_0",
        java_from("5.4.0"),
        generations.FROM_5_2,
        ("5.4.0", *generations.V5_5.releases),
        PullRules(
            repairs_at_once=True, callback_survives=True, thread_survives=True, hook_heard=False, fails_twice=False
        ),
        RemotingV5_4,
    ),
)
Mistake = Wrong[Pulls, Choices, Limits, PullsClient]


def _goes_on(s: Pulls, c: Choices, lim: Limits, turn: Turn[Pulls]) -> Turn[Pulls]:
    after = turn.after
    return turn.but(unmarked=Or(after.unmarked, And(Not(after.present), Not(s.dropped))))


def _stays_as_it_is(s: Pulls, turn: Turn[Pulls], condition: Bool) -> Turn[Pulls]:
    return turn.but(**vars(turn.after.where(condition, **vars(s))))


def _never_expires(s: Pulls, c: Choices, lim: Limits, turn: Turn[Pulls]) -> Turn[Pulls]:
    expired = And(c.in_set, s.age > lim.limit)
    kept = _stays_as_it_is(s, turn, expired)
    return kept.but(**vars(kept.after.where(expired, kept=s.age)))


def _keeps_all(s: Pulls, c: Choices, lim: Limits, turn: Turn[Pulls]) -> Turn[Pulls]:
    others = And(Not(c.in_set), Not(s.dropped), Not(s.suspended))
    return _stays_as_it_is(s, turn, others).but(stale=Or(turn.after.stale, others))


def _pulls_suspended(s: Pulls, c: Choices, lim: Limits, turn: Turn[Pulls]) -> Turn[Pulls]:
    sent = turn.after.pulling + turn.after.old_pulling > s.pulling + s.old_pulling
    return turn.but(suspended=s.suspended, begun=Or(s.begun, And(s.suspended, sent)))


def _stamps_sent(s: Pulls, c: Choices, lim: Limits, turn: Turn[Pulls]) -> Turn[Pulls]:
    put_off = And(Not(c.old), Not(s.dropped), Or(c.later, s.suspended))
    return turn.but(**vars(turn.after.where(put_off, age=s.age)))


def _never_own(s: Pulls, c: Choices, lim: Limits, turn: Turn[Pulls]) -> Turn[Pulls]:
    """Return the wrong result in which a new repair task is that of a removed process queue."""
    return turn.but(repairing=0, old_repairing=turn.after.old_repairing + turn.after.repairing, dropped=True)


WRONG = (
    Mistake(
        "pulls-suspended",
        "A suspended consumer pulls.",
        _pulls_suspended,
        "takes",
        "rests",
        takes_for=lambda s: s.but(suspended=False),
    ),
    Mistake(
        "keeps-all", ("A rebalance leaves queues of other consumers in the table."), _keeps_all, "revokes", "lets-go"
    ),
    Mistake("goes-on", "A rebalance removes a process queue and does not drop it.", _goes_on, "revokes", "dies"),
    Mistake(
        "never-expires", ("A rebalance leaves an idle process queue as it is."), _never_expires, "revokes", "healed"
    ),
    Mistake("stamps-sent", "A delayed pull does not count as a pull.", _stamps_sent, "takes", "healed"),
    Mistake(
        "keeps-sent",
        "A request that is sent stays in the waiting queue, too.",
        lambda s, c, lim, turn: turn.but(waiting=s.waiting),
        "takes",
        "one-request",
    ),
    Mistake(
        "forgets",
        "The request of an answered pull is not put back.",
        lambda s, c, lim, turn: turn.but(waiting=s.waiting),
        "answers",
        "has-request",
    ),
    *(
        Mistake(
            f"repairs-others-{name}",
            "A repair task is not about the process queue of its pull.",
            _never_own,
            "illegal",
            name,
            of=lambda client: client.rules.repairs_at_once,
        )
        for name in ("hits-own-entry", "repairs-while-held")
    ),
)
SLIPS = (
    Mistake(
        "has-two-more",
        "After any action, the process queue has two more requests.",
        lambda s, c, lim, turn: turn.but(present=True, waiting=turn.after.waiting + 2),
    ),
    Mistake(
        "has-none",
        "After any action, the process queue is live and has no request.",
        lambda s, c, lim, turn: turn.but(
            present=True, dropped=False, waiting=turn.after.waiting * 0, pulling=turn.after.pulling * 0
        ),
    ),
    Mistake(
        "goes-wrong",
        "After any action, every forbidden event has happened.",
        lambda s, c, lim, turn: turn.but(
            ended=True, late=True, hit=True, wrote=True, begun=True, stale=True, hasty=True
        ),
    ),
)
"""Mutants where every action leaves one wrong value in the state.

See ``proofs.mutation.slips``.
"""

# ---- Assumptions

assume = Premise[Pulls, Choices, Limits]

NO_STORE = assume(
    "no exception from the offset store",
    name="store",
    otherwise="a custom offset store throws on a pull's read",
    excludes=("throws",),
)
NO_ERRORS = assume(
    "no `Error` in `pullMessage`", name="error", otherwise="an `Error` is thrown in `pullMessage`", excludes=("errs",)
)
NO_CALLBACK = assume(
    "no `Error` in the callback of a pull",
    name="callback",
    otherwise="an `Error` is thrown in the pull callback",
    excludes=("breaks",),
)
NO_INTERRUPT = assume(
    "no interrupt of a client thread",
    name="interrupt",
    otherwise="a thread is interrupted while it queues a request",
    excludes=("interrupts",),
)
NO_HOOK = assume(
    "no `Exception` from an RPC hook",
    name="hook",
    otherwise="an RPC hook throws an `Exception` on a pull",
    excludes=("hooks",),
)
IN_TIME = assume(
    "connection setup and callback of each waiting pull completed within the pull timeout (30 s)",
    name="connection",
    otherwise="its connection takes longer than the timeout (30 s)",
    excludes=("overtime",),
)
AT_ONCE = assume(
    "every task that the client submits for immediate execution done before the client's next rebalance",
    allows=dict.fromkeys(("adds", "revokes"), lambda s, c, lim: And(s.repairing == 0, s.old_repairing == 0)),
)
NOT_SUSPENDED = assume(
    "no suspended consumer", name="running", otherwise="the consumer is suspended", excludes=("suspends", "resumes")
)
ANSWERED = assume(
    "no removal of an ordered process queue while its first pull looks up the offset (5 s or more)",
    name="query",
    otherwise="it is removed while its first pull looks up the offset",
    allows=dict.fromkeys(("revokes", "repairs"), lambda s, c, lim: s.asking == 0),
)
NOT_LATE = assume(
    "no `OFFSET_ILLEGAL` answer after the removal of the process queue",
    name="late-answer",
    otherwise="`OFFSET_ILLEGAL` arrives after the removal",
    allows={"illegal": lambda s, c, lim: Not(c.old)},
)
ALWAYS = (
    assume("a push consumer that sends pull requests (not POP) and is not shut down"),
    assume("no `GO_AWAY` from a broker, and no exception from a Netty write"),
    assume("no delay between marking a process queue as dropped and removing it from the table"),
    assume("the lock of an added ordered queue granted by the broker"),
    assume(
        "no rebalance that ends before it reaches the queue: known queues and ids, no exception from strategy or, on "
        "removal, offset store"
    ),
    assume("no suspended consumer unless the claim mentions suspension"),
)
"""Assumptions of every claim about pull requests: behaviour outside the model."""


class Troubles(Assumptions[Pulls, Choices, Limits]):
    """A set of assumptions about pull requests."""

    kind: ClassVar[str] = "pulls"
    modes: ClassVar[tuple[Mode, ...]] = (PUSH, ORDERLY)
    """The modes of use of the client that the assumptions cover."""

    def given(self, limits: Limits) -> dict[str, Bool]:
        return {"the idle limit is at least 0": limits.limit >= 0}


_NOTHING = (NO_STORE, NO_ERRORS, NO_CALLBACK, NO_INTERRUPT, NO_HOOK, IN_TIME, *ALWAYS)
QUIET = Troubles.of("quiet", *_NOTHING, row="if nothing throws, is interrupted or is late")
"""Assumptions that exclude all failures except those that the client handles.

A failed pull counts as answered.
"""
QUERIED = Troubles.of(
    "queried", ANSWERED, *_NOTHING, row="if nothing throws or is late, and first pulls end before removal"
)
CONNECTED = Troubles.of(
    "connected", IN_TIME, *ALWAYS, row="if pulls are sent in time, whatever throws except a Netty write"
)
"""Assumptions under which requests may get lost in every known way."""
NO_ERROR = Troubles.of("no-error", NO_ERRORS, *ALWAYS, row="if no `Error` is thrown in `pullMessage`")
"""Assumptions under which requests may get lost in almost every known way.

An ``Error`` in ``pullMessage`` is excluded.
"""
WHATEVER = Troubles.of("whatever", *ALWAYS, row="whatever throws or is late, except a Netty write")
"""Assumptions under which requests may get lost in every known way, and pulls may be late."""
RUNNING = Troubles.of("running", NOT_SUSPENDED, *ALWAYS, row="if the consumer is not suspended")


@cache
def prompt(client: PullsClient) -> Troubles:
    """Return the assumptions of claims about repairs.

    ``AT_ONCE`` has no effect on a client that submits no task for immediate execution.
    """
    at_once = AT_ONCE if client.rules.repairs_at_once else replace(AT_ONCE, allows={})
    row = "if pulls and repairs are in time, and no answer follows a removal"
    return Troubles.of("prompt", at_once, NOT_LATE, IN_TIME, *ALWAYS, row=row)


# ---- Guarantees, each with its bad states, its invariant and its claims

CONSUMER = f"{CONSUMERS}/DefaultMQPushConsumerImpl.java"
SERVICE = f"{CONSUMERS}/PullMessageService.java"
REMOTING = f"{SOURCES}/remoting/src/main/java/org/apache/rocketmq/remoting/netty/NettyRemotingClient.java"
EXPIRY = "https://github.com/apache/rocketmq/issues/1918"

Promise = Property[Pulls, Limits]
part = Conjunct[Pulls, Limits]
guarantee: Guarantees[PullsClient, Pulls, Limits] = Guarantees()

ONE = part(
    "one",
    "A process queue has at most one pull request, or one repair task instead.",
    lambda s, lim: s.waiting + s.pulling + s.asking + s.repairing <= 1,
)
RUNS = part("runs", "The thread of `PullMessageService` runs.", lambda s, lim: Not(s.ended))
HELD = part("held", "No repair task belongs to a removed process queue.", lambda s, lim: s.old_repairing == 0)


@guarantee
def one_request(client: PullsClient) -> Promise:
    """At most one pull request circulates for a process queue."""
    timeout = CONNECTED.dropping(IN_TIME)
    return Promise(
        "a process queue never has two circulating pull requests",
        REMOTING,
        (holds(CONNECTED), Holds(timeout, not client.rules.fails_twice)),
        # Without a process queue, its counts are 0 (`well_formed`), so `present` is for the reader.
        bad=lambda s, lim: And(s.present, s.waiting + s.pulling + s.asking > 1),
        broken="two pull requests circulate for the process queue.",
        invariant=(ONE,),
    )


@guarantee
def has_request(client: PullsClient) -> Promise:
    """At least one pull request circulates for a live process queue."""
    survives = {NO_CALLBACK: client.rules.callback_survives, NO_HOOK: client.rules.hook_heard}
    failures = [
        Holds(QUIET.dropping(one), survives.get(one, False))
        for one in (NO_STORE, NO_ERRORS, NO_CALLBACK, NO_INTERRUPT, NO_HOOK)
    ]
    return Promise(
        "a live process queue always has a circulating pull request",
        SERVICE,
        (holds(QUIET), *failures),
        bad=lambda s, lim: And(live(s), Or(s.ended, s.waiting + s.pulling + s.asking == 0)),
        broken="no pull request circulates for the queue's live process queue.",
        invariant=(
            part(
                "at-least-one",
                "A live process queue has a pull request.",
                lambda s, lim: Implies(live(s), s.waiting + s.pulling + s.asking >= 1),
            ),
            RUNS,
        ),
        where=("a live process queue: one that is not dropped",),
    )


@guarantee
def healed(client: PullsClient) -> Promise:
    """A process queue whose pull request is lost is replaced in time."""

    def gives_way(encoding: Any, s: Pulls, c: Choices, lim: Limits) -> tuple[Mapping[str, Bool], Bool]:
        turn = act_of(encoding, "revokes")(s, c, lim)
        given = {
            "the action is possible": turn.guard,
            "the last pull is too long ago": s.age > lim.limit,
            "the process queue can be removed": Not(c.stays),
            "the consumer is not suspended": Not(s.suspended),
        }
        return given, Not(turn.after.present)

    def comes_back(encoding: Any, s: Pulls, c: Choices, lim: Limits) -> tuple[Mapping[str, Bool], Bool]:
        turn = act_of(encoding, "adds")(s, c, lim)
        given = {
            "the action is possible": turn.guard,
            "the offset is known": Not(c.silent),
            "the consumer is not suspended": Not(s.suspended),
        }
        return given, And(live(turn.after), turn.after.waiting == 1, turn.after.age == 0)

    survives = client.rules.thread_survives
    return Promise(
        "rebalances drop and replace exactly the process queues that are idle over `pullMaxIdleTime`",
        EXPIRY,
        (holds(NO_ERROR), holds(NO_ERROR.dropping(NO_ERRORS)) if survives else refuted(QUIET.dropping(NO_ERRORS))),
        bad=lambda s, lim: Or(s.hasty, And(live(s), Or(s.kept > lim.limit, And(s.ended, s.waiting > 0)))),
        broken="the queue's new pull request waits, and no thread takes it.",
        invariant=(
            part(
                "young",
                "When a rebalance last kept a process queue, its request was taken at most the idle limit before.",
                lambda s, lim: s.kept <= lim.limit,
            ),
            part(
                "stamped",
                "A process queue's last pull began when its request was last taken, or when the process queue was "
                "created.",
                lambda s, lim: Implies(s.present, s.age == s.idle),
            ),
            part(
                "not-hasty", "No rebalance has removed a process queue as idle too soon.", lambda s, lim: Not(s.hasty)
            ),
            RUNS,
        ),
        lemmas=(
            Lemma(
                "gives-way",
                "A process queue that can be removed is removed when its last pull is too long ago.",
                gives_way,
            ),
            Lemma("comes-back", "A new process queue with a known offset has one request, which waits.", comes_back),
        ),
        assumes=("a process queue of a queue that the consumer still owns", "no rebalance of a suspended consumer"),
        where=(
            "idle time: from when its pull request was last taken (even if put off) until the rebalance checks it",
            "replacement: removed as soon as possible, then added with a new request once its offset is known and an "
            "ordered queue's lock is granted",
        ),
    )


@guarantee
def dies(client: PullsClient) -> Promise:
    """No pull begins for a process queue after its removal from the table."""
    return Promise(
        "no pull starts for a removed process queue, so no old request pulls for its successor",
        CONSUMER,
        (holds(QUERIED), refuted(QUERIED.dropping(ANSWERED))),
        bad=lambda s, lim: s.late,
        broken="a pull has begun for a removed process queue.",
        invariant=(
            part("marked", "Removed process queues are dropped.", lambda s, lim: Not(s.unmarked)),
            part(
                "queried", "No offset query is under way for a removed process queue.", lambda s, lim: s.old_asking == 0
            ),
            part("not-late", "No pull has begun for a removed process queue.", lambda s, lim: Not(s.late)),
        ),
        brief="no pull starts for a removed process queue",
    )


@guarantee
def hits_own_entry(client: PullsClient) -> Promise:
    """The repair of an illegal offset removes no process queue but its own."""
    return Promise(
        "the repair of an illegal offset removes no process queue but its own",
        CONSUMER,
        _repaired(client),
        bad=lambda s, lim: s.hit,
        broken="the repair has removed the queue's next process queue.",
        invariant=(
            ONE,
            HELD,
            part(
                "not-hit", "No repair task has removed a process queue other than its own.", lambda s, lim: Not(s.hit)
            ),
        ),
    )


def _repaired(client: PullsClient) -> tuple[Holds, ...]:
    world = prompt(client)
    return Holds(world, client.rules.repairs_at_once), refuted(world.dropping(NOT_LATE))


@guarantee
def repairs_while_held(client: PullsClient) -> Promise:
    """The repair of an illegal offset writes only for a process queue in the table."""
    return Promise(
        "the repair of an illegal offset writes the offset only while its process queue exists",
        CONSUMER,
        _repaired(client),
        bad=lambda s, lim: s.wrote,
        broken="an offset is written for a queue whose process queue was removed.",
        invariant=(
            ONE,
            HELD,
            part(
                "not-written",
                "No repair task has written an offset after the removal of its process queue.",
                lambda s, lim: Not(s.wrote),
            ),
        ),
        brief="illegal offsets are repaired only while their process queue exists",
    )


@guarantee
def only_lost(client: PullsClient) -> Promise:
    """No rebalance removes a process queue as idle while its request circulates. Every client violates this."""
    return Promise(
        "a rebalance drops no process queue as idle while its pull request still circulates",
        EXPIRY,
        (refuted(QUIET),),
        bad=lambda s, lim: s.cut,
        broken="the process queue is removed as idle, but its request was only waiting.",
    )


@guarantee
def rests(client: PullsClient) -> Promise:
    """No pull begins while the consumer is suspended."""
    return Promise(
        "a suspended consumer takes no request that starts a pull",
        CONSUMER,
        (holds(WHATEVER),),
        bad=lambda s, lim: s.begun,
        broken="a pull has begun while the consumer was suspended.",
        invariant=(
            part("not-begun", "No pull has begun while the consumer was suspended.", lambda s, lim: Not(s.begun)),
        ),
        where=("exception: an ordered queue that already looks up its first offset still sends that pull",),
    )


@guarantee
def lets_go(client: PullsClient) -> Promise:
    """A due rebalance drops every process queue that belongs to another consumer."""
    return Promise(
        "every due rebalance drops each process queue that belongs to another consumer",
        CONSUMER,
        (holds(RUNNING), refuted(RUNNING.dropping(NOT_SUSPENDED))),
        bad=lambda s, lim: s.stale,
        broken="the consumer keeps a live process queue that belongs to another consumer.",
        invariant=(
            part("not-suspended", "The consumer is not suspended.", lambda s, lim: Not(s.suspended)),
            part(
                "not-stale",
                "No rebalance has left a process queue live that belongs to another consumer.",
                lambda s, lim: Not(s.stale),
            ),
        ),
    )


# ---- States in which code and terms are compared, with at most one request of each kind

_FLAGS = (0, 1)
_LIMIT = number(DEFAULTS.limit)
_NO_ENTRY = dict.fromkeys(("present", "dropped", *OF_ENTRY, "fixed", "old_asking"), 0)
_ENTRIES = (
    _NO_ENTRY,
    *(
        _NO_ENTRY
        | {
            "present": 1,
            "dropped": dropped,
            "age": age,
            "idle": 9,
            "kept": 7,
            "waiting": waiting,
            "pulling": pulling,
            "repairing": repairing,
        }
        for dropped, age, waiting, pulling, repairing in product(
            _FLAGS, (0, _LIMIT, _LIMIT + 1), _FLAGS, _FLAGS, _FLAGS
        )
    ),
)
"""States of the process queue: none, or every combination of its flags and ages."""
_ASKING = tuple(
    {"present": 1, "dropped": dropped, "age": 5, "idle": 9, "kept": 7}
    | {"waiting": waiting, "asking": asking, "fixed": fixed}
    for dropped, waiting, (asking, fixed) in product(_FLAGS, _FLAGS, ((1, 0), (1, 1), (0, 1)))
)
"""States of process queues whose offset query is running or was answered."""
_QUERIED = (
    *_ENTRIES,
    *(_NO_ENTRY | held for held in _ASKING),
    _NO_ENTRY | {"old_asking": 1},
    *(_NO_ENTRY | held | {"old_asking": 1} for held in _ASKING if not held["asking"]),
    *(entry | {"old_asking": 1} for entry in _ENTRIES if entry["present"] and entry["age"] == 0),
)
"""The states above, and states in which ``pullMessage`` runs an offset query.

The query is for the current process queue or for a removed one.
"""
_OLD = tuple(
    {"old_waiting": waiting, "old_pulling": pulling, "old_repairing": repairing, "unmarked": unmarked}
    for waiting, pulling, repairing, unmarked in (*product(_FLAGS, _FLAGS, _FLAGS, (0,)), (1, 1, 1, 1))
)
_EVER = ("late", "hit", "wrote", "cut", "hasty", "begun", "stale")
_BEFORE = tuple(
    {"ended": ended, "suspended": suspended} | dict.fromkeys(_EVER, done)
    for ended, done in ((0, 0), (0, 1), (1, 0))
    for suspended in _FLAGS
)
"""Flags: the thread has ended, the consumer is suspended, earlier events have occurred."""


def _given(run: Run[Pulls, Limits]) -> str:
    """Return the first line of a counterexample in words: the initial state."""
    limit = run.limits.limit
    return f"One consumer takes one queue. A process queue without a pull for {limit:,} ms is overdue."


PAGE = Page(
    "pulls",
    PULLS,
    CLIENTS,
    guarantee,
    WRONG,
    SLIPS,
    examples=DEFAULTS,
    # When time passes in an exploration, it is one ms more than the limit.
    search=Search(Limits(limit=1), limit=10, gives_up=True, numbers=lambda limits: {"span": limits.limit + 1}),
    compared=Compared("requests", "pulls", DEFAULTS, (_QUERIED, _OLD, _BEFORE), choices={"span": 5}),
    words=Words(
        "Pull requests",
        "How many pull requests circulate for a process queue, how one gets lost, and how the client recovers. Also "
        "the repair of an illegal offset, and suspended consumers. The claims cover push consumers, ordered or not.",
        about=lambda client: f"One queue of one push consumer of {client.rocketmq_name}, and its pull requests.",
        given=_given,
        who="a consumer",
        around="1 consumer, 1 queue",
        called="pull requests",
        counted="with pull requests",
        state="a queue's pull requests",
        parties=PARTIES,
        limits=lambda run: vars(run.limits),
    ),
    scopes=(
        "for all numbers of queues, entries, pull requests and rebalances",
        "one consumer and one queue suffice; the shortest run is shown",
    ),
    shown=TABLE,
)
