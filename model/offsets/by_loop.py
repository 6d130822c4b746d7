"""State machine of Node's consumer: one loop consumes batch by batch.

The loop continues with the messages of a process queue even after that has left ``processQueueTable``. So most actions
exist for both kinds of process queues. Such an action is written once; its parameter ``of`` names the state's fields
for one of the kinds. Other parameters and results of actions: see ``model.offsets.actions``.
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

action: Actions[Offsets, Choices, Limits, Variant] = Actions()
action(*ASKS, choices=("silent", "error", "zero"))(asks)
action(*ADDS, choices=("offset",))(adds)
action(*COMMITS, choices=("more",))(commits)


@dataclass(frozen=True)
class _Of:
    """Names of the state's fields for a process queue in the table, or for one that has left it."""

    present: str
    next: str
    cached: str
    runs: str
    owed: str

    def __call__(self, s: Offsets) -> "_Entry":
        return _Entry(*(getattr(s, field) for field in vars(self).values()))

    def but(self, s: Offsets, **changed: Value) -> Offsets:
        """Return the state ``s`` with these fields of the process queue changed."""
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
AFTER = "after its process queue has left the table"


Does = Callable[[_Of, Offsets, Choices, Limits], Step]


def of_both(now: tuple[str, str], late: tuple[str, str], choices: tuple[str, ...] = ()) -> Callable[[Does], None]:
    """Return a decorator that declares an action for both kinds of process queues.

    ``now``: the action's sentence and story text for a process queue in the table; ``late``: for one that has left
    it.
    """

    def declare(does: Does) -> None:
        for name, words, of in ((does.__name__, now, IN_TABLE), (f"{does.__name__}_late", late, LEFT)):

            def effect(s: Offsets, c: Choices, lim: Limits, client: Variant, of: _Of = of) -> Step:
                return does(of, s, c, lim)

            effect.__name__ = name
            action(*words, choices=choices)(effect)

    return declare


@of_both(
    ("The consumer pulls the message.", "{who} pulls the message"),
    (f"The consumer pulls the message, {AFTER}.", "{who} pulls the message, although its process queue is gone"),
    choices=("offset",),
)
def pulls(of: _Of, s: Offsets, c: Choices, lim: Limits) -> Step:
    """A pull finds the message.

    The pull may have been in flight when the process queue left the table.
    """
    entry = of(s)
    return becomes(And(entry.present, pulled(s, c, lim, entry.next)), of.but(s, cached=True, next=c.offset))


@of_both(
    ("The consumer pulls other messages.", "{who} pulls other messages"),
    (f"The consumer pulls other messages, {AFTER}.", "{who} pulls other messages, although its process queue is gone"),
    choices=("offset",),
)
def passes(of: _Of, s: Offsets, c: Choices, lim: Limits) -> Step:
    """A pull finds other messages, but not the observed one."""
    entry = of(s)
    return becomes(And(entry.present, passed(s, c, lim, entry.next)), of.but(s, next=c.offset))


def _idle(of: _Of, s: Offsets) -> Bool:
    """Check that the loop's present batch does not contain the message."""
    entries = (of(s), (LEFT if of is IN_TABLE else IN_TABLE)(s))
    return Not(Or(*(Or(entry.runs, entry.owed) for entry in entries)))


@of_both(
    ("The consumer calls its listener with the message.", "{who} calls its listener with the message"),
    (
        f"The consumer calls its listener with the message, {AFTER}.",
        "{who} calls its listener with the message, although its process queue is gone",
    ),
)
def starts(of: _Of, s: Offsets, c: Choices, lim: Limits) -> Step:
    """``consumeSingleMsg`` calls the listener with the message, for the first time or again."""
    entry, after = of(s), of.but(s, runs=True)
    can = And(entry.present, entry.cached, _idle(of, s), Not(s.closed))
    return becomes(can, after.but(begun_late=True) if of is LEFT else after)


