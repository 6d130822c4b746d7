"""State machine of a consumer with an ordered listener.

A batch is taken, consumed and recorded before the next one. ``ConsumeMessageOrderlyService`` holds the queue's lock in
the client meanwhile, so this is also true of batches of different process queues. The broker's lock is no condition
here: all behaviour with that lock is also possible without it. Parameters and results of actions: see
``model.offsets.actions``.
"""

from rebalance_proofs.model.machine.machine import Actions, Step, step
from rebalance_proofs.model.machine.values import And, Bool, If, Implies, Not, Or
from rebalance_proofs.model.offsets.actions import (
    ASKS,
    COMMITS,
    REVOKES,
    answered,
    asks,
    commits,
    consumed,
    found,
    given_or_not,
    heard,
    machine,
)
from rebalance_proofs.model.offsets.java import JAVA, RETIRES, noticed, retires, returned, revokes
from rebalance_proofs.model.offsets.rebalance import by_terms
from rebalance_proofs.model.offsets.state import NOWHERE, Choices, Limits, Offsets, Variant
from rebalance_proofs.model.offsets.watched import counted, interruptible

action: Actions[Offsets, Choices, Limits, Variant] = Actions()
action(*ASKS, choices=("silent", "error", "zero"))(asks)
action(*COMMITS, choices=("more",))(commits)
action(*REVOKES, choices=("in_set", "more", "held", "stale"))(revokes)
action(*RETIRES, choices=("more", "held", "stale"))(retires)


def _may_begin(s: Offsets) -> Bool:
    """Check whether ``ConsumeRequest.run`` can take the client's queue lock.

    The process queue must not be dropped.
    """
    return And(s.present, Not(s.dropped), Not(Or(s.runs, s.late, s.noting)))


@action("The consumer calls its listener with the message.", "{who} calls its listener with the message")
def starts(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """The listener is called with a batch that contains the message (``takeMessages``).

    ``ConsumeRequest.run`` continues even after shutdown().
    """
    return step(And(_may_begin(s), s.cached, Not(s.remains)), runs=True, cut=False)


@action(
    "The listener returns.",
    returned("The listener of {who} returns: the message is consumed"),
    choices=("half", "offset"),
)
def ends(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """The listener returns, and the offset after the batch is recorded.

    It is not recorded if the process queue is dropped. ``commit`` returns that offset. A process queue that a reset
    has cleared has nothing to commit. Mirror of ``processConsumeResult``.
    """
    notes = Not(s.dropped)
    behind = Or(s.resetting, And(lim.message < c.offset, c.offset <= s.next))
    return step(
        And(s.runs, Not(s.noting), behind),
        runs=False,
        cached=And(s.resetting, s.cached),
        stands=If(s.resetting, s.stands, c.offset),
        noting=notes,
        noted=If(notes, c.offset, s.noted),
        owed=Or(Not(s.resetting), s.owed),
        **consumed(s),
    )


@action("The listener consumes another batch.", "{who} consumes another batch", choices=("offset",))
def others(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """A batch without the message is taken and consumed. Messages are taken in order.

    ``commit`` returns the offset after the last taken message and removes all taken messages, including those of an
    interrupted call.
    """
    behind = And(s.stands < c.offset, c.offset <= s.next, c.offset != lim.message + 1)
    before = c.offset <= lim.message
    in_order = And(Implies(And(s.cached, Not(s.remains)), before), Implies(s.remains, Not(before)))
    return step(
        And(_may_begin(s), behind, in_order),
        stands=c.offset,
        noting=True,
        noted=c.offset,
        cached=And(s.cached, Not(s.remains)),
        owed=Or(s.owed, s.remains),
        remains=False,
    )


@action(
    "The first pull queries the queue's offset again.",
    heard("The first pull of {who} queries the offset again"),
    choices=("silent", "error", "zero", "older", "offset"),
)
@by_terms
def fixes(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """The first pull of a locked process queue computes its start offset again.

    Mirror of ``DefaultMQPushConsumerImpl.pullMessage``. Up to 4.9 the client does not check that there is an
    offset. The process queue may have been dropped since the pull began.
    """
    answer = If(c.older, c.offset, answered(s, c, s.committed))
    possible, has, begin, _ = found(s, c, lim, client, answer)
    return step(
        And(s.present, Not(s.fixed), possible, Implies(c.older, c.offset >= 0)),
        fixed=has if client.heeds else True,
        began=If(has, begin, s.began),
        next=If(has, begin, s.next if client.heeds else NOWHERE),
        stands=If(has, begin, s.stands),
        memory=If(answer >= 0, answer, s.memory),
        known=If(has, If(c.older, c.offset, s.committed), s.known),
    )


@action(
    "A first pull whose process queue is gone receives its answer.",
    "A first pull of {who}, whose process queue is gone, receives its answer",
    choices=("offset",),
)
def overtaken(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """The first pull of a removed process queue writes the committed offset to memory.

    Mirror of ``readOffset``. The action is always possible, because the state does not record whether such a pull
    is outstanding.
    """
    return step(c.offset >= 0, memory=c.offset)


@action(
    ("The consumer records the offset after a batch in memory."), "{who} records the offset after the batch in memory"
)
def notes(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """The offset after the batch replaces the offset in memory, even a larger one.

    Mirror of ``updateOffset(mq, offset, false)``.
    """
    return noticed(step(s.noting, noting=False, memory=s.noted), s, lim, s.noted)


@action(
    "The listener gets the next message and asks for a retry.",
    "The listener of {who} gets the next message and asks for a retry",
)
def others_fail(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """The listener fails for the next message, and all messages of its batch are put back.

    The observed message, left there by an interrupted call, is among them (``makeMessageToConsumeAgain``).
    """
    return step(And(_may_begin(s), s.remains, lim.message + 1 < s.next), remains=False)


def _well_formed(s: Offsets, lim: Limits) -> Bool:
    """Check that the process queue contains the batch of a running or interrupted listener call.

    This holds unless an offset reset has cleared the process queue.
    """
    here = And(Implies(s.runs, Or(s.cached, s.resetting)), Implies(s.remains, And(s.cached, Not(s.runs))))
    return And(given_or_not(s, lim), here)


ORDERLY = machine(interruptible, counted, of=(*JAVA, *action), well_formed=_well_formed)
