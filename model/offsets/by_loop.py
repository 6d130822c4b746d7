"""Node's consumer: one loop consumes, batch by batch, whatever becomes of the queue's entry.

What is so of an entry in the table and of one that has left it is written once, and told of which of the two it is.
"""

from collections.abc import Callable
from dataclasses import dataclass

from rebalance_proofs.model.machine.machine import Actions, Step, becomes
from rebalance_proofs.model.machine.values import And, Bool, If, Implies, Int, Not, Or, Value
from rebalance_proofs.model.offsets.actions import (
    ADDS,
    ASKS,
    COMMITS,
    REVOKES,
    adds,
    asks,
    commits,
    consumed,
    machine,
    passed,
    pulled,
    under_way,
)
from rebalance_proofs.model.offsets.rebalance import by_terms, removed, sent
from rebalance_proofs.model.offsets.state import UNKNOWN, Choices, Limits, Offsets, Variant
from rebalance_proofs.model.offsets.watched import watched
from rebalance_proofs.model.transition.numbers import NO_OFFSET

__all__ = ["BY_LOOP"]

action: Actions[Offsets, Choices, Limits, Variant] = Actions()
action(*ASKS, choices=("silent", "error", "zero"))(asks)
action(*ADDS, choices=("offset",))(adds)
action(*COMMITS, choices=("more",))(commits)


@dataclass(frozen=True)
class _Of:
    """Which fields say what of an entry."""

    present: str
    next: str
    cached: str
    runs: str
    owed: str

    def __call__(self, s: Offsets) -> "_Entry":
        return _Entry(*(getattr(s, field) for field in vars(self).values()))

    def but(self, s: Offsets, **changed: Value) -> Offsets:
        """The same, with these of the entry's fields."""
        return s.but(**{getattr(self, name): value for name, value in changed.items()})


@dataclass(frozen=True)
class _Entry:
    present: Bool
    next: Int
    cached: Bool
    runs: Bool
    owed: Bool


IN_TABLE = _Of("present", "next", "cached", "runs", "owed")
LEFT = _Of("lingers", "left_next", "left_cached", "late", "left_owed")
AFTER = "after the entry has left the table"


Does = Callable[[_Of, Offsets, Choices, Limits], Step]


def of_both(now: tuple[str, str], late: tuple[str, str], choices: tuple[str, ...] = ()) -> Callable[[Does], None]:
    """Declares what happens to an entry in the table, and to one that has left it; each in words."""

    def declare(does: Does) -> None:
        for name, words, of in ((does.__name__, now, IN_TABLE), (f"{does.__name__}_late", late, LEFT)):

            def effect(s: Offsets, c: Choices, lim: Limits, client: Variant, of: _Of = of) -> Step:
                return does(of, s, c, lim)

            effect.__name__ = name
            action(*words, choices=choices)(effect)

    return declare


@of_both(
    ("The message is pulled.", "{} has pulled the message"),
    (f"The message is pulled, {AFTER}.", "{} has pulled the message, though its entry has gone"),
    choices=("offset",),
)
def pulls(of: _Of, s: Offsets, c: Choices, lim: Limits) -> Step:
    """A pull that was under way when the entry left has found the message."""
    entry = of(s)
    return becomes(And(entry.present, pulled(s, c, lim, entry.next)), of.but(s, cached=True, next=c.offset))


@of_both(
    ("Others are pulled.", "{} has pulled other messages"),
    (f"Others are pulled, {AFTER}.", "{} has pulled other messages, though its entry has gone"),
    choices=("offset",),
)
def passes(of: _Of, s: Offsets, c: Choices, lim: Limits) -> Step:
    """It has found others."""
    entry = of(s)
    return becomes(And(entry.present, passed(s, c, lim, entry.next)), of.but(s, next=c.offset))


def _idle(of: _Of, s: Offsets) -> Bool:
    """The loop has not got the message in a batch, for neither entry."""
    entries = (of(s), (LEFT if of is IN_TABLE else IN_TABLE)(s))
    return Not(Or(*(Or(entry.runs, entry.owed) for entry in entries)))


