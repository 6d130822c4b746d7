"""State machine of ordered consumption: one consumer of one queue, and the broker's lock.

Each action function returns the action's guard and the state's changed fields. Its parameters: ``s``, the state before;
``c``, the action's nondeterministic choices; ``lim``, the time limits; ``client``, the client's differences from other
clients.
"""

from rebalance_proofs.model.machine.copies import ME, NOBODY
from rebalance_proofs.model.machine.machine import ENVIRONMENT, Actions, Machine, Step, step
from rebalance_proofs.model.machine.values import And, Bool, If, Implies, Not, Or, Value
from rebalance_proofs.model.ordered.limits import Limits, OrderedRules
from rebalance_proofs.model.ordered.state import Choices, Given, Ordered, Variant, rebalanced

LOST = ", but the answer is lost"

action: Actions[Ordered, Choices, Limits, Variant] = Actions()


def _does(s: Ordered, guard: Bool, **changes: Value) -> Step:
    """Return a step that also updates ``left``.

    ``left``: the last time at which the queue had a process queue, or one was being added.
    """
    after = s.but(**changes)
    concerned = Or(s.present, s.adding, after.present, after.adding)
    return step(guard, **{**changes, "left": If(concerned, s.now, after.left)})


def _becomes(s: Ordered, guard: Bool, after: Ordered) -> Step:
    changed = {name: value for name, value in vars(after).items() if value is not getattr(s, name)}
    return _does(s, guard, **changed)


def _grantable(s: Ordered, lim: Limits) -> Bool:
    """Check whether ``RebalanceLockManager.tryLockBatch`` grants the lock to this consumer."""
    return Or(s.holder == NOBODY, s.holder == ME, s.now - s.updated > lim.broker)


def _granted(s: Ordered) -> dict[str, Value]:
    owned_from = If(s.lost, s.now, s.owned_from)
    ghosts: dict[str, Value] = {"granted_at": s.now, "released": False, "owned_from": owned_from, "lost": False}
    return {**ghosts, "holder": ME, "updated": s.now}


