"""Claims about offsets: guarantees, groups of two clients, and the page.

Each guarantee is one function of the client. It returns its words, its bad states, its invariant, and the claims.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from rebalance_proofs.model.client.environment import NOT_FOUND
from rebalance_proofs.model.machine.conjunct import Conjunct
from rebalance_proofs.model.machine.page import (
    Guarantees,
    Holds,
    Invariant,
    Joint,
    Mixed,
    Page,
    Property,
    Words,
    holds,
    refuted,
)
from rebalance_proofs.model.machine.run import Run
from rebalance_proofs.model.machine.values import And, Bool, If, Implies, Not, Or
from rebalance_proofs.model.machines.offsets.actions import BY_LOOP as LOOPING
from rebalance_proofs.model.machines.offsets.actions import CLIENTS, CONCURRENT, ORDERLY
from rebalance_proofs.model.machines.offsets.assumptions import (
    ABOVE,
    AFTER_THE_ENTRY,
    ALONE,
    ANSWERED,
    ARRIVING,
    AT_ZERO,
    AWAITED,
    BY_LOOP,
    COMMITTED,
    COMMITTED_STEADY,
    CONCERNED,
    FIRST,
    FIRST_BY_LOOP,
    HANDED_OVER,
    HANDED_OVER_BY_LOOP,
    HEEDED,
    HEEDED_IN_ORDER,
    HEEDS,
    HEEDS_IN_ORDER,
    HELD,
    IN_TURN,
    IN_TURN_STEADY,
    KEEPS,
    LISTED,
    NOTHING_COMMITTED,
    NOTHING_COMMITTED_BY_LOOP,
    OPEN,
    OUT_OF_TURN,
    QUERIED,
    QUIET,
    RELY,
    REPLACED,
    REPLACED_BY_NONE,
    REPLACED_FIRST,
    RESET,
    SOMETHING,
    STAYS,
    STEADY,
    UNFIXED,
    Brokers,
    Parts,
    Place,
    When,
    answers,
    behind,
    group,
    offsets,
    part,
    remains,
    unreset,
)
from rebalance_proofs.model.machines.offsets.recorded import TABLE
from rebalance_proofs.model.machines.offsets.state import (
    NOWHERE,
    SLIPS,
    WRONG,
    JavaClient,
    Limits,
    Offsets,
    OffsetsClient,
    Way,
    concerned,
    done,
    has_or_asks,
)
from rebalance_proofs.model.offsets.broker import NONE
from rebalance_proofs.model.offsets.space import (
    LIMIT,
    LIMIT_IN_ORDER,
    LIMIT_IN_TURN,
    SPACES,
    search,
    told_about,
    told_change,
    told_given,
    told_limits,
)
from rebalance_proofs.model.releases import SOURCES
from rebalance_proofs.model.transition.numbers import NO_OFFSET

# ---- Guarantees, each with its bad states, its invariant and its claims

_CLIENT = f"{SOURCES}/client/src/main/java/org/apache/rocketmq/client"
STORE = f"{_CLIENT}/consumer/store/RemoteBrokerOffsetStore.java"
CONCURRENTLY = f"{_CLIENT}/impl/consumer/ConsumeMessageConcurrentlyService.java"
ORDERLY_SERVICE = f"{_CLIENT}/impl/consumer/ConsumeMessageOrderlyService.java"
FIRST_PULL = f"{_CLIENT}/impl/consumer/DefaultMQPushConsumerImpl.java"
SHUTDOWN = f"{SOURCES}/common/src/main/java/org/apache/rocketmq/common/utils/ThreadUtils.java"
RESETS = f"{_CLIENT}/impl/factory/MQClientInstance.java"
COMMIT = f"{SOURCES}/broker/src/main/java/org/apache/rocketmq/broker/offset/ConsumerOffsetManager.java"
MQ_PUSH_CONSUMER = "https://github.com/ali-sdk/ali-ons/blob/v3.12.2/lib/consumer/mq_push_consumer.js"

FOR_ALL = "for all numbers of consumers, queues and messages"
_SHOWN = "one queue and one message suffice; the shortest run with one commit per consumer in flight is shown"
EXISTS = f"two consumers, {_SHOWN}"
"""The machine follows one commit of a consumer. One that overtakes it can lower an offset after fewer actions."""
ONE_EXISTS = f"one consumer, {_SHOWN}"
SKIPPED = "a skipped message: below the committed offset, but neither consumed nor sent back for a retry"
SKIPPED_SO = "the message is below the committed offset, but no consumer has consumed it."
UNCOMMITTED = "an uncommitted message: consumed, but not committed when the new owner queries the offset"
OWNED = "an owned queue: one with a live process queue"

Ran = Run[Offsets, Limits]
Promise = Property[Offsets, Limits]
guarantee: Guarantees[OffsetsClient, Offsets, Limits] = Guarantees()


def promise(
    sentence: str,
    source: str,
    client: OffsetsClient,
    bad: Callable[[Offsets, Limits], Bool],
    broken: str | Callable[[Ran], str],
    invariant: Invariant[Offsets, Limits] = (),
    concurrent: Sequence[Holds] = (),
    ordered: Sequence[Holds] = (),
    loop: Sequence[Holds] = (),
    **words: Any,
) -> Promise:
    """Return the guarantee with the claims about clients that process messages in the client's way."""
    read = [replace(one, source=MQ_PUSH_CONSUMER) for one in loop]
    claims = {Way.CONCURRENTLY: concurrent, Way.ORDERLY: ordered, Way.BY_LOOP: read}[client.way]
    words |= {"invariant": invariant, "concluded": "" if invariant else None}
    return Property(sentence, source, claims, bad=bad, broken=broken, **words)


