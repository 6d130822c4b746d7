"""Guarantees about offsets."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from rebalance_proofs.model.machine.run import Run
from rebalance_proofs.model.machine.values import truth
from rebalance_proofs.model.offsets.clients import BY_LOOP, CONCURRENT, ORDERLY, OffsetsClient
from rebalance_proofs.model.offsets.state import Choices, Limits, Offsets, Variant
from rebalance_proofs.model.offsets.ways import Way
from rebalance_proofs.proofs.guarantee import Guarantee, always
from rebalance_proofs.proofs.machine.induction import Induction
from rebalance_proofs.proofs.machine.kind import ProvedByInduction, violated
from rebalance_proofs.proofs.machine.rely import rely
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.offsets.arrived import arrived
from rebalance_proofs.proofs.offsets.brokers import Brokers
from rebalance_proofs.proofs.offsets.configuration import BAD, configuration
from rebalance_proofs.proofs.offsets.finished import finished
from rebalance_proofs.proofs.offsets.handed_over import handed_over
from rebalance_proofs.proofs.offsets.invariant import (
    Invariant,
    Part,
    back_at_most,
    from_an_offset,
    not_skipped,
    only_uncommitted,
)
from rebalance_proofs.proofs.offsets.one_batch import one_batch
from rebalance_proofs.proofs.offsets.others import begins, others
from rebalance_proofs.proofs.offsets.reset import reset_sent
from rebalance_proofs.proofs.offsets.sources import (
    COMMIT,
    CONCURRENTLY,
    FIRST_PULL,
    ORDERLY_SERVICE,
    RESET,
    SHUTDOWN,
    STORE,
)

RELY = "Another consumer changes the shared state only as the action `others-act` allows."
Ran = Run[Offsets, Limits]
Proof = Induction[Offsets, Choices, Limits, Variant]
ANY: dict[Way, OffsetsClient] = {Way.CONCURRENTLY: CONCURRENT[-1], Way.ORDERLY: ORDERLY[-1], Way.BY_LOOP: BY_LOOP[-1]}
"""For each way of processing messages, one client that uses it.

