"""State machine of one queue's pull requests at one push consumer.

``pullMessage`` looks at its entry once, before anything else; so the rest of it is one action, except for the first
pull of an ordered queue, which queries its offset in between. There is one thread: during that query it takes no other
request. The exits by which a request can get lost are modelled for entries in the table only: for others they do not
matter.
"""

from rebalance_proofs.model.machine.machine import Actions, Machine, Step, becomes, step
from rebalance_proofs.model.machine.values import And, Bool, If, Not, Or, Value
from rebalance_proofs.model.pulls.limits import Limits
from rebalance_proofs.model.pulls.rebalance import rebalanced
from rebalance_proofs.model.pulls.state import OF_ENTRY, PLACES, Choices, Pulls, Variant, live, well_formed

__all__ = ["PULLS"]

SENT = "The pull request is taken and sent to the broker"
OF_ANOTHER = "the queue now belongs to another consumer"

action: Actions[Pulls, Choices, Limits, Variant] = Actions()


def _told_adds(before: Pulls, after: Pulls, c: Choices, client: Variant) -> str:
    if after.suspended:
        return "A rebalance is due, but a suspended consumer skips it"
    if c.silent:
        return "A rebalance does not learn where the queue begins, and does not add it"
    return "A rebalance adds the queue with a new entry and a pull request"


@action("A rebalance makes an entry, if it is told where to begin.", _told_adds, choices=("silent",))
def adds(s: Pulls, c: Choices, lim: Limits, client: Variant) -> Step:
    """The second half of ``updateProcessQueueTableInRebalance``, and ``dispatchPullRequest``."""
    done = rebalanced(client.transition, False, s.dropped, s.age > lim.limit, True, c.silent)
    new: dict[str, Value] = {"present": True, "dropped": done.dropped, "age": 0, "idle": 0, "kept": 0, "fixed": False}
    enters = And(done.present, Not(s.suspended))
    return becomes(Not(s.present), s.where(enters, **new, waiting=If(done.asked, 1, 0)))


def _told_revokes(before: Pulls, after: Pulls, c: Choices, client: Variant) -> str:
    if after.suspended:
        others = f", because {OF_ANOTHER}, but a suspended consumer skips it"
        return "A rebalance is due" + (", but a suspended consumer skips it" if c.in_set else others)
    if live(after):
        return "A rebalance leaves the entry as it is"
    why = "it was not pulled for two minutes" if c.in_set else OF_ANOTHER
    if c.stays or after.present:
        return f"A rebalance marks the entry, because {why}, but cannot remove it yet"
    return f"A rebalance removes the entry, because {why}"


@action("A rebalance looks at the entry.", _told_revokes, choices=("in_set", "stays"))
def revokes(s: Pulls, c: Choices, lim: Limits, client: Variant) -> Step:
    """The first half of ``updateProcessQueueTableInRebalance``.

    The entry goes if the queue is not the consumer's any more, or no pull has begun for too long; or it is marked, and
    stays. ``unsubscribe`` and a reset of offsets let it go in the same way. ``doRebalance`` of a suspended consumer
    returns at once.
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
    """The fields after the entry has left the table; its requests and tasks stay where they are."""
    old: dict[str, Value] = {f"old_{place}": getattr(s, f"old_{place}") + getattr(s, place) for place in PLACES}
    none: dict[str, Value] = dict.fromkeys(OF_ENTRY, 0)
    flags: dict[str, Value] = {"present": False, "dropped": False, "fixed": False}
    return {**none, **flags, **old, "unmarked": Or(s.unmarked, Not(marked))}


def _told_takes(before: Pulls, after: Pulls, c: Choices, client: Variant) -> str:
    if c.old:
        return "A pull request whose entry is gone is taken and ends"
    if not live(after):
        return "The pull request is taken and ends with its marked entry"
    if after.suspended:
        return "The pull request is taken and delayed for a second, because the consumer is suspended"
    return "The pull request is taken and delayed" if c.later else SENT


@action("A pull request is taken.", _told_takes, choices=("old", "later"))
def takes(s: Pulls, c: Choices, lim: Limits, client: Variant) -> Step:
    """``PullMessageService.run`` and ``pullMessage``.

    The request of a marked entry dies, and nothing else is looked at. The request of a suspended consumer is put off,
    and counts as a pull (``setLastPullTimestamp``).
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
    """Whether there is a request or task at that place, of the entry or of one that has left the table (``old``)."""
    return Or(And(c.old, getattr(s, f"old_{place}") > 0), And(Not(c.old), s.present, getattr(s, place) > 0))