def _returned(of: _Of, s: Offsets, **changed: Value) -> Offsets:
    after = of.but(s, runs=False, **changed)
    return after.but(begun_late=False) if of is LEFT else after


@of_both(
    ("The listener returns from the message.", "The listener of {who} returns: the message is consumed"),
    (
        f"The listener returns from the message, {AFTER}.",
        "The listener of {who} returns after the process queue was removed: the message is consumed",
    ),
)
def ends(of: _Of, s: Offsets, c: Choices, lim: Limits) -> Step:
    """The message is consumed or sent back for a retry; its batch is not recorded yet."""
    entry = of(s)
    return becomes(And(entry.present, entry.runs), _returned(of, s, owed=True).but(**consumed(s)))


@of_both(
    (
        "The listener returns and asks for a retry of the message.",
        "The listener of {who} returns and asks for a retry of the message",
    ),
    (
        f"The listener returns and asks for a retry of the message, {AFTER}.",
        "The listener of {who} returns after the process queue was removed, and asks for a retry of the message",
    ),
)
def fails(of: _Of, s: Offsets, c: Choices, lim: Limits) -> Step:
    """The listener fails, and the message is not sent back but stays for another try."""
    entry = of(s)
    return becomes(And(entry.present, entry.runs), _returned(of, s))


def _noted(s: Offsets, offset: Int) -> Offsets:
    """Return the state after ``offset`` was recorded in memory, unless memory has a larger one.

    Mirror of ``updateOffset(messageQueue, offset, true)``, which Node runs synchronously.
    """
    return s.but(memory=If(s.memory < offset, offset, s.memory))


def _taken_out(of: _Of, s: Offsets, c: Choices, lim: Limits, can: Bool) -> Step:
    """Remove a batch's messages, and record the offset of the first remaining one.

    If no message remains, the offset is the one after the last. ``can``: a further condition of the step.
    """
    left = And(lim.message < c.offset, c.offset <= of(s).next)
    return becomes(And(can, left), of.but(_noted(s, c.offset), cached=False, owed=False))


@of_both(
    (
        ("The consumer records the offset after the message's batch in memory."),
        "{who} records the offset after the batch in memory",
    ),
    (
        f"The consumer records the offset after the message's batch in memory, {AFTER}.",
        "{who}, whose process queue is gone, records the offset after the batch in memory",
    ),
    choices=("offset",),
)
def notes(of: _Of, s: Offsets, c: Choices, lim: Limits) -> Step:
    """The whole batch has returned: its messages are removed, and the next offset is recorded.

    The offset is the first one left. Memory stays unchanged if it has a larger offset.
    """
    entry = of(s)
    return _taken_out(of, s, c, lim, And(entry.present, entry.owed))


@of_both(
    (
        "A consumer that shuts down treats the message as consumed without calling the listener.",
        "The loop of {who}, which is shutting down, treats the message as consumed without calling the listener",
    ),
    (
        f"A consumer that shuts down treats the message as consumed without calling the listener, {AFTER}.",
        "The loop of {who}, which is shutting down and has no process queue, treats the message as consumed",
    ),
    choices=("offset",),
)
def skips(of: _Of, s: Offsets, c: Choices, lim: Limits) -> Step:
    """A closed consumer skips the batch, and the loop treats that as success.

    Mirror of ``consumeSingleMsg``.
    """
    entry = of(s)
    return _taken_out(of, s, c, lim, And(entry.present, entry.cached, _idle(of, s), s.closed))


@of_both(
    ("The loop finishes a batch of other messages.", "The loop of {who} finishes other messages"),
    (
        f"The loop finishes a batch of other messages, {AFTER}.",
        ("The loop of {who}, whose process queue is gone, finishes other messages"),
    ),
    choices=("offset",),
)
def others(of: _Of, s: Offsets, c: Choices, lim: Limits) -> Step:
    """A batch without the message is done, and its offset is recorded."""
    entry = of(s)
    left = And(0 < c.offset, c.offset <= entry.next, Implies(entry.cached, c.offset <= lim.message))
    return becomes(And(entry.present, _idle(of, s), left), _noted(s, c.offset))