Assumptions and invariants are the same for all clients with that way.
"""


def induction(world: Brokers, invariant: Sequence[Part], name: str = "", sentence: str = "") -> Proof:
    """Return the proof that every action preserves the invariant, under the assumptions.

    With the name of a guarantee, the proof also shows that the invariant excludes bad states.
    """
    return Induction(
        configuration(world),
        ANY[world.way],
        world,
        invariant,
        BAD.get(name),
        (name, sentence) if name else None,
        begins=begins(world, invariant),
        others=others(world, invariant),
    )


def _of(
    name: str, sentence: str, source: str, broken: str | Callable[[Ran], str], proof: Invariant | None, **words: Any
) -> Guarantee:
    """Return the guarantee with this name and sentence.

    ``broken`` is the sentence about a run that violates it. ``proof`` is the invariant that implies it, or None if it
    is never proved. ``words`` are ``brief``, ``where`` and ``covers`` of the guarantee.
    """
    bad = BAD[name]

    def seen(run: Ran) -> str | None:
        if not any(truth(bad(end, run.limits)) for end in run.ends):
            return None
        return broken if isinstance(broken, str) else broken(run)

    if proof is None:
        return Guarantee(name, sentence, source, always(), violated(bad), seen, **words)
    invariant = proof

    @cache
    def proved(world: Brokers) -> Proof:
        return induction(world, invariant(world), name, sentence)

    def made(of: Proof) -> tuple[Obligation, ...]:
        return (*of.obligations(), rely(of, of.others, sentence=RELY))

    @cache
    def obligations(world: Brokers) -> tuple[Obligation, ...]:
        return made(proved(world))

    return ProvedByInduction(name, sentence, source, obligations, violated(bad), seen, proved, made, **words)


def _noted_again(run: Ran) -> str:
    if any(end.runs and end.kept for end in run.ends):
        return "the listener gets a message that was already recorded as consumed."
    return "the message was consumed but not recorded, and another batch can start."


SKIPPED = "a skipped message: below the committed offset, but neither consumed nor sent back for a retry"
UNCOMMITTED = "an uncommitted message: consumed, but not committed when the new owner queries the offset"
NOT_SKIPPED = _of(
    "not-skipped",
    "no message is skipped: every message below the committed offset was consumed or sent back for a retry",
    STORE,
    "the message is below the committed offset, but no consumer has consumed it.",
    not_skipped,
    brief="no message is skipped",
    where=(SKIPPED,),
)
ONLY_UNCOMMITTED = _of(
    "only-uncommitted",
    "a new owner of a queue gets no message that was committed when it queried the offset",
    CONCURRENTLY,
    "the message was already committed when its new consumer queried the offset.",
    only_uncommitted,
    brief="a new owner gets no message committed before it queried the offset",
)
BACK_AT_MOST = _of(
    "back-at-most",
    "no commit rolls the offset back below its process queue's start offset",
    COMMIT,
    "an offset is sent that is below its sender's start offset.",
    back_at_most,
    where=("the start offset: where the sender's process queue began",),
)
ONCE = _of("once", "no message is consumed twice", CONCURRENTLY, "the message was consumed twice.", None)
NEVER_BACK = _of(
    "never-back", "the committed offset never goes back", COMMIT, "the commit has rolled the offset back.", None
)
STOPS = _of(
    "stops",
    "after the removal of a process queue, no listener call with its messages starts",
    CONCURRENTLY,
    "the listener is called with a message of a removed process queue.",
    None,
)
HAND_OVER = _of(
    "hand-over",
    "a hand-over redelivers only uncommitted messages and messages in a listener call at removal",
    CONCURRENTLY,
    "the message was consumed twice for another reason.",
    handed_over,
    brief="a hand-over redelivers only uncommitted messages and running listener calls",
    where=(
        UNCOMMITTED,
        "a listener call at removal: running, or about to start after its last check, when the old owner's process "
        "queue is removed",
    ),
)
BUT_OVERTIME = _of(
    "but-overtime",
    "a hand-over redelivers only messages consumed but not committed when the new owner queries the offset",
    CONCURRENTLY,
    "the message was consumed twice, although it was not yet consumed when the new owner queried the offset.",
    None,
)
ONE_BATCH = _of(
    "one-batch",
    "a hand-over redelivers at most the batch whose offset the old owner had not yet recorded in memory",
    ORDERLY_SERVICE,
    _noted_again,
    one_batch,
    brief="a hand-over redelivers no message recorded in memory",
    where=("the batch: no other one starts before its offset is recorded in memory",),
)
FROM_AN_OFFSET = _of(
    "from-an-offset",
    "the first pull of a queue starts at an offset that the broker gave",
    FIRST_PULL,
    "the first pull of the process queue starts at offset -1.",
    from_an_offset,
)
FINISHED = _of(
    "finished",
    "no message is committed before its work is done",
    SHUTDOWN,
    "the message is committed, but its interrupted listener did not finish its work.",
    finished,
    where=("done: its listener has returned with its work done, or it was sent back for a retry",),
)
SKIPPED_SO = "the message is below the committed offset, but no consumer has consumed it."
OWNED = "an owned queue: one with a live process queue"
SINCE_ASKED = _of(
    "since-asked",
    "no message is skipped that arrives while a consumer queries the queue's offset or has its process queue",
    STORE,
    SKIPPED_SO,
    None,
    where=(SKIPPED,),
)
SINCE_ADDED = _of(
    "since-added",
    "no message that arrives at an owned queue is skipped",
    FIRST_PULL,
    SKIPPED_SO,
    arrived("had"),
    where=(OWNED, SKIPPED),
)
SINCE_PULLED = _of(
    "since-pulled",
    "no message that arrives at an owned queue after its first pull was answered is skipped",
    FIRST_PULL,
    SKIPPED_SO,
    arrived("begun"),
    brief="no message that arrives after the first pull is skipped",
    where=(OWNED, SKIPPED),
)
RESET_SENT = _of(
    "reset-sent",
    "an offset reset in the consumer sends the given offset, whatever the listener returns meanwhile",
    RESET,
    "the reset has sent another offset than requested.",
    reset_sent,
    brief="an offset reset in the consumer sends the given offset",
    covers=("whatever the listener returns meanwhile",),
)
RESET_HEARD = _of(
    "reset-heard",
    "after an offset reset in the consumer, the next rebalance reads the reset offset",
    RESET,
    "the rebalance received another offset than the one that was reset.",
    None,
)