def _idle(s: Pulls) -> Bool:
    """Whether the thread of ``PullMessageService`` runs, and can take the next request."""
    return And(Not(s.ended), s.asking == 0, s.old_asking == 0)


@action(
    "A request is taken whose offset is asked for first.",
    "The pull request is taken and queries the offset at which to start an ordered queue",
)
def asks(s: Pulls, c: Choices, lim: Limits, client: Variant) -> Step:
    """``pullMessage`` of an ordered queue's first request, up to its query for the offset.

    ``computePullFromWhereWithException`` takes 5 s at most.
    """
    first = And(live(s), Not(s.fixed), s.waiting > 0)
    taken: dict[str, Value] = {"age": 0, "idle": 0, "begun": Or(s.begun, s.suspended)}
    return step(And(first, _idle(s), Not(s.suspended)), waiting=s.waiting - 1, asking=1, **taken)


def _told_sends(before: Pulls, after: Pulls, c: Choices, client: Variant) -> str:
    if c.later:
        return "The broker does not return the offset, and the pull request is delayed"
    whose = ", although its entry is gone" if c.old else "" if live(after) else ", although its entry is marked"
    return f"The broker returns the offset, and the pull is sent{whose}"


@action("That is answered, or not.", _told_sends, choices=("old", "later"))
def sends(s: Pulls, c: Choices, lim: Limits, client: Variant) -> Step:
    """The pull is sent, without another look at its entry; or it is put off, as the offset was not answered."""
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
    whose = "A pull whose entry is gone is answered"
    return whose if c.old else "The pull is answered, and its request waits for the next one"


@action("A pull is answered, or fails.", _told_answers, choices=("old",))
def answers(s: Pulls, c: Choices, lim: Limits, client: Variant) -> Step:
    """``PullCallback.onSuccess`` with messages or without, or ``onException``.

    Neither looks at marks: the request of a marked entry dies only when it is taken.
    """
    own = s.where(Not(c.old), pulling=s.pulling - 1, waiting=s.waiting + 1)
    after = own.where(c.old, old_pulling=s.old_pulling - 1, old_waiting=s.old_waiting + 1)
    return becomes(_there(s, c, "pulling"), after)


def _told_illegal(before: Pulls, after: Pulls, c: Choices, client: Variant) -> str:
    if c.old:
        return "The answer to a pull whose entry is gone says that the offset is illegal: a repair task is scheduled"
    return "The broker answers that the offset is illegal: the entry is marked and a repair task is scheduled"


@action("A pull is told that its offset is illegal.", _told_illegal, choices=("old",))
def illegal(s: Pulls, c: Choices, lim: Limits, client: Variant) -> Step:
    """``onSuccess`` with ``OFFSET_ILLEGAL``: the entry is marked, and a task is made that repairs the offset."""
    own = s.where(Not(c.old), pulling=s.pulling - 1, dropped=True, repairing=s.repairing + 1)
    old: dict[str, Value] = {"old_pulling": s.old_pulling - 1, "old_repairing": s.old_repairing + 1, "unmarked": False}
    return becomes(_there(s, c, "pulling"), own.where(c.old, **old))


def _told_repairs(before: Pulls, after: Pulls, c: Choices, client: Variant) -> str:
    when = "At once" if client.rules.repairs_at_once else "Ten seconds after the answer"
    if not c.old:
        return f"{when}, the task writes the offset and removes the entry"
    found = "removes its entry, which is a newer one"
    return f"{when}, the task writes the queue's offset" + (
        f" and {found}" if before.present else ", although this client has no entry of it"
    )


@action("A task repairs an offset.", _told_repairs, choices=("old",))
def repairs(s: Pulls, c: Choices, lim: Limits, client: Variant) -> Step:
    """``updateOffset``, ``persist``, and ``removeProcessQueue`` of the queue, whichever entry it has now."""
    own = s.where(Not(c.old), repairing=s.repairing - 1).where(c.old, old_repairing=s.old_repairing - 1)
    after = own.where(s.present, **_gone(own, True))
    return becomes(_there(s, c, "repairing"), after.where(c.old, wrote=True, hit=Or(s.hit, s.present)))


@action(
    "Time passes.",
    "`PullMessageService` does not reach the request for more than two minutes",
    choices=("span",),
)
def waits(s: Pulls, c: Choices, lim: Limits, client: Variant) -> Step:
    """No pull of the entry begins."""
    return step(And(s.present, c.span > 0), age=s.age + c.span, idle=s.idle + c.span)