def skipped(s: Offsets, lim: Limits) -> Bool:
    """Check whether the message was skipped: committed, but not done."""
    return And(s.committed > lim.message, Not(done(s)))


def unskipped(world: Brokers) -> Parts:
    """Return the invariant that the message is not skipped."""
    noted = behind("noted", "an offset about to be recorded", lambda s: s.recorded, lambda s: s.recording)
    noting = behind(
        "noting",
        "the offset after a batch from which the listener has returned",
        lambda s: s.noted,
        lambda s: s.noting,
    )
    left = part(
        "left",
        "In a removed process queue, each message below the next pull offset was consumed or is cached. An unrecorded "
        "batch was consumed.",
        lambda s, lim: And(
            Implies(And(s.lingers, s.left_next > lim.message), Or(done(s), s.left_cached)),
            Implies(Or(s.left_owed, s.owed), done(s)),
        ),
    )
    by_way = {Way.CONCURRENTLY: (noted, HELD), Way.ORDERLY: (noted, noting, HELD), Way.BY_LOOP: (left,)}
    copied = behind("copied", "the committed offset of a replica", lambda s: s.copied, shared=True)
    return (
        behind("committed", "the committed offset", lambda s: s.committed, shared=True),
        part(
            "pulled",
            "A message below the next pull offset was consumed, or is in the process queue.",
            lambda s, lim: Implies(And(s.present, s.next > lim.message), Or(done(s), s.cached)),
        ),
        behind("memory", "the offset in memory", lambda s: s.memory),
        *by_way[world.way],
        behind("heard", "an offset that a rebalance gets", lambda s: s.answer, lambda s: s.asking),
        behind("sent", "a sent offset", lambda s: s.sent, lambda s: s.sending),
        *((copied,) if world.replica else ()),
        # A replica without an offset may give any answer, so no conjunct about answers is needed.
        *(() if world.replica and not world.copied else (answers(world),)),
        offsets(world),
        *unreset(world),
        *remains(world),
    )


@guarantee
def not_skipped(client: OffsetsClient) -> Promise:
    """Every message below the committed offset was consumed or sent back for a retry."""
    heard = isinstance(client, JavaClient) and not client.rebalance.broker_error_is_none
    worlds = COMMITTED, COMMITTED.dropping(ANSWERED), NOTHING_COMMITTED, FIRST
    expected = True, heard, False, True
    concurrent = [Holds(world, so) for world, so in zip(worlds, expected, strict=True)]
    return promise(
        "no message is skipped: every message below the committed offset was consumed or sent back for a retry",
        STORE,
        client,
        skipped,
        SKIPPED_SO,
        unskipped,
        concurrent=(*concurrent, holds(REPLACED), refuted(REPLACED_BY_NONE), holds(REPLACED_FIRST)),
        ordered=[Holds(world.ordered, so) for world, so in zip(worlds, expected, strict=True)],
        loop=(
            holds(BY_LOOP),
            *map(refuted, (BY_LOOP.dropping(QUERIED), NOTHING_COMMITTED_BY_LOOP, AT_ZERO, BY_LOOP.dropping(OPEN))),
            holds(FIRST_BY_LOOP),
        ),
        brief="no message is skipped",
        where=(SKIPPED,),
    )