@of_both(
    (
        "A pull finds no message, and the process queue is empty.",
        "A pull of {who} finds no message; {who} records its next offset in memory",
    ),
    (
        f"A pull finds no message, {AFTER}.",
        "A pull of {who} that outlived its process queue finds no message; its next offset is recorded",
    ),
)
def empty(of: _Of, s: Offsets, c: Choices, lim: Limits) -> Step:
    """``correctTagsOffset`` records the next offset of an empty process queue."""
    entry = of(s)
    return becomes(And(entry.present, Not(entry.cached)), _noted(s, entry.next))


def _persisted(s: Offsets, c: Choices) -> Offsets:
    """Return the state after ``persistAll`` has sent a queue's offset (``offset || -1``)."""
    unknown = Or(s.memory == NO_OFFSET, s.memory == 0)
    return under_way(s.but(memory=If(unknown, UNKNOWN, s.memory)), True, c)


@action(
    "The consumer commits its in-memory offset of the queue.", "{who} commits its in-memory offset", choices=("more",)
)
def sends(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """``persistAll`` sends the offset in memory every five seconds.

    A pull sends no larger offset, and only offsets above 0.
    """
    return becomes(s.present, _persisted(s, c))


@action(
    "`persistAll` removes the in-memory offset of a queue without a process queue.",
    "`persistAll` of {who} has sent the offsets of its queues and removes all others from memory",
)
def forgets(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """``persistAll`` removes offsets of queues without process queues from memory, in one step."""
    return becomes(And(Not(s.present), Not(s.closed), s.memory != NO_OFFSET), s.but(memory=NO_OFFSET))


def _leaves(s: Offsets, c: Choices) -> Offsets:
    """Return the state after the process queue has left the table.

    The loop continues with that process queue if the loop has a batch of its messages or a pull is in flight.
    """
    goes = Or(s.runs, s.owed, c.held)
    which = And(goes, Not(And(s.lingers, c.more)))
    left = s.where(which, left_next=s.next, left_cached=s.cached, late=s.runs, left_owed=s.owed, begun_late=False)
    return left.but(present=False, cached=False, runs=False, owed=False, lingers=Or(s.lingers, goes))


@by_terms
def revokes(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """The process queue leaves the table before its offset is sent.

    If sending fails, the offset stays in memory.
    """
    done = removed(s, c, lim, client)
    return becomes(s.present, _leaves(under_way(s, sent(done, s), c), c).but(memory=done.after.memory))


action(*REVOKES, choices=("silent", "held", "more"))(revokes)


@action(
    "The consumer begins to shut down.",
    "{who} begins to shut down and commits its in-memory offset; its table still has the queue",
    choices=("more",),
)
def shuts(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """``close``: the consumer is closed first; its table stays until its offsets are in flight."""
    after = s.where(s.present, **vars(_persisted(s, c)))
    return becomes(Not(s.closed), after.but(closed=True))


@action(
    "A consumer that shuts down empties its table.",
    "The table of {who}, which is shutting down, is emptied",
    choices=("held", "more"),
)
def clears(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """The consumer has sent its offsets, and empties its table."""
    return becomes(And(s.closed, s.present), _leaves(s, c))


@action("The consumer's process crashes or is killed.", "The process of {who} crashes or is killed")
def crashes(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """The process ends at once and sends nothing."""
    of_entries = ("present", "cached", "runs", "owed", "late", "lingers", "left_cached", "left_owed", "begun_late")
    gone = dict.fromkeys((*of_entries, "asking"), False)
    return becomes(Not(s.closed), s.but(closed=True, memory=NO_OFFSET, **gone))


def _well_formed(s: Offsets, lim: Limits) -> Bool:
    """Check that a listener call is for a process queue that the state describes."""
    return Implies(s.late, s.lingers)


BY_LOOP = machine(watched, of=action, well_formed=_well_formed)
