"""The machine of ordered consumption: actions of one consumer of one queue, and of the broker's lock."""

from rebalance_proofs.model.machine.copies import ME, NOBODY
from rebalance_proofs.model.machine.machine import ENVIRONMENT, Actions, Machine, Step, step
from rebalance_proofs.model.machine.values import And, Bool, If, Implies, Not, Or, Value
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.rebalance import Given, rebalanced
from rebalance_proofs.model.ordered.rules import OrderedRules
from rebalance_proofs.model.ordered.state import Choices, Ordered, Variant

__all__ = ["ORDERED", "listed"]

LOST = ", but the answer is lost"

action: Actions[Ordered, Choices, Limits, Variant] = Actions()


def _does(s: Ordered, guard: Bool, **changes: Value) -> Step:
    """A step that also sets ``left``, the time at which the queue last had an entry, or one was being added."""
    after = s.but(**changes)
    concerned = Or(s.present, s.adding, after.present, after.adding)
    return step(guard, **{**changes, "left": If(concerned, s.now, after.left)})


def _becomes(s: Ordered, guard: Bool, after: Ordered) -> Step:
    changed = {name: value for name, value in vars(after).items() if value is not getattr(s, name)}
    return _does(s, guard, **changed)


def _grantable(s: Ordered, lim: Limits) -> Bool:
    """Whether ``RebalanceLockManager.tryLockBatch`` grants the lock to this consumer."""
    return Or(s.holder == NOBODY, s.holder == ME, s.now - s.updated > lim.broker)


def _granted(s: Ordered) -> dict[str, Value]:
    owned_from = If(s.lost, s.now, s.owned_from)
    ghosts: dict[str, Value] = {"granted_at": s.now, "released": False, "owned_from": owned_from, "lost": False}
    return {**ghosts, "holder": ME, "updated": s.now}


