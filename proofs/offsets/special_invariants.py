"""Invariant about a message that arrives before the first commit: it is not skipped."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from rebalance_proofs.model.client.environment import NOT_FOUND
from rebalance_proofs.model.machine.values import And, Bool, If, Implies, Int, Not, Or
from rebalance_proofs.model.offsets.state import NONE, NOWHERE, Limits, Offsets, concerned, done, has_or_asks
from rebalance_proofs.model.transition.numbers import NO_OFFSET
from rebalance_proofs.proofs.offsets.brokers import Brokers
from rebalance_proofs.proofs.offsets.invariant import (
    ALONE,
    COMMITTED,
    CONCERNED,
    COUNTED,
    HELD,
    SETTLED,
    STEADY,
    UNFIXED,
    Invariant,
    Part,
    answers,
    not_skipped,
    offsets,
    only_uncommitted,
    remains,
    unreset,
)

PLACES: dict[str, tuple[str, Callable[[Offsets], Bool], Callable[[Offsets], Int]]] = {
    "committed": ("the committed offset", lambda s: True, lambda s: s.committed),
    "memory": ("the offset in memory", lambda s: True, lambda s: s.memory),
    "noted": ("an offset about to be recorded", lambda s: s.recording, lambda s: s.recorded),
    "heard": ("an offset that a rebalance gets", lambda s: s.asking, lambda s: s.answer),
    "sent": ("an offset that is sent", lambda s: s.sending, lambda s: s.sent),
    "noting": ("the offset after a batch", lambda s: s.noting, lambda s: s.noted),
}
"""Part of a conjunct's name -> an offset of the modelled queue.