def uncommitted_only(world: Brokers) -> Parts:
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
        part(
            "heard",
            "The offset that a rebalance gets is at least the offset committed at its query.",
            lambda s, lim: Implies(And(s.asking, s.answer >= 0), s.answer >= s.known),
        ),
        part("begun", "The next pull offset is at least the offset committed at the query.", begun),
        part(
            "given",
            "A message in the process queue or its listener call is at or after the offset committed at the query.",
            given,
        ),
        *((ALONE,) if world.orderly else ()),
        *unreset(world),
    )


@guarantee
def only_uncommitted(client: OffsetsClient) -> Promise:
    """A new owner starts at the committed offset."""
    return promise(
        "a new owner of a queue gets no message that was committed when it queried the offset",
        CONCURRENTLY,
        client,
        lambda s, lim: And(s.runs, lim.message < s.known),
        "the message was already committed when its new consumer queried the offset.",
        uncommitted_only,
        concurrent=(holds(COMMITTED), refuted(REPLACED)),
        ordered=(holds(COMMITTED.ordered),),
        loop=(holds(BY_LOOP),),
        brief="a new owner gets no message committed before it queried the offset",
    )


@guarantee
def from_an_offset(client: OffsetsClient) -> Promise:
    """The first pull of an ordered queue queries its offset again."""

    def somewhere(world: Brokers) -> Parts:
        words = "A process queue has an offset to pull from."
        pulls = part("somewhere", words, lambda s, lim: Implies(s.present, s.next >= 0))
        return (HELD, answers(world), offsets(world), pulls, *unreset(world))

    return promise(
        "the first pull of a queue starts at an offset that the broker gave",
        FIRST_PULL,
        client,
        lambda s, lim: And(s.present, s.fixed, s.next < 0),
        "the first pull of the process queue starts at offset -1.",
        somewhere,
        ordered=(Holds(COMMITTED.ordered, client.heeds),),
    )


def not_below_start(world: Brokers) -> Parts:
    """Return the invariant that a commit never goes below the start offset of its process queue."""

    def has_or_sends(s: Offsets) -> Bool:
        """Return the condition that the consumer has a process queue, or may send its last offset."""
        one_step = STEADY in world or world.way is Way.BY_LOOP
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
        part(
            "coming", "An offset about to be recorded in memory is not below the process queue's start offset.", coming
        ),
        part("stands", "The next consumed offset is not below the process queue's start offset.", stands),
        *(UNFIXED, ALONE, CONCERNED),
    )
    return (
        *(() if world.way is Way.BY_LOOP else (HELD,)),
        answers(world),
        offsets(world),
        part("remembered", "The offset in memory is not below the process queue's start offset.", remembered),
        part(
            "sent",
            "A sent offset is not below the start offset of its sender's process queue.",
            lambda s, lim: Implies(s.sending, s.sent >= s.origin),
        ),
        *(in_order if world.orderly else ()),
        *((LISTED,) if STEADY in world else ()),
        *unreset(world),
    )


@guarantee
def back_at_most(client: OffsetsClient) -> Promise:
    """A commit goes back at most to the offset at which its sender began."""
    return promise(
        "no commit rolls the offset back below its process queue's start offset",
        COMMIT,
        client,
        lambda s, lim: And(s.sending, s.sent < s.origin),
        "an offset is sent that is below its sender's start offset.",
        not_below_start,
        concurrent=(holds(COMMITTED_STEADY), refuted(COMMITTED_STEADY.dropping(STEADY), scope=ONE_EXISTS)),
        ordered=(holds(IN_TURN),),
        loop=(holds(BY_LOOP), refuted(AT_ZERO)),
        where=("the start offset: where the sender's process queue began",),
    )


@guarantee
def stops(client: OffsetsClient) -> Promise:
    """Node's loop goes on with the messages of a removed process queue."""
    return promise(
        "after the removal of a process queue, no listener call with its messages starts",
        CONCURRENTLY,
        client,
        lambda s, lim: And(s.late, s.begun_late),
        "the listener is called with a message of a removed process queue.",
        loop=(refuted(BY_LOOP),),
    )


