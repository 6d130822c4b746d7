"""Invariants about one consumer's offsets and one message: named conjuncts with sentences."""

from collections.abc import Callable

from rebalance_proofs.model.client.environment import NOT_FOUND
from rebalance_proofs.model.machine.conjunct import Conjunct
from rebalance_proofs.model.machine.values import And, Bool, Implies, Int, Not, Or
from rebalance_proofs.model.offsets.state import NONE, NOWHERE, UNKNOWN, Limits, Offsets, Way, concerned, done
from rebalance_proofs.model.transition.numbers import BROKER_ERROR, NO_OFFSET, UNANSWERED
from rebalance_proofs.proofs.offsets.brokers import Brokers

Part = Conjunct[Offsets, Limits]
Invariant = Callable[[Brokers], tuple[Part, ...]]
"""Function that returns the conjuncts for a set of assumptions."""
Place = Callable[[Offsets], Int]


def _behind(
    name: str, words: str, offset: Place, where: Callable[[Offsets], Bool] = lambda s: True, *, shared: bool = False
) -> Part:
    """Return the conjunct that the message was consumed if the offset ``offset`` is beyond it."""
    sentence = f"A message below {words} was consumed."
    return Part(name, sentence, lambda s, lim: Implies(And(where(s), offset(s) > lim.message), done(s)), shared=shared)


COMMITTED = _behind("committed", "the committed offset", lambda s: s.committed, shared=True)
PULLED = Part(
    "pulled",
    "A message below the next pull offset was consumed, or is in the process queue.",
    lambda s, lim: Implies(And(s.present, s.next > lim.message), Or(done(s), s.cached)),
)
MEMORY = _behind("memory", "the offset in memory", lambda s: s.memory)
NOTED = _behind("noted", "an offset about to be recorded", lambda s: s.recorded, lambda s: s.recording)
HEARD = _behind("heard", "an offset that a rebalance gets", lambda s: s.answer, lambda s: s.asking)
SENT = _behind("sent", "a sent offset", lambda s: s.sent, lambda s: s.sending)
COPIED = _behind("copied", "the committed offset of a replica", lambda s: s.copied, shared=True)
NOTING = _behind(
    "noting", "the offset after a batch from which the listener has returned", lambda s: s.noted, lambda s: s.noting
)
HELD = Part(
    "held",
    "Messages and listener calls belong to a process queue.",
    lambda s, lim: And(Implies(s.cached, s.present), Implies(s.runs, s.present)),
)
LEFT = Part(
    "left",
    "In a removed process queue, each message below the next pull offset was consumed or is cached. An unrecorded "
    "batch was consumed.",
    lambda s, lim: And(
        Implies(And(s.lingers, s.left_next > lim.message), Or(done(s), s.left_cached)),
        Implies(Or(s.left_owed, s.owed), done(s)),
    ),
)
CONCERNED = Part(
    "concerned",
    "A queue that a consumer works on counts as taken.",
    lambda s, lim: Implies(concerned(s), s.taken),
)
COUNTED = Part(
    "counted",
    "No message was consumed twice for a reason other than a hand-over.",
    lambda s, lim: Not(s.excess),
    shared=True,
)
SETTLED = Part(
    "settled",
    "A recorded offset is committed, or a consumer works on the queue.",
    lambda s, lim: Implies(And(s.kept, Not(s.taken)), s.committed > lim.message),
    shared=True,
)
STEADY = Part(
    "steady",
    "While `persistAll` runs, the table has the queues of its list.",
    lambda s, lim: And(Implies(s.listed, s.present), Implies(s.unlisted, Not(s.present))),
)
UNRESET = Part("unreset", "No offset is being reset.", lambda s, lim: Not(s.resetting))
REMAINS = Part(
    "remains",
    "A message of an interrupted call stays in its process queue; its listener has returned, and is not called.",
    lambda s, lim: Implies(s.remains, And(s.cached, done(s), Not(s.runs))),
)
ALONE = Part(
    "alone",
    "A consumer that asks for the offset has no process queue.",
    lambda s, lim: Implies(s.asking, Not(s.present)),
)


def _unfixed(s: Offsets, lim: Limits) -> Bool:
    nothing = Not(Or(s.recording, s.noting, s.cached, s.runs, s.late))
    unfixed = And(s.present, Not(s.fixed))
    return And(Implies(Or(s.asking, unfixed), nothing), Implies(unfixed, s.next == s.stands))


UNFIXED = Part(
    "unfixed",
    "A consumer without an answered first pull has no commit under way.",
    _unfixed,
)


def unreset(world: Brokers) -> tuple[Part, ...]:
    """Return, for ordered listeners, the conjunct that no offset is being reset.

    A reset may empty a process queue while its listener runs, which changes the effect of the listener's return.
    """
    return (UNRESET,) if world.orderly else ()


def remains(world: Brokers) -> tuple[Part, ...]:
    """Return, for ordered listeners, the conjunct about messages of interrupted calls.

    These messages are recorded together with the next batch.
    """
    return (REMAINS,) if world.orderly else ()


def answers(world: Brokers) -> Part:
    """Return the conjunct about the possible answers to an offset query of a rebalance."""
    others = (
        *((UNANSWERED,) if world.unanswered else ()),
        *((BROKER_ERROR,) if world.errors else ()),
        *(() if world.committed else (NOT_FOUND,)),
    )
    return Part(
        "answers",
        "A rebalance gets an offset, or another answer that the assumptions allow.",
        lambda s, lim: Implies(s.asking, Or(s.answer >= world.least, *(s.answer == other for other in others))),
    )


