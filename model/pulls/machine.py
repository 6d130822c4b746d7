"""State machine of one queue's pull requests at one push consumer.

``pullMessage`` checks its process queue once, before anything else, so the rest of it is one action. The exception is
the first pull of an ordered queue, which queries its offset in between. The pull thread takes no other request during
that query. Exits by which a request can get lost are modelled only for process queues in the table; elsewhere they do
not matter.

Each action function returns the action's guard and the state's changed fields. Its parameters: ``s``, the state before;
``c``, the action's nondeterministic choices; ``lim``, the time limit; ``client``, the client's differences from others.
"""

from rebalance_proofs.model.machine.machine import Actions, Machine, Step, becomes, step
from rebalance_proofs.model.machine.values import And, Bool, If, Not, Or, Value
from rebalance_proofs.model.pulls.limits import Limits
from rebalance_proofs.model.pulls.rebalance import rebalanced
from rebalance_proofs.model.pulls.state import OF_ENTRY, PLACES, Choices, Pulls, Variant, live, well_formed

__all__ = ["PULLS"]

SENT = "`PullMessageService` takes the pull request and sends it to the broker"
OF_ANOTHER = "the queue now belongs to another consumer"

action: Actions[Pulls, Choices, Limits, Variant] = Actions()


def _told_adds(before: Pulls, after: Pulls, c: Choices, client: Variant) -> str:
    if after.suspended:
        return "A rebalance is due, but the suspended consumer skips it"
    if c.silent:
        return "A rebalance finds no offset for the queue and does not add it"
    return "A rebalance adds the queue with a new process queue and a pull request"


@action("A rebalance adds the queue, if it finds an offset to start at.", _told_adds, choices=("silent",))
def adds(s: Pulls, c: Choices, lim: Limits, client: Variant) -> Step:
    """Second half of a rebalance: a process queue is added, with a pull request.

    Mirror of ``updateProcessQueueTableInRebalance`` and ``dispatchPullRequest``.
    """
    done = rebalanced(client.transition, False, s.dropped, s.age > lim.limit, True, c.silent)
    new: dict[str, Value] = {"present": True, "dropped": done.dropped, "age": 0, "idle": 0, "kept": 0, "fixed": False}
    enters = And(done.present, Not(s.suspended))
    return becomes(Not(s.present), s.where(enters, **new, waiting=If(done.asked, 1, 0)))


def _told_revokes(before: Pulls, after: Pulls, c: Choices, client: Variant) -> str:
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
def revokes(s: Pulls, c: Choices, lim: Limits, client: Variant) -> Step:
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


def _told_takes(before: Pulls, after: Pulls, c: Choices, client: Variant) -> str:
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
def takes(s: Pulls, c: Choices, lim: Limits, client: Variant) -> Step:
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
def asks(s: Pulls, c: Choices, lim: Limits, client: Variant) -> Step:
    """``pullMessage`` queries the start offset for an ordered queue's first pull request.

    ``computePullFromWhereWithException`` takes at most 5 s.
    """
    first = And(live(s), Not(s.fixed), s.waiting > 0)
    taken: dict[str, Value] = {"age": 0, "idle": 0, "begun": Or(s.begun, s.suspended)}
    return step(And(first, _idle(s), Not(s.suspended)), waiting=s.waiting - 1, asking=1, **taken)


def _told_sends(before: Pulls, after: Pulls, c: Choices, client: Variant) -> str:
    if c.later:
        return "The broker does not return the offset, and the pull request is delayed"
    gone = "gone" if c.old else "" if live(after) else "dropped"
    whose = f", although its process queue is {gone}" if gone else ""
    return f"The broker returns the offset, and the pull is sent{whose}"


@action("The query for the start offset ends, with an answer or without one.", _told_sends, choices=("old", "later"))
def sends(s: Pulls, c: Choices, lim: Limits, client: Variant) -> Step:
    """The start offset arrives, and the pull is sent, or delayed if the query failed.

    The process queue is not checked again.
    """
    again, sent = If(c.later, 1, 0), If(c.later, 0, 1)
    after = s.where(
        Not(c.old),
        asking=0,
        fixed=Or(s.fixed, Not(c.later)),
        waiting=s.waiting + again,
        pulling=s.pulling + sent,
    ).where(
        c.old,
        old_asking=0,
        old_waiting=s.old_waiting + again,
        old_pulling=s.old_pulling + sent,
        late=Or(s.late, Not(c.later)),
    )
    return becomes(And(_there(s, c, "asking"), Not(s.ended)), after)


def _told_answers(before: Pulls, after: Pulls, c: Choices, client: Variant) -> str:
    whose = "The broker answers a pull whose process queue is gone"
    return whose if c.old else "The broker answers the pull, and its request waits for the next pull"


@action("A pull ends, with an answer or with a failure.", _told_answers, choices=("old",))
def answers(s: Pulls, c: Choices, lim: Limits, client: Variant) -> Step:
    """A pull is answered or fails, and the request waits again.

    Mirror of ``PullCallback.onSuccess`` with or without messages, and of ``onException``. Neither checks
    ``dropped``: the request of a dropped process queue is discarded only when it is taken.
    """
    own = s.where(Not(c.old), pulling=s.pulling - 1, waiting=s.waiting + 1)
    after = own.where(c.old, old_pulling=s.old_pulling - 1, old_waiting=s.old_waiting + 1)
    return becomes(_there(s, c, "pulling"), after)


def _told_illegal(before: Pulls, after: Pulls, c: Choices, client: Variant) -> str:
    if c.old:
        return "The answer to a pull whose process queue is gone reports an illegal offset: a repair task is scheduled"
    return "The broker reports an illegal offset: the process queue is dropped and a repair task is scheduled"