@guarantee
def once(client: OffsetsClient) -> Promise:
    """Delivery is at least once, not exactly once."""
    return promise(
        "no message is consumed twice",
        CONCURRENTLY,
        client,
        lambda s, lim: s.again,
        "the message was consumed twice.",
        concurrent=(refuted(COMMITTED),),
        ordered=(refuted(IN_TURN),),
        loop=(refuted(BY_LOOP),),
    )


@guarantee
def never_back(client: OffsetsClient) -> Promise:
    """The broker stores any committed offset, even a smaller one."""
    return promise(
        "the committed offset never goes back",
        COMMIT,
        client,
        lambda s, lim: s.back,
        "the commit has rolled the offset back.",
        concurrent=(refuted(COMMITTED),),
        ordered=(refuted(COMMITTED.ordered),),
        loop=(refuted(BY_LOOP),),
    )


def handed_over(world: Brokers) -> Parts:
    """Return the invariant that a message is consumed twice only for an allowed reason.

    The reasons: it was consumed but not committed when the new owner asked for the offset; or a listener call
    outlives its process queue.
    """

    def reason(s: Offsets, lim: Limits) -> Bool:
        waiting = And(Not(s.dropped), Or(s.next <= lim.message, s.cached))
        to_come = Or(s.asking, And(s.present, Or(s.runs, waiting)))
        again = And(to_come, s.consumed, lim.message >= s.known)
        return Implies(again, Or(s.uncommitted, s.overtime))

    return (
        *uncommitted_only(world),
        part(
            "counted",
            "No message was consumed twice for a reason other than a hand-over.",
            lambda s, lim: Not(s.excess),
            shared=True,
        ),
        part(
            "taken",
            "A queue is taken if a consumer has a process queue of it or asks for it.",
            lambda s, lim: Implies(has_or_asks(s), s.taken),
        ),
        ALONE,
        part(
            "stopped",
            "No listener call has started after the removal of its process queue.",
            lambda s, lim: Not(s.begun_late),
        ),
        part(
            "reason",
            "A message that can be consumed again was uncommitted, or consumed by a call that outlived its process "
            "queue.",
            reason,
        ),
        part(
            "behind",
            "A message in a process queue is below the next pull offset.",
            lambda s, lim: Implies(Or(s.cached, s.runs), And(s.present, s.next > lim.message)),
        ),
    )


@guarantee
def hand_over(client: OffsetsClient) -> Promise:
    """Concurrent consumers that take a queue over get few messages again."""
    return promise(
        "a hand-over redelivers only uncommitted messages and messages in a listener call at removal",
        CONCURRENTLY,
        client,
        lambda s, lim: s.excess,
        "the message was consumed twice for another reason.",
        handed_over,
        concurrent=(holds(HANDED_OVER), refuted(HANDED_OVER.dropping(AFTER_THE_ENTRY))),
        loop=(refuted(HANDED_OVER_BY_LOOP),),
        brief="a hand-over redelivers only uncommitted messages and running listener calls",
        where=(
            UNCOMMITTED,
            "a listener call at removal: running, or about to start after its last check, when the old owner's "
            "process queue is removed",
        ),
    )


@guarantee
def but_overtime(client: OffsetsClient) -> Promise:
    """A listener call that outlives its process queue is a further reason of redelivery."""

    def overtime(s: Offsets, lim: Limits) -> Bool:
        since = And(s.present, lim.message >= s.known, Not(s.uncommitted))
        return And(since, s.again)

    return promise(
        "a hand-over redelivers only messages consumed but not committed when the new owner queries the offset",
        CONCURRENTLY,
        client,
        overtime,
        "the message was consumed twice, although it was not yet consumed when the new owner queried the offset.",
        concurrent=(refuted(HANDED_OVER),),
        loop=(refuted(HANDED_OVER_BY_LOOP),),
    )


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


def unrecorded_only(world: Brokers) -> Parts:
    """Return the invariant that a message is consumed again only if it was not recorded.

    Recorded means: the offset in memory is after the message. Until then, no other message is consumed.
    """
    return (
        HELD,
        answers(world),
        offsets(world),
        CONCERNED,
        part(
            "settled",
            "A recorded offset is committed, or a consumer works on the queue.",
            lambda s, lim: Implies(And(s.kept, Not(s.taken)), s.committed > lim.message),
            shared=True,
        ),
        UNFIXED,
        ALONE,
        part("asked", "A consumer that asks gets an offset after the recorded message.", _asked),
        part("consumed", "A recorded message is in no process queue.", _consumed),
        part("remembered", "A recorded message is below the offset in memory, or below the sent offset.", _remembered),
        part("sent", "A recorded message is below the sent or committed offset if memory has forgotten it.", _sent),
        part("coming", "The offset about to be recorded equals the process queue's offset.", _coming),
        part("stands", "The process queue's offset is after its consumed messages.", _stands),
        part("owed", "Until a consumed message is recorded, no other message is consumed.", _owed),
        LISTED,
        *unreset(world),
    )