@action(
    "The broker grants a lock that is asked for otherwise than by a rebalance.",
    lambda before, after, c, client: f"The broker renews the lock of {{who}}{'' if c.heard else LOST}",
    choices=("heard",),
)
def renews(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """``lockAll``, or ``tryLockLaterAndReconsume``."""
    answered: dict[str, Value] = {
        "answered": Or(s.answered, c.heard),
        "answered_at": If(c.heard, s.now, s.answered_at),
    }
    return _does(s, _grantable(s, lim), **_granted(s), **answered)


@action("The consumer hears of that.", "{who} learns that its lock was renewed")
def renewed(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """The consumer hears of the newest grant, and with it of those before."""
    stamp = If(s.present, s.now, s.stamp)
    return _does(s, s.answered, answered=False, locked=Or(s.locked, s.present), stamp=stamp)


@action("The consumer hears that a renewal was denied.", "{who} learns that its lock was not renewed")
def refused(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """Possible at any time, whoever has the broker's lock."""
    return _does(s, s.present, locked=False, stamp=s.now if client.rules.stamps_denials else s.stamp)


def _told_revokes(before: Ordered, after: Ordered, c: Choices, client: Variant) -> str:
    words = "A rebalance takes the queue from {who}"
    if after.present:
        words = "A rebalance marks the queue of {who}, but its listener runs"
    return words + (", because it has pulled nothing for two minutes" if c.in_set else "")


@action("A rebalance takes the queue away, or tries to.", _told_revokes, choices=("in_set",))
def revokes(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """The first half of a rebalance, in which no lock is granted yet: the queue is not the consumer's any more, or no
    message was pulled for too long."""
    done = rebalanced(client.transition, _given(s, lim, c.in_set, s.present, True), granted=False)
    kept = s.but(dropped=done.dropped, locked=done.locked, unlocking=Or(s.unlocking, done.unlocks))
    kept = kept.but(later=Or(s.later, done.later), due=If(done.later, s.now + lim.unlock, s.due))
    return _becomes(s, And(s.present, Not(s.adding)), _gone(kept, Not(done.present)))


def _given(s: Ordered, lim: Limits, in_set: Bool, present: Bool, found: Bool) -> Given:
    return Given(present, s.dropped, s.locked, s.now - s.stamp, _works(s), s.cached, in_set, found, lim.unlock)


def _works(s: Ordered) -> Bool:
    """Whether the listener is called for the entry in the table."""
    return And(s.runs, Not(s.orphan))


def _gone(s: Ordered, goes: Bool) -> Ordered:
    """The state after the entry has left the table, if it goes."""
    stays = Not(goes)
    flags: dict[str, Value] = {
        name: And(getattr(s, name), stays) for name in ("present", "dropped", "locked", "cached")
    }
    return s.but(**flags, orphan=Or(s.orphan, And(goes, s.runs)))


@action(
    "The topic is not subscribed any more.",
    "{who} unsubscribes from the topic: only its entry is removed",
)
def unsubscribes(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """``truncateMessageQueueNotMyTopic`` takes the entry out of the table; no lock is given back."""
    return _becomes(s, And(s.present, Not(s.adding)), _gone(s, True))


@action(
    "The broker grants the lock that a rebalance asks for.",
    lambda before, after, c, client: (
        f"A rebalance of {{who}} requests the lock: the broker grants it{'' if c.heard else LOST}"
    ),
    choices=("heard",),
)
def locks(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """The queue has no entry, and none is being added."""
    idle = Not(Or(s.present, s.adding, s.closed))
    added: dict[str, Value] = {"adding": c.heard, "adding_at": If(c.heard, s.now, s.adding_at), "left": s.now}
    return step(And(idle, _grantable(s, lim)), **_granted(s), **added)


@action(
    "The rebalance adds the queue, or finds no offset to begin at.",
    lambda before, after, c, client: (
        f"{{who}} receives the grant and adds the queue{'' if c.found else ', but finds no offset to start at'}"
    ),
    choices=("found",),
)
def adds(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """The second half of a rebalance: the lock is granted, and there is no entry."""
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
    "A return of the lock arrives at the broker.",
    "The unlock request of {who} reaches the broker",
    choices=("more",),
)
def returned(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """``RebalanceLockManager.unlockBatch`` frees the lock if it is this consumer's."""
    mine = s.holder == ME
    holder = If(mine, NOBODY, s.holder)
    return _does(s, s.unlocking, unlocking=c.more, released=Or(s.released, mine), holder=holder)


@action("A return that was put off is sent.", "{who} sends its delayed unlock request", choices=("more",))
def returns(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """``unlockDelay``: the delay is over."""
    return _does(s, And(s.later, s.now >= s.due), unlocking=True, later=c.more)


@action("Messages arrive.", "{who} pulls messages")
def pulls(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """A consumer that is being shut down accepts no requests: messages are taken only by a request that runs
    already."""
    taken = Or(Not(s.stopping), _works(s))
    return _does(s, And(s.present, Not(s.dropped), Not(s.cached), s.now >= s.pulls_from, taken), cached=True)


@action(
    "The lock is found to be the consumer's own and recent, and the listener is called.",
    "{who} checks that its lock is recent and calls its listener",
    choices=("more",),
)
def starts(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """``ConsumeRequest.run``, from its check of the lock to the call.

    Between the two it waits for the consume lock, and checks again whether the entry is marked. What can happen
    meanwhile can also happen while the listener runs; if the entry goes, the listener is not called, which is as if it
    had returned before. So no behaviour is lost by counting the listener's time from the check.
    """
    believed = And(s.locked, s.now - s.stamp <= lim.client)
    # After the interrupt no request begins, and the last one goes on for ``loop`` at most. Before, new ones begin.
    goes_on = Implies(s.cut, s.now <= s.waits_since + lim.loop)
    # ``MessageQueueLock`` has one object for each queue, whichever entry the queue has.
    can = And(s.present, Not(s.dropped), believed, s.cached, Not(s.runs), goes_on)
    called: dict[str, Value] = {"call_from": s.owned_from, "call_lost": s.lost, "call_lost_at": s.lost_at}
    return _does(s, can, **called, runs=True, since=s.now, orphan=False, twice=s.runs, cached=c.more)


@action("The listener returns.", "The listener of {who} returns", choices=("more",))
def ends(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """Messages that are to be consumed again wait for a later request, which a consumer that is being shut down does
    not accept."""
    again = And(c.more, s.present, Not(s.orphan))
    cached = Or(And(again, Not(s.stopping)), And(Not(again), s.cached))
    return _does(s, s.runs, runs=False, orphan=False, twice=False, cached=cached)


@action("The consumer is told to shut down.", "{who} begins to shut down")
def shuts(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """The listener goes on: a request checks whether its entry is marked, locked and recent, and how long it has gone
    on itself, but not whether the consumer is being shut down."""
    return _does(s, Not(Or(s.stopping, s.closed)), stopping=True, waits_since=s.now)


def _ending(s: Ordered) -> Bool:
    """Whether the consumer is being shut down, and has not given its locks back yet."""
    return And(s.stopping, Not(Or(s.yielded, s.closed)))


def _waited(s: Ordered, lim: Limits) -> Bool:
    return s.now >= s.waits_since + lim.wait


@action(
    "Its shutdown has waited for the listener, and interrupts it.",
    "The shutdown of {who} stops waiting and interrupts its listener",
    choices=("more",),
    has=lambda client: client.rules.waits_for_listener,
)
def interrupts(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """``shutdownNow``: requests that have not begun are gone. ``c.more``: one has begun, and makes no call just now."""
    begun = Or(_works(s), c.more)
    can = And(_ending(s), Not(s.cut), _waited(s, lim))
    return _does(s, can, cut=True, waits_since=s.now, cached=And(s.cached, begun))


@action("Its shutdown gives all locks back.", "The shutdown of {who} gives its locks back")
def gives_back(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """``unlockAll``: no call runs, or the shutdown has waited once more. Entries are not locked any more, but stay in
    the table; if a second renewer runs, it can take the locks again."""
    spoken_of = s.present if client.rules.returns_dropped else And(s.present, Not(s.dropped))
    waited = And(s.cut, _waited(s, lim)) if client.rules.waits_for_listener else True
    return _does(
        s,
        And(_ending(s), Or(waited, Not(s.runs))),
        yielded=True,
        unlocking=Or(s.unlocking, spoken_of),
        locked=And(s.locked, Not(spoken_of)),
        # Without that second wait all requests have ended, and no more are accepted.
        cached=And(s.cached, waited),
    )


@action("Its shutdown empties the table.", "The shutdown of {who} empties its table and ends")
def clears(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """``destroy``: all entries are marked, and leave the table."""
    return _becomes(s, And(s.yielded, Not(s.closed)), _gone(s, True).but(closed=True))


@action("Its process ends.", "The process of {who} ends")
def crashes(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """The process ends at once, and sends nothing."""
    none = ("locked", "cached", "runs", "orphan", "twice", "answered", "adding", "later", "cut", "yielded")
    gone: dict[str, Value] = dict.fromkeys((*none, "present", "dropped"), False)
    return _does(s, Not(s.closed), **gone, stopping=True, closed=True)


@action("The broker restarts, and knows of no lock.", by=ENVIRONMENT)
def restarts(s: Ordered, c: Choices, lim: Limits, client: Variant) -> Step:
    """Stands also for another broker that takes its place."""
    return step(True, holder=NOBODY)


def listed(rules: OrderedRules, s: Ordered) -> Bool:
    """Whether the queue is among those whose locks ``lockAll`` asks for."""
    left = s.closed if rules.renews_on else s.stopping
    return And(s.present, Not(left), Or(rules.renews_marked, Not(s.dropped)))


def _nothing(blank: Ordered, lim: Limits, client: Variant) -> Ordered:
    """A consumer that has nothing to do with the queue yet, and a lock that is nobody's."""
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
