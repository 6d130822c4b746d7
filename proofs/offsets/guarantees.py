"""Guarantees about offsets."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from rebalance_proofs.model.machine.copies import Others
from rebalance_proofs.model.machine.machine import Step
from rebalance_proofs.model.machine.record import shared
from rebalance_proofs.model.machine.run import Run
from rebalance_proofs.model.machine.values import And, Bool, Implies, Not, Or, truth
from rebalance_proofs.model.offsets.clients import BY_LOOP, CONCURRENT, ORDERLY, OffsetsClient
from rebalance_proofs.model.offsets.state import NONE, Choices, Limits, Offsets, Variant, Way
from rebalance_proofs.model.releases import SOURCES
from rebalance_proofs.proofs.guarantee import Guarantee, always
from rebalance_proofs.proofs.machine.induction import Induction
from rebalance_proofs.proofs.machine.kind import ProvedByInduction, violated
from rebalance_proofs.proofs.machine.rely import rely
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.offsets.brokers import Brokers
from rebalance_proofs.proofs.offsets.configuration import BAD, configuration
from rebalance_proofs.proofs.offsets.invariant import (
    Invariant,
    Part,
    back_at_most,
    from_an_offset,
    not_skipped,
    only_uncommitted,
)
from rebalance_proofs.proofs.offsets.special_invariants import arrived, finished, handed_over, one_batch, reset_sent

# What other consumers can do: each consumer relies on it, and is proved to do nothing else.

SHARED = shared(Offsets)


def others(world: Brokers, invariant: Sequence[Part]) -> tuple[Others[Offsets, Limits], ...]:
    """Return everything that other consumers can do, as one change of the shared fields."""

    def effect(before: Offsets, then: Offsets, lim: Limits, mine: Bool) -> Step:
        so = [*_harmless(world, before, then), *(one.holds(then, lim) for one in invariant if one.shared)]
        if world.later:
            so += _arrives(before, then, lim)
        if world.in_turn:
            so += _while(mine, before, then, world)
        if world.keeps:
            so += _alone_until_then(mine, before, then)
        return And(*so), {name: getattr(then, name) for name in SHARED}

    def taken(s: Offsets, lim: Limits) -> Bool:
        return And(s.taken, s.committed == NONE) if world.keeps else s.taken

    return (
        Others(
            "others-act",
            "Another consumer acts, or messages arrive.",
            "the change is one that other consumers make",
            effect,
            SHARED,
            (taken, lambda s, lim: world.has(s)) if world.in_turn or world.keeps else None,
        ),
    )


def begins(world: Brokers, invariant: Sequence[Part]) -> Callable[[Offsets, Limits], Mapping[str, Bool]]:
    """Return conditions on the shared fields when a consumer begins.

    They are what the other consumers preserve.
    """

    def so(s: Offsets, lim: Limits) -> dict[str, Bool]:
        found = {one.sentence: one.holds(s, lim) for one in invariant if one.shared}
        found["the committed offset is an offset, or none if the world allows that"] = And(*_offsets(world, s))
        if world.later:
            found["the message has not arrived"] = And(s.end >= 0, s.end <= lim.message)
            new = Not(Or(s.owned, s.awaited, s.had, s.begun))
            found["no consumer has had the queue, and nothing is committed"] = And(new, s.committed == NONE)
        return found

    return so


def _offsets(world: Brokers, s: Offsets) -> Iterator[Bool]:
    yield s.committed >= (world.least if world.committed else NONE)
    if world.replica:
        yield s.copied >= world.least_copied


def _harmless(world: Brokers, before: Offsets, then: Offsets) -> Iterator[Bool]:
    """Yield conditions on every change by others.

    Consumed messages stay consumed, no message disappears, and committed values are offsets.
    """
    for name in ("consumed", "given", "overtime", "finished"):
        yield Implies(getattr(before, name), getattr(then, name))
    yield then.end >= before.end
    yield from _offsets(world, then)


def _arrives(before: Offsets, then: Offsets, lim: Limits) -> Iterator[Bool]:
    """Yield conditions on changes by others after the message has arrived, and before commits.

    Ghost fields of a message that has arrived do not change. Before a consumer has owned the queue, no offset is
    committed, and no ghost field is set.
    """
    here = before.end > lim.message
    nothing = Not(Or(then.had, then.begun, then.committed != NONE))
    yield And(then.committed <= then.end, Or(then.owned, nothing))
    yield from _same(here, before, then, "awaited", "had", "begun")


def _while(mine: Bool, before: Offsets, then: Offsets, world: Brokers) -> Iterator[Bool]:
    """Yield conditions on changes by others while this consumer owns the queue (``mine``).

    Others change no shared field except for arriving messages. Without ordered listeners, others may also change the
    committed offset, messages given back, and messages consumed by a call that outlives its process queue.
    """
    if world.orderly:
        yield from _same(mine, before, then, "committed", "consumed", "given", "kept", "taken")
    else:
        yield from _same(mine, before, then, "taken")
        yield Implies(And(mine, then.consumed), Or(before.consumed, then.overtime))


def _alone_until_then(mine: Bool, before: Offsets, then: Offsets) -> Iterator[Bool]:
    """Yield conditions on changes by others before the first commit.

    Others do not take an owned queue, and no consumer asks for it later.
    """
    yield from _same(mine, before, then, "committed", "owned", "taken", "had", "begun")
    yield Implies(And(before.owned, before.committed == NONE, Not(before.taken)), Not(then.taken))
    yield Implies(before.committed >= 0, then.committed >= 0)
    yield Implies(before.owned, then.owned)


def _same(so: Bool, before: Offsets, then: Offsets, *names: str) -> Iterator[Bool]:
    yield from (Implies(so, getattr(before, name) == getattr(then, name)) for name in names)


# Addresses of the RocketMQ sources that determine the behaviour of offsets.

_CLIENT = f"{SOURCES}/client/src/main/java/org/apache/rocketmq/client"

STORE = f"{_CLIENT}/consumer/store/RemoteBrokerOffsetStore.java"
CONCURRENTLY = f"{_CLIENT}/impl/consumer/ConsumeMessageConcurrentlyService.java"
ORDERLY_SERVICE = f"{_CLIENT}/impl/consumer/ConsumeMessageOrderlyService.java"
FIRST_PULL = f"{_CLIENT}/impl/consumer/DefaultMQPushConsumerImpl.java"
SHUTDOWN = f"{SOURCES}/common/src/main/java/org/apache/rocketmq/common/utils/ThreadUtils.java"
RESET = f"{_CLIENT}/impl/factory/MQClientInstance.java"
COMMIT = f"{SOURCES}/broker/src/main/java/org/apache/rocketmq/broker/offset/ConsumerOffsetManager.java"


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
