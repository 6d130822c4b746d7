"""Invariants of one consumer's offsets and one message: named conjuncts, each with its sentence."""

from collections.abc import Callable

from rebalance_proofs.model.client.environment import NOT_FOUND
from rebalance_proofs.model.machine.values import And, Bool, Implies, Int, Not, Or
from rebalance_proofs.model.offsets.state import NONE, NOWHERE, UNKNOWN, Limits, Offsets, concerned, done
from rebalance_proofs.model.offsets.ways import Way
from rebalance_proofs.model.transition.numbers import BROKER_ERROR, NO_OFFSET, UNANSWERED
from rebalance_proofs.proofs.machine.induction import Conjunct
from rebalance_proofs.proofs.offsets.brokers import Brokers

__all__ = [
    "ALONE",
    "COMMITTED",
    "CONCERNED",
    "COUNTED",
    "HELD",
    "SETTLED",
    "STEADY",
    "UNFIXED",
    "Invariant",
    "Part",
    "answers",
    "back_at_most",
    "from_an_offset",
    "not_skipped",
    "offsets",
    "only_uncommitted",
    "remains",
    "unreset",
]

Part = Conjunct[Offsets, Limits]
Invariant = Callable[[Brokers], tuple[Part, ...]]
"""Function from a world to the conjuncts."""
Place = Callable[[Offsets], Int]


def _behind(
    name: str, words: str, offset: Place, where: Callable[[Offsets], Bool] = lambda s: True, *, shared: bool = False
) -> Part:
    """Conjunct: where there is such an offset, and it is behind the message, the message was consumed."""
    sentence = f"A message below {words} was consumed."
    return Part(name, sentence, lambda s, lim: Implies(And(where(s), offset(s) > lim.message), done(s)), shared=shared)