@action("The consumer is suspended.", "`suspend()` is called")
def suspends(s: Pulls, c: Choices, lim: Limits, client: Variant) -> Step:
    """``suspend`` is called, by a user or where offsets are reset: no pull begins, and no rebalance does anything."""
    return step(Not(s.suspended), suspended=True)


@action("It goes on.", "`resume()` is called")
def resumes(s: Pulls, c: Choices, lim: Limits, client: Variant) -> Step:
    """``resume`` is called. The rebalance that it makes is one like any other."""
    return step(s.suspended, suspended=False)


def _exit(s: Pulls, again: int, *, ended: Bool = False) -> Step:
    """A live entry's request is taken, or its offset answered, but it is not sent; ``again`` requests wait instead."""
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
    "The offset store throws in `pullMessage`.",
    "The request is taken, the offset store throws, and `PullMessageService` logs that",
)
def throws(s: Pulls, c: Choices, lim: Limits, client: Variant) -> Step:
    """``offsetStore.readOffset``, called for the offset to commit, throws."""
    return _exit(s, 0)


def _told_errs(before: Pulls, after: Pulls, c: Choices, client: Variant) -> str:
    ends = ": the `PullMessageService` thread ends" if after.ended else ""
    return f"The request is taken and an `Error` is thrown{ends}"


@action("An `Error` is thrown in `pullMessage`.", _told_errs)
def errs(s: Pulls, c: Choices, lim: Limits, client: Variant) -> Step:
    """Before 5.3.3 ``PullMessageService.run`` catches exceptions alone, and its thread ends."""
    return _exit(s, 0, ended=not client.rules.thread_survives)


def _answered(s: Pulls, again: int) -> Step:
    """A pull is answered, and ``again`` requests wait then."""
    return step(And(s.present, s.pulling > 0), pulling=s.pulling - 1, waiting=s.waiting + again)


def _told_breaks(before: Pulls, after: Pulls, c: Choices, client: Variant) -> str:
    if client.rules.callback_survives:
        return "An `Error` is thrown in the callback, and the request waits for 1 s"
    return "The pull is answered, and an `Error` is thrown in the callback, which is logged"


@action("An `Error` is thrown in a callback.", _told_breaks)
def breaks(s: Pulls, c: Choices, lim: Limits, client: Variant) -> Step:
    """An ``Error`` in ``PullCallback.onSuccess`` reaches ``onException`` only from 5.2.0 on."""
    return _answered(s, 1 if client.rules.callback_survives else 0)


@action(
    "The thread is interrupted that puts a request into the queue.",
    "The pull is answered, and the thread is interrupted as it puts the request back, which is logged",
)
def interrupts(s: Pulls, c: Choices, lim: Limits, client: Variant) -> Step:
    """``executePullRequestImmediately`` logs the interrupt, and the request is lost."""
    return _answered(s, 0)


def _told_hooks(before: Pulls, after: Pulls, c: Choices, client: Variant) -> str:
    then = "and the request waits for 1 s" if client.rules.hook_heard else "and Netty logs that"
    return f"The request is taken, the RPC hook throws, {then}"


@action("The RPC hook throws.", _told_hooks)
def hooks(s: Pulls, c: Choices, lim: Limits, client: Variant) -> Step:
    """``doBeforeRpcHooks`` throws when a pull is sent, if the hook is called."""
    return _exit(s, 1 if client.rules.hook_heard else 0)


def _told_overtime(before: Pulls, after: Pulls, c: Choices, client: Variant) -> str:
    if not client.rules.fails_twice:
        return "The request is taken, and the pull's time is over before it is sent: it waits for 1 s"
    return (
        "The request is taken, but the pull times out before it is sent. It is delayed for 1 s twice, because the "
        "client sends it all the same and fails again"
    )


@action("The connection is made when the pull's time is over.", _told_overtime)
def overtime(s: Pulls, c: Choices, lim: Limits, client: Variant) -> Step:
    """``NettyRemotingClient.invokeAsync`` fails; from 5.3.0 on it goes on after that, and fails again."""
    return _exit(s, 2 if client.rules.fails_twice else 1)


PULLS = Machine(Pulls, Choices, Limits, lambda blank, lim, client: blank, action, well_formed)
"""The machine; at first the consumer has nothing of the queue."""