@guarantee
def one_batch(client: OffsetsClient) -> Promise:
    """Ordered consumers that take a queue over get at most one batch again."""

    def noted_again(s: Offsets, lim: Limits) -> Bool:
        # `owed` is a flag of a process queue: the invariant excludes it without one, so `present` is for the reader.
        early = And(s.owed, s.present, Not(s.dropped), Not(s.noting))
        return Or(And(s.runs, s.kept), early)

    def broken(run: Ran) -> str:
        if any(end.runs and end.kept for end in run.ends):
            return "the listener gets a message that was already recorded as consumed."
        return "the message was consumed but not recorded, and another batch can start."

    dropped = OUT_OF_TURN, IN_TURN_STEADY.dropping(STAYS), IN_TURN_STEADY.dropping(STEADY)
    return promise(
        "a hand-over redelivers at most the batch whose offset the old owner had not yet recorded in memory",
        ORDERLY_SERVICE,
        client,
        noted_again,
        broken,
        unrecorded_only,
        ordered=(holds(IN_TURN_STEADY), *map(refuted, dropped)),
        brief="a hand-over redelivers no message recorded in memory",
        where=("the batch: no other one starts before its offset is recorded in memory",),
    )


def finished_first(world: Brokers) -> Parts:
    """Return the invariant that only processed or given back messages are committed."""

    def of_finished(conjunct: Conjunct[Offsets, Limits]) -> Conjunct[Offsets, Limits]:
        """Return the conjunct, stated for completely processed messages, not for messages whose listener returned."""

        def so(s: Offsets, lim: Limits) -> Bool:
            return conjunct.holds(s.but(consumed=s.finished), lim)

        name = "finished" if conjunct.name == "committed" else conjunct.name
        return replace(conjunct, name=name, sentence=conjunct.sentence.replace("consumed", "finished"), holds=so)

    return tuple(map(of_finished, unskipped(world)))


@guarantee
def finished(client: OffsetsClient) -> Promise:
    """shutdown() interrupts listeners, and commits only messages whose work is done."""
    awaited = holds(AWAITED, named=True, notices=("drops-failures",))
    return promise(
        "no message is committed before its work is done",
        SHUTDOWN,
        client,
        lambda s, lim: And(s.committed > lim.message, Not(Or(s.finished, s.given))),
        "the message is committed, but its interrupted listener did not finish its work.",
        finished_first,
        concurrent=(holds(HEEDED, named=True), refuted(HEEDED.dropping(HEEDS)), awaited),
        ordered=(holds(HEEDED_IN_ORDER, named=True), refuted(HEEDED_IN_ORDER.dropping(HEEDS_IN_ORDER))),
        where=("done: its listener has returned with its work done, or it was sent back for a retry",),
    )


PLACES: dict[str, tuple[str, When, Place]] = {
    "committed": ("the committed offset", lambda s: True, lambda s: s.committed),
    "memory": ("the offset in memory", lambda s: True, lambda s: s.memory),
    "noted": ("an offset about to be recorded", lambda s: s.recording, lambda s: s.recorded),
    "heard": ("an offset that a rebalance gets", lambda s: s.asking, lambda s: s.answer),
    "sent": ("an offset that is sent", lambda s: s.sending, lambda s: s.sent),
    "noting": ("the offset after a batch", lambda s: s.noting, lambda s: s.noted),
}
"""Part of a conjunct's name -> an offset: its description, the condition that it exists, and its value."""