@action(
    "The broker grants a lock request that is not from a rebalance.",
    lambda before, after, c, client: f"The broker renews the lock of {{who}}{'' if c.heard else LOST}",
    choices=("heard",),
)
def renews(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """The broker grants a renewal of the lock (``lockAll`` or ``tryLockLaterAndReconsume``)."""
    answered: dict[str, Value] = {
        "answered": Or(s.answered, c.heard),
        "answered_at": If(c.heard, s.now, s.answered_at),
    }
    return _does(s, _grantable(s, lim), **_granted(s), **answered)


@action("The grant of a renewal reaches the consumer.", "{who} learns that its lock was renewed")
def renewed(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """The newest grant reaches the consumer, together with earlier ones."""
    stamp = If(s.present, s.now, s.stamp)
    return _does(s, s.answered, answered=False, locked=Or(s.locked, s.present), stamp=stamp)


@action("The denial of a renewal reaches the consumer.", "{who} learns that its lock was not renewed")
def refused(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """A denied renewal reaches the consumer.

    This is possible at any time, whichever consumer holds the lock.
    """
    return _does(s, s.present, locked=False, stamp=s.now if client.rules.stamps_denials else s.stamp)


def _told_revokes(before: Ordered, after: Ordered, c: Choices, client: Variant) -> str:
    words = "A rebalance removes the process queue of {who}"
    if after.present:
        words = "A rebalance drops the process queue of {who}, but cannot remove it because its listener runs"
    return words + (", because it has pulled nothing for two minutes" if c.in_set else "")


@action("A rebalance removes the process queue, or drops it.", _told_revokes, choices=("in_set",))
def revokes(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """First half of a rebalance: the process queue is removed, or dropped.

    The consumer does not own the queue any more, or no message was pulled for too long.
    """
    done = rebalanced(client.transition, _given(s, lim, c.in_set, s.present, True), granted=False)
    kept = s.but(dropped=done.dropped, locked=done.locked, unlocking=Or(s.unlocking, done.unlocks))
    kept = kept.but(later=Or(s.later, done.later), due=If(done.later, s.now + lim.unlock, s.due))
    return _becomes(s, And(s.present, Not(s.adding)), _gone(kept, Not(done.present)))


def _given(s: Ordered, lim: Limits, in_set: Bool, present: Bool, found: Bool) -> Given:
    return Given(present, s.dropped, s.locked, s.now - s.stamp, _works(s), s.cached, in_set, found, lim.unlock)


def _works(s: Ordered) -> Bool:
    """Check whether the listener runs for the process queue in the table."""
    return And(s.runs, Not(s.orphan))


def _gone(s: Ordered, goes: Bool) -> Ordered:
    """Return the state where the process queue has left the table, if ``goes`` holds."""
    stays = Not(goes)
    flags: dict[str, Value] = {
        name: And(getattr(s, name), stays) for name in ("present", "dropped", "locked", "cached")
    }
    return s.but(**flags, orphan=Or(s.orphan, And(goes, s.runs)))


@action(
    "The consumer unsubscribes from the topic.",
    "{who} unsubscribes from the topic: only its process queue is removed",
)
def unsubscribes(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """The process queue leaves the table without an unlock, after an unsubscription.

    Mirror of ``truncateMessageQueueNotMyTopic``.
    """
    return _becomes(s, And(s.present, Not(s.adding)), _gone(s, True))


@action(
    "The broker grants a rebalance's lock request.",
    lambda before, after, c, client: (
        f"A rebalance of {{who}} requests the lock: the broker grants it{'' if c.heard else LOST}"
    ),
    choices=("heard",),
)
def locks(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """The broker grants the lock to a rebalance that adds the queue.

    The queue has no process queue, and no rebalance is adding one yet.
    """
    idle = Not(Or(s.present, s.adding, s.closed))
    added: dict[str, Value] = {"adding": c.heard, "adding_at": If(c.heard, s.now, s.adding_at), "left": s.now}
    return step(And(idle, _grantable(s, lim)), **_granted(s), **added)


@action(
    "The rebalance adds the queue, if it finds an offset to start at.",
    lambda before, after, c, client: (
        f"{{who}} receives the grant and adds the queue{'' if c.found else ', but finds no offset to start at'}"
    ),
    choices=("found",),
)
def adds(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """Second half of a rebalance: the grant arrives, and a process queue may be added."""
    done = rebalanced(client.transition, _given(s, lim, True, False, c.found), granted=True)
    has, pulls_from = done.present, s.now + (lim.first_pull if done.waits else 0)
    return _does(
        s,
        s.adding,
        adding=False,
        present=has,
        dropped=And(has, done.dropped),
        locked=And(has, done.locked),
        cached=And(has, done.cached),
        stamp=If(has, s.now - done.lock_age, s.stamp),
        pulls_from=If(has, pulls_from, s.pulls_from),
    )


@action(
    "An unlock request reaches the broker.",
    "The unlock request of {who} reaches the broker",
    choices=("more",),
)
def returned(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """An unlock request arrives, and the broker frees the lock if it is this consumer's.

    Mirror of ``RebalanceLockManager.unlockBatch``.
    """
    mine = s.holder == ME
    holder = If(mine, NOBODY, s.holder)
    return _does(s, s.unlocking, unlocking=c.more, released=Or(s.released, mine), holder=holder)


@action("The consumer sends a delayed unlock request.", "{who} sends its delayed unlock request", choices=("more",))
def returns(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """A delayed unlock request is sent, because its delay is over (``unlockDelay``)."""
    return _does(s, And(s.later, s.now >= s.due), unlocking=True, later=c.more)


@action("The consumer pulls messages.", "{who} pulls messages")
def pulls(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """Pulled messages arrive.

    During shutdown, no new consume request starts; only a running request takes messages.
    """
    taken = Or(Not(s.stopping), _works(s))
    return _does(s, And(s.present, Not(s.dropped), Not(s.cached), s.now >= s.pulls_from, taken), cached=True)


@action(
    "The consumer checks that its lock is recent, and calls its listener.",
    "{who} checks that its lock is recent and calls its listener",
    choices=("more",),
)
def starts(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """The listener is called, after ``ConsumeRequest.run`` has checked the lock.

    Between the two, the client waits for the consume lock and checks ``dropped`` again. Events in that time can
    also happen while the listener runs. If the process queue is dropped, the listener is not called, which equals a
    call that has already returned. So no behaviour is lost by counting the listener's time from the check.
    """
    believed = And(s.locked, s.now - s.stamp <= lim.client)
    # After the interrupt no request begins, and the last one continues for at most ``loop``. Before it, new requests
    # begin.
    goes_on = Implies(s.cut, s.now <= s.waits_since + lim.loop)
    # ``MessageQueueLock`` has one object per queue, whichever process queue the queue has.
    can = And(s.present, Not(s.dropped), believed, s.cached, Not(s.runs), goes_on)
    called: dict[str, Value] = {"call_from": s.owned_from, "call_lost": s.lost, "call_lost_at": s.lost_at}
    return _does(s, can, **called, runs=True, since=s.now, orphan=False, twice=s.runs, cached=c.more)


@action("The listener returns.", "The listener of {who} returns", choices=("more",))
def ends(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """The listener returns.

    Messages to be consumed again wait for a later request. During shutdown, no later request is accepted.
    """
    again = And(c.more, s.present, Not(s.orphan))
    cached = Or(And(again, Not(s.stopping)), And(Not(again), s.cached))
    return _does(s, s.runs, runs=False, orphan=False, twice=False, cached=cached)


@action("The consumer begins to shut down.", "{who} begins to shut down")
def shuts(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """Shutdown begins; a running listener continues.

    A request checks whether its process queue is dropped, locked and recently renewed, and how long the request has
    run. It does not check whether the consumer shuts down.
    """
    return _does(s, Not(Or(s.stopping, s.closed)), stopping=True, waits_since=s.now)


def _ending(s: Ordered) -> Bool:
    """Check whether the consumer is shutting down and has not yet released its locks."""
    return And(s.stopping, Not(Or(s.yielded, s.closed)))


def _waited(s: Ordered, lim: Limits) -> Bool:
    return s.now >= s.waits_since + lim.wait


@action(
    "The shutdown stops waiting for the listener and interrupts it.",
    "The shutdown of {who} stops waiting and interrupts its listener",
    choices=("more",),
    has=lambda client: client.rules.waits_for_listener,
)
def interrupts(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """``shutdownNow`` drops requests that have not begun.

    ``c.more``: a request has begun, and is between two listener calls.
    """
    begun = Or(_works(s), c.more)
    can = And(_ending(s), Not(s.cut), _waited(s, lim))
    return _does(s, can, cut=True, waits_since=s.now, cached=And(s.cached, begun))


@action("The shutdown sends unlock requests for all locks.", "The shutdown of {who} releases its locks")
def gives_back(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """``unlockAll``: no listener call runs, or the shutdown has waited a second time.

    Process queues lose their ``locked`` flag but stay in the table. If a second renewer runs, it can acquire the locks
    again.
    """
    spoken_of = s.present if client.rules.returns_dropped else And(s.present, Not(s.dropped))
    waited = And(s.cut, _waited(s, lim)) if client.rules.waits_for_listener else True
    return _does(
        s,
        And(_ending(s), Or(waited, Not(s.runs))),
        yielded=True,
        unlocking=Or(s.unlocking, spoken_of),
        locked=And(s.locked, Not(spoken_of)),
        # Without the second wait, all requests have ended, and no more are accepted.
        cached=And(s.cached, waited),
    )


@action("The shutdown empties the consumer's table and ends.", "The shutdown of {who} empties its table and ends")
def clears(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """``destroy``: all process queues are dropped and leave the table."""
    return _becomes(s, And(s.yielded, Not(s.closed)), _gone(s, True).but(closed=True))


@action("The consumer's process crashes or is killed.", "The process of {who} crashes or is killed")
def crashes(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """The process ends at once and sends nothing."""
    none = ("locked", "cached", "runs", "orphan", "twice", "answered", "adding", "later", "cut", "yielded")
    gone: dict[str, Value] = dict.fromkeys((*none, "present", "dropped"), False)
    return _does(s, Not(s.closed), **gone, stopping=True, closed=True)


@action(
    "The client instance or the process of a stopped consumer ends, and its delayed unlock request is never sent.",
    "The process of {who} ends, and its delayed unlock request is never sent",
    has=lambda client: client.puts_off,
)
def exits(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """The process ends after its shutdown, or the last consumer of its client instance has shut down.

    The task of a delayed unlock belongs to the instance, and so do the connections that it needs
    (``MQClientInstance.shutdown``).
    """
    return _does(s, And(s.yielded, s.closed, s.later), later=False)


@action("The broker restarts and loses all locks.", by=ENVIRONMENT)
def restarts(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """The broker restarts and loses its locks, or another broker takes its place."""
    return step(True, holder=NOBODY)


def listed(rules: OrderedRules, s: Ordered) -> Bool:
    """Check whether ``lockAll`` includes the queue in its lock request."""
    left = s.closed if rules.renews_on else s.stopping
    return And(s.present, Not(left), Or(rules.renews_marked, Not(s.dropped)))


def _nothing(blank: Ordered, lim: Limits, client: Variant) -> Ordered:
    """Return the first state: the consumer has no process queue, and the lock is free."""
    return blank.but(released=True, lost=True)


ORDERED = Machine(
    Ordered,
    Choices,
    Limits,
    _nothing,
    action,
    parts={
        "rules": lambda client: client.rules,
        "step": lambda client: client.transition,
        "listed": lambda client: lambda s: listed(client.rules, s),
    },
)