@of_both(
    ("The listener is called with the message.", "The listener of {} is called with it"),
    (
        f"The listener is called with the message, {AFTER}.",
        "The listener of {} is called with the message, though its entry has gone",
    ),
)
def starts(of: _Of, s: Offsets, c: Choices, lim: Limits) -> Step:
    """``consumeSingleMsg``: for the first time, or once more."""
    entry, after = of(s), of.but(s, runs=True)
    can = And(entry.present, entry.cached, _idle(of, s), Not(s.closed))
    return becomes(can, after.but(begun_late=True) if of is LEFT else after)


def _returned(of: _Of, s: Offsets, **changed: Value) -> Offsets:
    after = of.but(s, runs=False, **changed)
    return after.but(begun_late=False) if of is LEFT else after


@of_both(
    ("The listener returns.", "The listener of {} returns: the message is consumed"),
    (
        f"The listener returns, {AFTER}.",
        "The listener of {} returns, whose entry has gone: the message is consumed",
    ),
)
def ends(of: _Of, s: Offsets, c: Choices, lim: Limits) -> Step:
    """The message is consumed, or given back to the broker to be retried; its batch is not noted yet."""
    entry = of(s)
    return becomes(And(entry.present, entry.runs), _returned(of, s, owed=True).but(**consumed(s)))


@of_both(
    (
        "The listener returns, but the message is to be tried again.",
        "The listener of {} returns, and the message is to be tried again",
    ),
    (
        f"The listener returns, but the message is to be tried again, {AFTER}.",
        "The listener of {}, whose entry has gone, returns, and the message is to be tried again",
    ),
)
def fails(of: _Of, s: Offsets, c: Choices, lim: Limits) -> Step:
    """It can neither be counted as consumed nor given back: it stays, to be tried later."""
    entry = of(s)
    return becomes(And(entry.present, entry.runs), _returned(of, s))


def _noted(s: Offsets, offset: Int) -> Offsets:
    """``updateOffset(messageQueue, offset, true)``, in the same turn."""
    return s.but(memory=If(s.memory < offset, offset, s.memory))


def _taken_out(of: _Of, s: Offsets, c: Choices, lim: Limits, can: Bool) -> Step:
    """``remove``: the first offset that is left, or the one behind the last; messages are taken out in order."""
    left = And(lim.message < c.offset, c.offset <= of(s).next)
    return becomes(And(can, left), of.but(_noted(s, c.offset), cached=False, owed=False))


@of_both(
    ("A batch with the message is noted.", "{} notes the offset behind the batch in its memory"),
    (
        f"A batch with the message is noted, {AFTER}.",
        "{}, whose entry has gone, notes the offset behind the batch in its memory",
    ),
    choices=("offset",),
)
def notes(of: _Of, s: Offsets, c: Choices, lim: Limits) -> Step:
    """All of the batch have returned: its messages are taken out, and the first offset that is left is put into the
    memory, unless that has more."""
    entry = of(s)
    return _taken_out(of, s, c, lim, And(entry.present, entry.owed))


@of_both(
    (
        "The message is noted without a call, because the consumer is being shut down.",
        "The loop of {}, which was busy with other messages, takes the message for consumed, though its listener "
        "was not called: it is being shut down",
    ),
    (
        f"The message is noted without a call, {AFTER}, because the consumer is being shut down.",
        "The loop of {}, whose entry has gone, takes the message for consumed: it is being shut down",
    ),
    choices=("offset",),
)
def skips(of: _Of, s: Offsets, c: Choices, lim: Limits) -> Step:
    """``consumeSingleMsg`` does nothing when the consumer is closed, and the loop takes that for a success."""
    entry = of(s)
    return _taken_out(of, s, c, lim, And(entry.present, entry.cached, _idle(of, s), s.closed))