Each offset has a description, the condition that it exists, and its value.
"""


def arrived(since: str) -> Invariant:
    """Return the invariant that no message is skipped that arrives after a given event.

    ``since`` is the ghost field of the state that records whether it arrived after the event.
    """

    def invariant(world: Brokers) -> tuple[Part, ...]:
        return (
            *_behind(since, world),
            HELD,
            answers(world),
            offsets(world),
            Part(
                "taken",
                "Before the first commit, a queue that a consumer owns counts as taken.",
                lambda s, lim: Implies(And(world.has(s), s.committed == NONE), s.taken),
            ),
            Part("below", "No offset is beyond the queue's end.", lambda s, lim: _below(s, world)),
            Part(
                "unowned", "Until a consumer has owned the queue, no process queue, offset or commit exists.", _unowned
            ),
            Part(
                "asked",
                "A consumer that asks for the offset before the first commit is the queue's first owner.",
                lambda s, lim: Implies(And(s.asking, Or(s.committed == NONE, s.answer == NOT_FOUND)), Not(s.owned)),
            ),
            UNANSWERED if world.orderly else ALONE_ARRIVED,
            *unreset(world),
            *remains(world),
        )

    return invariant


def _behind(since: str, world: Brokers) -> Iterator[Part]:
    def fine(s: Offsets) -> Bool:
        return Or(done(s), Not(getattr(s, since)))

    def behind(told: Callable[[Offsets], Bool], offset: Callable[[Offsets], Int]) -> Callable[..., Bool]:
        return lambda s, lim: Implies(And(told(s), offset(s) > lim.message), fine(s))

    for name, (words, told, offset) in PLACES.items():
        if name != "noting" or world.orderly:
            sentence = f"If a message covered by the claim is below {words}, it was consumed."
            yield Part(name, sentence, behind(told, offset), shared=name == "committed")
    yield Part(
        "pulled",
        "A message covered by the claim, below the next pull offset, was consumed or is in the process queue.",
        lambda s, lim: Implies(And(s.present, s.next > lim.message), Or(fine(s), s.cached)),
    )


def _below(s: Offsets, world: Brokers) -> Bool:
    return And(
        s.end >= 0,
        s.committed <= s.end,
        Implies(s.present, s.next <= s.end),
        Implies(s.recording, s.recorded <= s.end),
        Implies(s.asking, s.answer <= s.end),
        Implies(s.sending, s.sent <= s.end),
        s.memory <= s.end,
        *((Implies(s.noting, s.noted <= s.end),) if world.orderly else ()),
    )


def _idle(s: Offsets) -> Bool:
    return And(Not(Or(s.present, s.recording, s.noting, s.sending)), s.memory == NO_OFFSET)


def _unowned(s: Offsets, lim: Limits) -> Bool:
    nothing = And(_idle(s), s.committed == NONE, Not(Or(s.had, s.begun)))
    return Implies(Not(s.owned), nothing)


UNANSWERED = Part(
    "unanswered",
    "Before the first commit and the first pull's answer, no message covered by the claim has arrived.",
    lambda s, lim: Implies(And(s.present, Not(s.fixed), s.committed == NONE), Not(s.begun)),
)
ALONE_ARRIVED = Part(
    "alone",
    "Before the first commit, a consumer has no offset in use while another consumer owns the queue.",
    lambda s, lim: Implies(And(s.committed == NONE, s.taken, Not(has_or_asks(s))), _idle(s)),
)


# Invariant that committed messages are completely processed, despite interrupted listeners.


def _of_finished(conjunct: Part) -> Part:
    """Return the conjunct, stated for completely processed messages.

    The original is about messages whose listener has returned.
    """

    def holds(s: Offsets, lim: Limits) -> Bool:
        return conjunct.holds(s.but(consumed=s.finished), lim)

    name = "finished" if conjunct is COMMITTED else conjunct.name
    return replace(conjunct, name=name, sentence=conjunct.sentence.replace("consumed", "finished"), holds=holds)


def finished(world: Brokers) -> tuple[Part, ...]:
    """Return the invariant that only processed or given back messages are committed."""
    return tuple(map(_of_finished, not_skipped(world)))


# Invariant for hand-overs between concurrent consumers: when messages may be redelivered.


def _reason(s: Offsets, lim: Limits) -> Bool:
    waiting = And(Not(s.dropped), Or(s.next <= lim.message, s.cached))
    to_come = Or(s.asking, And(s.present, Or(s.runs, waiting)))
    again = And(to_come, s.consumed, lim.message >= s.known)
    return Implies(again, Or(s.uncommitted, s.overtime))


TAKEN = Part(
    "taken",
    "A queue is taken if a consumer has a process queue of it or asks for it.",
    lambda s, lim: Implies(has_or_asks(s), s.taken),
)
STOPPED = Part(
    "stopped", "No listener call has started after the removal of its process queue.", lambda s, lim: Not(s.begun_late)
)
REASON = Part(
    "reason",
    "A message that can be consumed again was uncommitted, or consumed by a call that outlived its process queue.",
    _reason,
)
BEHIND = Part(
    "behind",
    "A message in a process queue is below the next pull offset.",
    lambda s, lim: Implies(Or(s.cached, s.runs), And(s.present, s.next > lim.message)),
)


def handed_over(world: Brokers) -> tuple[Part, ...]:
    """Return the invariant that a message is consumed twice only for an allowed reason.

    The reasons: it was consumed but not committed when the new owner asked for the offset; or a listener call
    outlives its process queue.
    """
    return (*only_uncommitted(world), COUNTED, TAKEN, ALONE, STOPPED, REASON, BEHIND)


# Invariant about ordered consumers: a recorded message is not consumed again.
# The consumers own the queue one after another, without overlap.


def _asked(s: Offsets, lim: Limits) -> Bool:
    message = lim.message
    before = Or(s.asking, And(s.present, Not(s.fixed)))
    behind = And(
        s.committed > message,
        Implies(s.sending, s.sent > message),
        Implies(And(s.asking, s.answer >= 0), s.answer > message),
        Implies(s.present, s.stands > message),
    )
    return Implies(And(before, s.kept), behind)


def _consumed(s: Offsets, lim: Limits) -> Bool:
    further = Or(s.next > lim.message, s.next == NOWHERE)
    behind = And(further, s.stands > lim.message, Not(s.cached), Not(s.runs))
    return Implies(And(s.present, s.fixed, s.kept), behind)


def _remembered(s: Offsets, lim: Limits) -> Bool:
    message = lim.message
    on_its_way = Or(s.committed > message, And(s.sending, s.sent > message))
    forgotten = And(s.memory == NO_OFFSET, on_its_way)
    return Implies(And(s.present, s.kept), Or(s.memory > message, forgotten))


def _sent(s: Offsets, lim: Limits) -> Bool:
    message = lim.message
    behind = And(Implies(s.sending, s.sent > message), Or(s.sending, s.committed > message))
    gone = And(concerned(s), Not(s.present))
    lost = And(s.present, s.memory == NO_OFFSET)
    return Implies(And(s.kept, Or(gone, lost)), behind)


def _coming(s: Offsets, lim: Limits) -> Bool:
    message = lim.message
    return And(
        Implies(And(s.present, s.noting), s.noted == s.stands),
        Implies(And(s.present, s.recording), s.recorded <= s.next),
        Implies(And(s.present, s.recording, s.next > message), s.recorded > message),
        Implies(And(s.present, s.recording, s.recorded > message), Not(s.cached)),
    )


def _stands(s: Offsets, lim: Limits) -> Bool:
    message = lim.message
    done = And(s.next > message, Not(s.cached))
    return And(
        Implies(And(s.present, done), s.stands > message),
        Implies(And(s.present, s.cached), And(s.next > message, s.stands <= message)),
        Implies(s.present, s.stands <= If(s.next < 0, s.stands, s.next)),
        Implies(s.runs, And(s.cached, Not(s.noting))),
    )


def _owed(s: Offsets, lim: Limits) -> Bool:
    noting = And(s.noting, s.noted > lim.message)
    return Implies(s.owed, And(s.present, Not(s.runs), Or(noting, s.dropped)))


OF_A_BATCH = (
    Part("asked", "A consumer that asks gets an offset after the recorded message.", _asked),
    Part("consumed", "A recorded message is in no process queue.", _consumed),
    Part("remembered", "A recorded message is below the offset in memory, or below the sent offset.", _remembered),
    Part("sent", "A recorded message is below the sent or committed offset if memory has forgotten it.", _sent),
    Part("coming", "The offset about to be recorded equals the process queue's offset.", _coming),
    Part("stands", "The process queue's offset is after its consumed messages.", _stands),
    Part("owed", "Until a consumed message is recorded, no other message is consumed.", _owed),
)


def one_batch(world: Brokers) -> tuple[Part, ...]:
    """Return the invariant that a message is consumed again only if it was not recorded.

    Recorded means: the offset in memory is after the message. Until then, no other message is consumed.
    """
    so = (HELD, answers(world), offsets(world), CONCERNED, SETTLED, UNFIXED, ALONE)
    return (*so, *OF_A_BATCH, STEADY, *unreset(world))


# Invariant for offset resets in a consumer: the consumer then sends the reset offset.


def _marked(s: Offsets, lim: Limits) -> Bool:
    quiet = Not(Or(s.recording, s.noting))
    return Implies(s.resetting, And(s.present, s.dropped, quiet, s.aim >= 0))


OF_A_RESET = (
    Part(
        "marked",
        "A process queue whose offset is being reset is dropped, and no offset of it is about to be recorded.",
        _marked,
    ),
    Part(
        "rewound",
        "After the reset has set the offset in memory, that offset is the reset's.",
        lambda s, lim: Implies(s.rewound, And(s.resetting, s.memory == s.aim)),
    ),
    Part("unmissed", "No reset has sent an offset other than the requested one.", lambda s, lim: Not(s.missed)),
)


def reset_sent(world: Brokers) -> tuple[Part, ...]:
    """Return the invariant that the offset in memory stays the reset one until it is sent."""
    return (HELD, ALONE, offsets(world), STEADY, *OF_A_RESET)