@action("The broker answers a pull with `OFFSET_ILLEGAL`.", _told_illegal, choices=("old",))
def illegal(s: Pulls, c: Choices, lim: Limits, client: Variant) -> Step:
    """The broker answers that the offset is illegal.

    The process queue is dropped, and a repair task is made (``onSuccess`` with ``OFFSET_ILLEGAL``).
    """
    own = s.where(Not(c.old), pulling=s.pulling - 1, dropped=True, repairing=s.repairing + 1)
    old: dict[str, Value] = {"old_pulling": s.old_pulling - 1, "old_repairing": s.old_repairing + 1, "unmarked": False}
    return becomes(_there(s, c, "pulling"), own.where(c.old, **old))


def _told_repairs(before: Pulls, after: Pulls, c: Choices, client: Variant) -> str:
    when = "At once" if client.rules.repairs_at_once else "Ten seconds after the answer"
    if not c.old:
        return f"{when}, the repair task writes the offset and removes the process queue"
    found = "removes its current process queue, which is a newer one"
    return f"{when}, the repair task writes the queue's offset" + (
        f" and {found}" if before.present else ", although this client has no process queue of it"
    )


@action("A repair task writes the offset and removes the process queue.", _told_repairs, choices=("old",))
def repairs(s: Pulls, c: Choices, lim: Limits, client: Variant) -> Step:
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
def waits(s: Pulls, c: Choices, lim: Limits, client: Variant) -> Step:
    """Time passes; no pull of the process queue begins meanwhile."""
    return step(And(s.present, c.span > 0), age=s.age + c.span, idle=s.idle + c.span)


@action("`suspend()` suspends the consumer.", "`suspend()` is called")
def suspends(s: Pulls, c: Choices, lim: Limits, client: Variant) -> Step:
    """A user or an offset reset suspends the consumer.

    Then no pull begins, and rebalances do nothing.
    """
    return step(Not(s.suspended), suspended=True)


@action("`resume()` lets the consumer continue.", "`resume()` is called")
def resumes(s: Pulls, c: Choices, lim: Limits, client: Variant) -> Step:
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
def throws(s: Pulls, c: Choices, lim: Limits, client: Variant) -> Step:
    """A user-defined offset store throws an exception when the pull is sent.

    ``pullMessage`` calls its ``readOffset`` for the offset to commit.
    """
    return _exit(s, 0)


def _told_errs(before: Pulls, after: Pulls, c: Choices, client: Variant) -> str:
    ends = ": the `PullMessageService` thread ends" if after.ended else ""
    return f"`PullMessageService` takes the request and an `Error` is thrown{ends}"


@action("An `Error` is thrown in `pullMessage`.", _told_errs)
def errs(s: Pulls, c: Choices, lim: Limits, client: Variant) -> Step:
    """An ``Error`` leaves ``pullMessage``.

    Before 5.3.3, ``PullMessageService.run`` catches only exceptions, so its thread ends.
    """
    return _exit(s, 0, ended=not client.rules.thread_survives)


def _answered(s: Pulls, again: int) -> Step:
    """Return the step where a pull is answered and ``again`` requests wait again."""
    return step(And(s.present, s.pulling > 0), pulling=s.pulling - 1, waiting=s.waiting + again)


def _told_breaks(before: Pulls, after: Pulls, c: Choices, client: Variant) -> str:
    if client.rules.callback_survives:
        return "An `Error` is thrown in the pull's callback, and the request waits for 1 s"
    return "The broker answers the pull, and an `Error` is thrown in the callback, which is logged"


@action("An `Error` is thrown in the callback of a pull.", _told_breaks)
def breaks(s: Pulls, c: Choices, lim: Limits, client: Variant) -> Step:
    """An ``Error`` is thrown in the callback ``onSuccess``.

    It reaches ``onException`` only from 5.2.0 on.
    """
    return _answered(s, 1 if client.rules.callback_survives else 0)


@action(
    "The thread that puts a pull request back into the queue is interrupted.",
    "The broker answers the pull, and the thread that puts the request back is interrupted, which is logged",
)
def interrupts(s: Pulls, c: Choices, lim: Limits, client: Variant) -> Step:
    """The thread is interrupted while it puts the request back, and the request is lost.

    ``executePullRequestImmediately`` only logs the interrupt.
    """
    return _answered(s, 0)


def _told_hooks(before: Pulls, after: Pulls, c: Choices, client: Variant) -> str:
    then = "and the request waits for 1 s" if client.rules.hook_heard else "and Netty logs the exception"
    return f"`PullMessageService` takes the request, the RPC hook throws an exception, {then}"


@action("The RPC hook throws an exception when a pull is sent.", _told_hooks)
def hooks(s: Pulls, c: Choices, lim: Limits, client: Variant) -> Step:
    """The user's RPC hook throws an exception when a pull is sent, if the client calls it.

    Mirror of ``doBeforeRpcHooks``.
    """
    return _exit(s, 1 if client.rules.hook_heard else 0)


def _told_overtime(before: Pulls, after: Pulls, c: Choices, client: Variant) -> str:
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
def overtime(s: Pulls, c: Choices, lim: Limits, client: Variant) -> Step:
    """The pull times out before the connection is made.

    ``NettyRemotingClient.invokeAsync`` fails; from 5.3.0 to 5.3.3 it continues after that and fails again.
    """
    return _exit(s, 2 if client.rules.fails_twice else 1)


PULLS = Machine(Pulls, Choices, Limits, lambda blank, lim, client: blank, action, well_formed)
"""The state machine of a queue's pull requests.

In its first state, the consumer has no process queue and no request.
"""