@of_both(
    ("The listener returns from another message.", "The loop of {} has done with other messages"),
    (f"The listener returns from others, {AFTER}.", "The loop of {}, whose entry has gone, has done with others"),
    choices=("offset",),
)
def others(of: _Of, s: Offsets, c: Choices, lim: Limits) -> Step:
    """A batch without the message is noted."""
    entry = of(s)
    left = And(0 < c.offset, c.offset <= entry.next, Implies(entry.cached, c.offset <= lim.message))
    return becomes(And(entry.present, _idle(of, s), left), _noted(s, c.offset))


@of_both(
    (
        "A pull has found nothing, and the entry has no messages.",
        "A pull of {} finds nothing, and {} notes its next offset in its memory",
    ),
    (
        f"A pull has found nothing, {AFTER}.",
        "A pull of {} that was under way when its entry left finds nothing, and its next offset is noted",
    ),
)
def empty(of: _Of, s: Offsets, c: Choices, lim: Limits) -> Step:
    """``correctTagsOffset``."""
    entry = of(s)
    return becomes(And(entry.present, Not(entry.cached)), _noted(s, entry.next))


def _persisted(s: Offsets, c: Choices) -> Offsets:
    """``persistAll`` of a queue with an entry: ``offset || -1``."""
    unknown = Or(s.memory == NO_OFFSET, s.memory == 0)
    return under_way(s.but(memory=If(unknown, UNKNOWN, s.memory)), True, c)


@action("The memory's offset is sent.", "{} sends the offset in its memory to the broker", choices=("more",))
def sends(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """Every five seconds. A pull sends no more than that, and only what is above 0."""
    return becomes(s.present, _persisted(s, c))


@action(
    "The offset of a queue that had no entry is forgotten.",
    "`persistAll` of {} has sent the offsets of the queues of its table, and forgets all others",
)
def forgets(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """``persistAll`` makes its new table of the queues that have entries in one step: nobody gets in between."""
    return becomes(And(Not(s.present), Not(s.closed), s.memory != NO_OFFSET), s.but(memory=NO_OFFSET))


def _leaves(s: Offsets, c: Choices) -> Offsets:
    """The entry is out of the table. If the loop has a batch of it, or a pull is under way, it goes on with it."""
    goes = Or(s.runs, s.owed, c.held)
    which = And(goes, Not(And(s.lingers, c.more)))
    left = s.where(which, left_next=s.next, left_cached=s.cached, late=s.runs, left_owed=s.owed, begun_late=False)
    return left.but(present=False, cached=False, runs=False, owed=False, lingers=Or(s.lingers, goes))


@by_terms
def revokes(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """The entry goes before its offset is sent, which may fail; then the memory keeps it."""
    done = removed(s, c, lim, client)
    return becomes(s.present, _leaves(under_way(s, sent(done, s), c), c).but(memory=done.after.memory))


action(*REVOKES, choices=("silent", "held", "more"))(revokes)


@action(
    "The consumer is shut down.",
    "{} is being shut down, and sends the offset in its memory; its table is not empty yet",
    choices=("more",),
)
def shuts(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """``close``: the consumer is closed first, and its table is there until what it sends is on its way."""
    after = s.where(s.present, **vars(_persisted(s, c)))
    return becomes(Not(s.closed), after.but(closed=True))


@action(
    "The table of a consumer that is being shut down is emptied.",
    "The table of {}, which is being shut down, is emptied",
    choices=("held", "more"),
)
def clears(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """It has sent its offsets."""
    return becomes(And(s.closed, s.present), _leaves(s, c))


@action("Its process ends.", "The process of {} ends")
def crashes(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """At once."""
    of_entries = ("present", "cached", "runs", "owed", "late", "lingers", "left_cached", "left_owed", "begun_late")
    gone = dict.fromkeys((*of_entries, "asking"), False)
    return becomes(Not(s.closed), s.but(closed=True, memory=NO_OFFSET, **gone))


BY_LOOP = machine(watched, of=action)
