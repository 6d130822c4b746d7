"""Mutants of the offset machines, each with one error.

The named claims must reject the mutants in ``WRONG``. For those in ``SLIPS``, it is enough that an inductive proof
fails.
"""

from collections.abc import Callable
from dataclasses import replace

from rebalance_proofs.model.machine.machine import Turn
from rebalance_proofs.model.machine.mutants import Wrong
from rebalance_proofs.model.machine.values import And, If
from rebalance_proofs.model.offsets.state import Choices, Limits, Offsets, Variant
from rebalance_proofs.model.offsets.ways import Way
from rebalance_proofs.model.transition.numbers import NO_OFFSET

Mistake = Wrong[Offsets, Choices, Limits, Variant]


def _of(*ways: Way) -> Callable[[Variant], bool]:
    return lambda client: client.way in ways


def _fixes_before(s: Offsets, c: Choices, lim: Limits, turn: Turn[Offsets]) -> Turn[Offsets]:
    after = turn.after
    less = {name: getattr(after, name) - 1 for name in ("began", "stands", "next")}
    return replace(turn, after=after.where(And(after.fixed, after.next > 0), **less))


WRONG = (
    Mistake(
        "records-the-pull",
        "When a pull finds no message, its offset is recorded although the process queue has messages.",
        lambda s, c, lim, turn: replace(turn, guard=s.present),
        "empty",
        "not-skipped",
    ),
    Mistake(
        "drops-failures",
        "A message is removed although it was not consumed.",
        lambda s, c, lim, turn: turn.but(cached=False),
        "fails",
        "not-skipped",
    ),
    Mistake(
        "commits-more",
        "The broker stores an offset that is one too large.",
        lambda s, c, lim, turn: turn.but(committed=turn.after.committed + 1),
        "commits",
        "not-skipped",
    ),
    Mistake(
        "remembers-less",
        "A consumer stores the queue's first offset in memory, whatever its start offset is.",
        lambda s, c, lim, turn: turn.but(memory=If(turn.after.memory > 0, 0, turn.after.memory)),
        "adds",
        "back-at-most",
    ),
    Mistake(
        "takes-the-next",
        "A consumer starts one message too late.",
        lambda s, c, lim, turn: turn.but(next=If(turn.after.present, turn.after.next + 1, turn.after.next)),
        "adds",
        "not-skipped",
        of=_of(Way.CONCURRENTLY, Way.BY_LOOP),
    ),
    Mistake(
        "begins-before",
        "The broker answers an offset that is one too small.",
        lambda s, c, lim, turn: turn.but(answer=If(turn.after.answer > 0, turn.after.answer - 1, turn.after.answer)),
        "asks",
        "only-uncommitted",
        of=_of(Way.CONCURRENTLY, Way.BY_LOOP),
    ),
    Mistake(
        "consumes-again",
        "A consumed message stays in its process queue and is consumed again.",
        lambda s, c, lim, turn: turn.but(cached=s.cached),
        "ends",
        "hand-over",
        of=_of(Way.CONCURRENTLY),
    ),
    Mistake(
        "taken-out",
        "A message is removed although its listener's thread was interrupted.",
        lambda s, c, lim, turn: turn.but(cached=False),
        "returns_interrupted",
        "finished.heeded",
        of=_of(Way.CONCURRENTLY),
    ),
    Mistake(
        "fixes-the-next",
        "The first pull starts one message too late.",
        lambda s, c, lim, turn: turn.but(next=If(turn.after.fixed, turn.after.next + 1, turn.after.next)),
        "fixes",
        "not-skipped",
        of=_of(Way.ORDERLY),
    ),
    Mistake(
        "fixes-before",
        "The first pull starts one message before the committed offset.",
        _fixes_before,
        "fixes",
        "only-uncommitted",
        of=_of(Way.ORDERLY),
    ),
    Mistake(
        "forgets-first",
        "The offset of a removed queue is forgotten before it is sent.",
        lambda s, c, lim, turn: turn,
        "revokes",
        "one-batch",
        of=_of(Way.ORDERLY),
        takes_for=lambda s: s.but(memory=NO_OFFSET),
    ),
    Mistake(
        "lets-go",
        "After the listener has returned, no offset is recorded, and the next batch begins.",
        lambda s, c, lim, turn: turn.but(noting=False),
        "ends",
        "one-batch",
        of=_of(Way.ORDERLY),
    ),
)


def careless(fixes: Callable[[Offsets, Choices, Limits], Turn[Offsets]]) -> Mistake:
    """Return a mutant that does not check its first pull's answer.

    ``fixes``: the action of a client without that check.
    """
    return Mistake(
        "careless",
        "If the first pull gets no answer, it pulls from offset -1.",
        lambda s, c, lim, turn: fixes(s, c, lim),
        "fixes",
        "from-an-offset",
    )


SLIPS = (
    Mistake(
        "remembers-more",
        "After any action, the offset in memory is larger.",
        lambda s, c, lim, turn: turn.but(memory=turn.after.memory + 99),
    ),
    Mistake(
        "sends-less",
        "After any action, an offset below the start offset is sent.",
        lambda s, c, lim, turn: turn.but(sending=True, sent=turn.after.origin - 1),
    ),
    Mistake(
        "is-given",
        "After any action, an absent process queue has messages.",
        lambda s, c, lim, turn: turn.but(present=False, cached=True),
    ),
    Mistake(
        "undoes",
        "After any action, no message is consumed.",
        lambda s, c, lim, turn: turn.but(consumed=False, given=False),
    ),
)
"""Mutants where every action also makes one wrong change (see ``proofs.mutation.slips``)."""
