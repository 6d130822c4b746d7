"""Invariant about a message that arrives before the first commit: it is not skipped."""

from collections.abc import Callable, Iterator

from rebalance_proofs.model.client.environment import NOT_FOUND
from rebalance_proofs.model.machine.values import And, Bool, Implies, Int, Not, Or
from rebalance_proofs.model.offsets.state import NONE, Limits, Offsets, done, has_or_asks
from rebalance_proofs.model.transition.numbers import NO_OFFSET
from rebalance_proofs.proofs.offsets.brokers import Brokers
from rebalance_proofs.proofs.offsets.invariant import HELD, Invariant, Part, answers, offsets, remains, unreset

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
            UNANSWERED if world.orderly else ALONE,
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
ALONE = Part(
    "alone",
    "Before the first commit, a consumer has no offset in use while another consumer owns the queue.",
    lambda s, lim: Implies(And(s.committed == NONE, s.taken, Not(has_or_asks(s))), _idle(s)),
)