def arrived(since: str) -> Callable[[Brokers], Parts]:
    """Return the invariant that no message is skipped that arrives after a given event.

    ``since`` is the ghost field of the state that records whether it arrived after the event.
    """

    def fine(s: Offsets) -> Bool:
        return Or(done(s), Not(getattr(s, since)))

    def behind(told: When, offset: Place) -> Callable[[Offsets, Limits], Bool]:
        return lambda s, lim: Implies(And(told(s), offset(s) > lim.message), fine(s))

    def idle(s: Offsets) -> Bool:
        return And(Not(Or(s.present, s.recording, s.noting, s.sending)), s.memory == NO_OFFSET)

    def unowned(s: Offsets, lim: Limits) -> Bool:
        nothing = And(idle(s), s.committed == NONE, Not(Or(s.had, s.begun)))
        return Implies(Not(s.owned), nothing)

    unanswered = part(
        "unanswered",
        "Before the first commit and the first pull's answer, no message covered by the claim has arrived.",
        lambda s, lim: Implies(And(s.present, Not(s.fixed), s.committed == NONE), Not(s.begun)),
    )
    alone = part(
        "alone",
        "Before the first commit, a consumer has no offset in use while another consumer owns the queue.",
        lambda s, lim: Implies(And(s.committed == NONE, s.taken, Not(has_or_asks(s))), idle(s)),
    )

    def below(s: Offsets, world: Brokers) -> Bool:
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

    def all_behind(world: Brokers) -> Iterator[Conjunct[Offsets, Limits]]:
        for name, (words, told, offset) in PLACES.items():
            if name != "noting" or world.orderly:
                sentence = f"If a message covered by the claim is below {words}, it was consumed."
                yield part(name, sentence, behind(told, offset), shared=name == "committed")
        yield part(
            "pulled",
            "A message covered by the claim, below the next pull offset, was consumed or is in the process queue.",
            lambda s, lim: Implies(And(s.present, s.next > lim.message), Or(fine(s), s.cached)),
        )

    def invariant(world: Brokers) -> Parts:
        return (
            *all_behind(world),
            HELD,
            answers(world),
            offsets(world),
            part(
                "taken",
                "Before the first commit, a queue that a consumer owns counts as taken.",
                lambda s, lim: Implies(And(world.has(s), s.committed == NONE), s.taken),
            ),
            part("below", "No offset is beyond the queue's end.", lambda s, lim: below(s, world)),
            part(
                "unowned", "Until a consumer has owned the queue, no process queue, offset or commit exists.", unowned
            ),
            part(
                "asked",
                "A consumer that asks for the offset before the first commit is the queue's first owner.",
                lambda s, lim: Implies(And(s.asking, Or(s.committed == NONE, s.answer == NOT_FOUND)), Not(s.owned)),
            ),
            unanswered if world.orderly else alone,
            *unreset(world),
            *remains(world),
        )

    return invariant


def _since(flag: str) -> Callable[[Offsets, Limits], Bool]:
    return lambda s, lim: And(getattr(s, flag), skipped(s, lim))


@guarantee
def since_added(client: OffsetsClient) -> Promise:
    """Messages that arrive when a queue has an owner, before the first commit."""
    return promise(
        "no message that arrives at an owned queue is skipped",
        FIRST_PULL,
        client,
        _since("had"),
        SKIPPED_SO,
        arrived("had"),
        concurrent=(holds(ARRIVING), refuted(ARRIVING.dropping(KEEPS))),
        ordered=(refuted(ARRIVING.ordered),),
        where=(OWNED, SKIPPED),
    )


@guarantee
def since_asked(client: OffsetsClient) -> Promise:
    """Messages that arrive earlier may be skipped."""
    return promise(
        "no message is skipped that arrives while a consumer queries the queue's offset or has its process queue",
        STORE,
        client,
        _since("awaited"),
        SKIPPED_SO,
        concurrent=(refuted(ARRIVING),),
        where=(SKIPPED,),
    )


@guarantee
def since_pulled(client: OffsetsClient) -> Promise:
    """With ordered listeners, the first pull decides about messages that arrive before the first commit."""
    return promise(
        "no message that arrives at an owned queue after its first pull was answered is skipped",
        FIRST_PULL,
        client,
        _since("begun"),
        SKIPPED_SO,
        arrived("begun"),
        ordered=(holds(ARRIVING.ordered), refuted(ARRIVING.ordered.dropping(KEEPS))),
        brief="no message that arrives after the first pull is skipped",
        where=(OWNED, SKIPPED),
    )


