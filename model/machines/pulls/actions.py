"""State, limit, actions and clients of one queue's pull requests."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from rebalance_proofs.model.client.process_queue_table import PULL_MAX_IDLE_TIME, ProcessQueue
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.machine.client import Code, MachineClient, Wrong, by_name
from rebalance_proofs.model.machine.fields import Flag, Ghost, Limit, Number, defaults, record
from rebalance_proofs.model.machine.machine import Actions, Machine, Step, Turn, becomes, step
from rebalance_proofs.model.machine.record import Record, Shown
from rebalance_proofs.model.machine.values import And, Bool, If, Implies, Int, Not, Or, Value, number, truth
from rebalance_proofs.model.pulls.consumer import QUEUE, PullsConsumer, Transition, rebalanced
from rebalance_proofs.model.pulls.remoting import Remoting, RemotingV5_2, RemotingV5_3, RemotingV5_4
from rebalance_proofs.model.releases import java_from
from rebalance_proofs.model.transition import generations, java
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