def offsets(world: Brokers) -> Part:
    """Return the conjunct that all offsets are in their ranges."""
    holds = _of_a_loop if world.way is Way.BY_LOOP else _of_java
    return Part("offsets", "Offsets are not negative.", lambda s, lim: holds(s, world))


def _of_java(s: Offsets, world: Brokers) -> Bool:
    least = world.least
    nowhere = [And(s.fixed, s.next == NOWHERE)] if world.orderly else []
    in_order = [Implies(s.noting, s.noted >= 0), Implies(s.present, s.stands >= 0)] if world.orderly else []
    return And(
        s.committed >= (least if world.committed else NONE),
        s.copied >= world.least_copied if world.replica else True,
        Implies(s.present, And(s.began >= least, Or(s.began <= s.next, *nowhere))),
        Implies(s.recording, s.recorded >= least),
        Or(s.memory >= least, s.memory == NO_OFFSET),
        Implies(s.sending, s.sent >= least),
        *in_order,
    )


def _of_a_loop(s: Offsets, world: Brokers) -> Bool:
    # Node sends an offset of 0 as -1; if all offsets are above 0, it never sends -1.
    least = world.least or UNKNOWN
    return And(
        s.committed >= least,
        Implies(s.present, And(s.began >= world.least, s.began <= s.next)),
        Implies(s.lingers, s.left_next >= world.least),
        Or(s.memory >= least, s.memory == NO_OFFSET),
        Implies(And(s.present, world.least > 0), s.memory >= least),
        Implies(s.sending, s.sent >= least),
    )


def not_skipped(world: Brokers) -> tuple[Part, ...]:
    """Return the invariant that the message is not skipped."""
    noted = {Way.CONCURRENTLY: (NOTED, HELD), Way.ORDERLY: (NOTED, NOTING, HELD), Way.BY_LOOP: (LEFT,)}[world.way]
    replicas = (COPIED,) if world.replica else ()
    # A replica without an offset may give any answer, so no conjunct about answers is needed.
    heard = () if world.replica and not world.copied else (answers(world),)
    so = (COMMITTED, PULLED, MEMORY, *noted, HEARD, SENT, *replicas, *heard, offsets(world))
    return (*so, *unreset(world), *remains(world))


def only_uncommitted(world: Brokers) -> tuple[Part, ...]:
    """Return the invariant that a consumer gets no message that was committed before it asked.

    It asked for the offset at which it begins.
    """

    def begun(s: Offsets, lim: Limits) -> Bool:
        nowhere = [s.next == NOWHERE] if world.orderly else []
        return Implies(s.present, Or(s.next >= s.known, *nowhere))

    def given(s: Offsets, lim: Limits) -> Bool:
        fixed = s.fixed if world.orderly else True
        return Implies(Or(s.cached, s.runs), And(s.present, lim.message >= s.known, fixed))

    return (
        answers(world),
        offsets(world),
        Part(
            "heard",
            "The offset that a rebalance gets is at least the offset committed at its query.",
            lambda s, lim: Implies(And(s.asking, s.answer >= 0), s.answer >= s.known),
        ),
        Part("begun", "The next pull offset is at least the offset committed at the query.", begun),
        Part(
            "given",
            "A message in the process queue or its listener call is at or after the offset committed at the query.",
            given,
        ),
        *((ALONE,) if world.orderly else ()),
        *unreset(world),
    )


def back_at_most(world: Brokers) -> tuple[Part, ...]:
    """Return the invariant that a commit never goes below the start offset of its process queue."""

    def has_or_sends(s: Offsets) -> Bool:
        """Return the condition that the consumer has a process queue, or may send its last offset."""
        one_step = world.steady or world.way is Way.BY_LOOP
        return s.present if one_step else Or(s.present, s.listed)

    def remembered(s: Offsets, lim: Limits) -> Bool:
        # An ordered queue's offset may be forgotten while its process queue exists.
        forgotten = [s.memory == NO_OFFSET] if world.orderly else []
        return Implies(has_or_sends(s), Or(s.memory >= s.began, *forgotten))

    def coming(s: Offsets, lim: Limits) -> Bool:
        return And(
            Implies(And(has_or_sends(s), s.recording), s.recorded >= s.began),
            Implies(And(has_or_sends(s), s.noting), s.noted >= s.began),
        )

    def stands(s: Offsets, lim: Limits) -> Bool:
        given = Implies(Or(s.cached, s.runs), lim.message >= s.began)
        return Implies(s.present, And(s.stands >= s.began, given))

    in_order = (
        Part(
            "coming", "An offset about to be recorded in memory is not below the process queue's start offset.", coming
        ),
        Part("stands", "The next consumed offset is not below the process queue's start offset.", stands),
        *(UNFIXED, ALONE, CONCERNED),
    )
    return (
        *(() if world.way is Way.BY_LOOP else (HELD,)),
        answers(world),
        offsets(world),
        Part("remembered", "The offset in memory is not below the process queue's start offset.", remembered),
        Part(
            "sent",
            "A sent offset is not below the start offset of its sender's process queue.",
            lambda s, lim: Implies(s.sending, s.sent >= s.origin),
        ),
        *(in_order if world.orderly else ()),
        *((STEADY,) if world.steady else ()),
        *unreset(world),
    )


def from_an_offset(world: Brokers) -> tuple[Part, ...]:
    """Return the invariant that a process queue always has an offset to pull from."""
    sentence = "A process queue has an offset to pull from."
    somewhere = Part("somewhere", sentence, lambda s, lim: Implies(s.present, s.next >= 0))
    return (HELD, answers(world), offsets(world), somewhere, *unreset(world))