def rewound(world: Brokers) -> Parts:
    """Return the invariant that the offset in memory stays the reset one until it is sent."""

    def marked(s: Offsets, lim: Limits) -> Bool:
        quiet = Not(Or(s.recording, s.noting))
        return Implies(s.resetting, And(s.present, s.dropped, quiet, s.aim >= 0))

    return (
        HELD,
        ALONE,
        offsets(world),
        LISTED,
        part(
            "marked",
            "A process queue whose offset is being reset is dropped, and no offset of it is about to be recorded.",
            marked,
        ),
        part(
            "rewound",
            "After the reset has set the offset in memory, that offset is the reset's.",
            lambda s, lim: Implies(s.rewound, And(s.resetting, s.memory == s.aim)),
        ),
        part("unmissed", "No reset has sent an offset other than the requested one.", lambda s, lim: Not(s.missed)),
    )


@guarantee
def reset_sent(client: OffsetsClient) -> Promise:
    """An offset reset by the user's code, which all releases do alike."""
    return promise(
        "an offset reset in the consumer sends the given offset, whatever the listener returns meanwhile",
        RESETS,
        client,
        lambda s, lim: s.missed,
        "the reset has sent another offset than requested.",
        rewound,
        concurrent=(holds(RESET), refuted(RESET.dropping(QUIET), scope=ONE_EXISTS)),
        ordered=(holds(RESET.ordered), refuted(RESET.ordered.dropping(QUIET), scope=ONE_EXISTS)),
        brief="an offset reset in the consumer sends the given offset",
        covers=("whatever the listener returns meanwhile",),
    )


@guarantee
def reset_heard(client: OffsetsClient) -> Promise:
    """The commit of a reset may arrive after the next query."""
    return promise(
        "after an offset reset in the consumer, the next rebalance reads the reset offset",
        RESETS,
        client,
        lambda s, lim: s.ignored,
        "the rebalance received another offset than the one that was reset.",
        concurrent=(refuted(RESET, scope=ONE_EXISTS),),
        ordered=(refuted(RESET.ordered, scope=ONE_EXISTS),),
    )


# ---- Groups of two clients


def together(client: OffsetsClient, other: OffsetsClient) -> Sequence[Joint]:
    """Return the client's proofs in a group with the other client. Node never commits offset 0."""
    with_node = Way.BY_LOOP in (client.way, other.way)
    shared, back, world, steady = ("not-skipped", "only-uncommitted"), ("back-at-most",), COMMITTED, COMMITTED_STEADY
    if client.way is Way.ORDERLY:
        in_turn = Joint(IN_TURN_STEADY, ("one-batch",))
        return Joint(COMMITTED.ordered, shared), in_turn, Joint(IN_TURN, back)
    if client.way is Way.BY_LOOP:
        world = steady = BY_LOOP
    elif with_node:
        world, steady = COMMITTED.instead(SOMETHING, ABOVE), COMMITTED_STEADY.instead(SOMETHING, ABOVE)
    further = () if with_node else (Joint(HANDED_OVER, ("hand-over",)),)
    return Joint(world, shared), Joint(steady, back, "back-"), *further


MIXED = Mixed(
    ((*CONCURRENT, *LOOPING), ORDERLY),
    lambda client: group(client.way),
    together,
    own=lambda client, other: other.way is Way.BY_LOOP and client.way is not Way.BY_LOOP,
    source=COMMIT,
    scope="for all numbers of consumers of the two, queues and messages",
)

# ---- Words, and the page

PAGE = Page(
    "offsets",
    None,
    CLIENTS,
    guarantee,
    WRONG,
    SLIPS,
    examples=None,
    search=search,
    compared=lambda client: SPACES[client.way],
    words=Words(
        "Offsets",
        "One message of a queue, across all consumers of the group. A consumer starts at the committed offset, tracks "
        "consumed messages, and commits its offset from time to time. The claims cover concurrent and ordered "
        "listeners and Node's consumer, each with its default offset store.",
        about=told_about,
        given=told_given,
        who="two consumers",
        plural=True,
        around="2 consumers, 1 queue",
        called="offsets",
        counted="with offsets",
        state="a queue and its offsets",
        parties=("consumer", "broker", "message"),
        limits=told_limits,
        none=f"two consumers do not reach this in {LIMIT} actions ({LIMIT_IN_ORDER} with ordered listeners, "
        f"{LIMIT_IN_TURN} with owners in turn)",
        noted=lambda run, before, after, who: told_change(before[who], after[who]),
    ),
    scopes=(FOR_ALL, EXISTS),
    rely=RELY,
    mixed=MIXED,
    shown=TABLE,
)