COMMITTED = _behind("committed", "the committed offset", lambda s: s.committed, shared=True)
PULLED = Part(
    "pulled",
    "A message below the next pull offset was consumed, or is in the process queue.",
    lambda s, lim: Implies(And(s.present, s.next > lim.message), Or(done(s), s.cached)),
)
MEMORY = _behind("memory", "the offset in memory", lambda s: s.memory)
NOTED = _behind("noted", "an offset that is about to be recorded", lambda s: s.recorded, lambda s: s.recording)
HEARD = _behind("heard", "an offset that a rebalance hears", lambda s: s.answer, lambda s: s.asking)
SENT = _behind("sent", "an offset that is sent", lambda s: s.sent, lambda s: s.sending)
COPIED = _behind("copied", "the committed offset of a replica", lambda s: s.copied, shared=True)
NOTING = _behind(
    "noting", "the offset behind a batch that the listener has returned from", lambda s: s.noted, lambda s: s.noting
)
HELD = Part(
    "held",
    "Messages are with an entry, and so are calls.",
    lambda s, lim: And(Implies(s.cached, s.present), Implies(s.runs, s.present)),
)
LEFT = Part(
    "left",
    "The same of an entry that has left; a batch that was not noted yet was consumed.",
    lambda s, lim: And(
        Implies(And(s.lingers, s.left_next > lim.message), Or(done(s), s.left_cached)),
        Implies(Or(s.left_owed, s.owed), done(s)),
    ),
)
CONCERNED = Part(
    "concerned",
    "A queue with which a consumer is concerned is taken.",
    lambda s, lim: Implies(concerned(s), s.taken),
)
COUNTED = Part(
    "counted",
    "No message was consumed twice for a reason that a hand-over does not give.",
    lambda s, lim: Not(s.excess),
    shared=True,
)
SETTLED = Part(
    "settled",
    "A recorded offset is committed, or a consumer is concerned with the queue.",
    lambda s, lim: Implies(And(s.kept, Not(s.taken)), s.committed > lim.message),
    shared=True,
)
STEADY = Part(
    "steady",
    "While `persistAll` runs, the table has the queues that it was given.",
    lambda s, lim: And(Implies(s.listed, s.present), Implies(s.unlisted, Not(s.present))),
)
UNRESET = Part("unreset", "No offset is being reset.", lambda s, lim: Not(s.resetting))
REMAINS = Part(
    "remains",
    "A message that an interrupted call has left is with its entry; its listener has returned, and is not called.",
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
    """For ordered listeners: nothing is reset. What a listener's return does depends on whether a reset has emptied its
    entry meanwhile."""
    return (UNRESET,) if world.orderly else ()


def remains(world: Brokers) -> tuple[Part, ...]:
    """For ordered listeners: messages left by interrupted calls, which are noted together with the next batch."""
    return (REMAINS,) if world.orderly else ()


def answers(world: Brokers) -> Part:
    """Conjunct about the answers that a rebalance can hear."""
    others = (
        *((UNANSWERED,) if world.unanswered else ()),
        *((BROKER_ERROR,) if world.errors else ()),
        *(() if world.committed else (NOT_FOUND,)),
    )
    return Part(
        "answers",
        "A rebalance gets an offset, or what the assumptions allow.",
        lambda s, lim: Implies(s.asking, Or(s.answer >= world.least, *(s.answer == other for other in others))),
    )


def offsets(world: Brokers) -> Part:
    """Conjunct about the range of all offsets."""
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
    # An offset that is not above 0 is sent as -1; where all are above 0, none is sent so.
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
    """Invariant that no message is skipped."""
    noted = {Way.CONCURRENTLY: (NOTED, HELD), Way.ORDERLY: (NOTED, NOTING, HELD), Way.BY_LOOP: (LEFT,)}[world.way]
    replicas = (COPIED,) if world.replica else ()
    # A replica without an offset may give any answer, so nothing has to be shown about answers.
    heard = () if world.replica and not world.copied else (answers(world),)
    so = (COMMITTED, PULLED, MEMORY, *noted, HEARD, SENT, *replicas, *heard, offsets(world))
    return (*so, *unreset(world), *remains(world))


def only_uncommitted(world: Brokers) -> tuple[Part, ...]:
    """Invariant that a consumer is given no message that was committed when it asked where to begin."""

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
            "The offset that a rebalance gets is not below the committed one at its query.",
            lambda s, lim: Implies(And(s.asking, s.answer >= 0), s.answer >= s.known),
        ),
        Part("begun", "The next pull offset is not below that.", begun),
        Part("given", "A message that is with the entry, or called with for it, is not below that.", given),
        *((ALONE,) if world.orderly else ()),
        *unreset(world),
    )


def back_at_most(world: Brokers) -> tuple[Part, ...]:
    """Invariant that no commit is below where the entry began for which it was sent."""

    def has_or_sends(s: Offsets) -> Bool:
        """Whether there is an entry, or one that has left may still have its offset sent."""
        one_step = world.steady or world.way is Way.BY_LOOP
        return s.present if one_step else Or(s.present, s.listed)

    def remembered(s: Offsets, lim: Limits) -> Bool:
        # An ordered queue's offset may be forgotten while its entry stays.
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
        Part("coming", "Nor is one that is about to come there.", coming),
        Part("stands", "The next consumed offset is not below it.", stands),
        *(UNFIXED, ALONE, CONCERNED),
    )
    return (
        *(() if world.way is Way.BY_LOOP else (HELD,)),
        answers(world),
        offsets(world),
        Part("remembered", "The offset in memory is not below where the entry began.", remembered),
        Part(
            "sent",
            "One that is sent is not below where its sender's entry began.",
            lambda s, lim: Implies(s.sending, s.sent >= s.origin),
        ),
        *(in_order if world.orderly else ()),
        *((STEADY,) if world.steady else ()),
        *unreset(world),
    )


def from_an_offset(world: Brokers) -> tuple[Part, ...]:
    """Invariant that an entry pulls from an offset."""
    sentence = "An entry has an offset to pull from."
    somewhere = Part("somewhere", sentence, lambda s, lim: Implies(s.present, s.next >= 0))
    return (HELD, answers(world), offsets(world), somewhere, *unreset(world))
