"""Actions of a Java client on a queue's offset, with a concurrent or an ordered listener.

The client resets the queue's offset itself (``MQClientInstance.resetOffset``), at the request of the broker or a user.
It suspends the consumer, drops the process queue and clears it. Ten seconds later it writes the offset to memory and
sends it, removes the process queue, and resumes the consumer, which rebalances.

shutdown() interrupts running listeners: ``ThreadUtils.shutdownGracefully`` waits for
``awaitTerminationMillisWhenShutdown``, 0 by default, and calls ``shutdownNow``, from 4.7.1 on. Offsets are sent after
that (``DefaultMQPushConsumerImpl.shutdown``).

Parameters and results of actions: see ``model.offsets.actions``.
"""

from rebalance_proofs.model.machine.machine import Actions, Step, becomes, step
from rebalance_proofs.model.machine.values import And, Bool, If, Int, Not, Or
from rebalance_proofs.model.offsets.actions import (
    ADDS,
    Told,
    adds,
    but,
    consumed,
    passed,
    pulled,
    under_way,
)
from rebalance_proofs.model.offsets.rebalance import by_terms, removed, sent
from rebalance_proofs.model.offsets.state import NOWHERE, Choices, Limits, Offsets, Variant, Way, has_or_asks
from rebalance_proofs.model.transition.numbers import NO_OFFSET

JAVA: Actions[Offsets, Choices, Limits, Variant] = Actions()
HALF = "The interrupted listener of {who} returns success with its work half done"


def returned(words: str) -> Told:
    """Return a function that describes a listener's return, for printed traces.

    It gives ``words``, or that the listener returned with half its work done.
    """
    return lambda before, after, c, client: HALF if c.half else words


JAVA(*ADDS, choices=("offset",))(adds)


def _pulls(s: Offsets, client: Variant) -> tuple[Bool, ...]:
    """Return the conditions for a pull of a Java client.

    For an ordered queue, the first pull's offset query must have been answered; and there must be an offset to
    pull.
    """
    return (s.fixed, s.next != NOWHERE) if client.way is Way.ORDERLY else ()


def _if_it(guard: Bool, more: tuple[Bool, ...]) -> Bool:
    return And(guard, *more) if more else guard


@JAVA("The consumer pulls the message.", "{who} pulls the message", choices=("offset",))
def pulls(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """A pull finds the message, perhaps among others; its process queue may be dropped by then."""
    can = And(s.present, pulled(s, c, lim, s.next))
    return step(_if_it(can, _pulls(s, client)), cached=True, next=c.offset)


@JAVA("The consumer pulls other messages.", "{who} pulls other messages", choices=("offset",))
def passes(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """A pull finds other messages or none, but not the observed message."""
    can = And(s.present, passed(s, c, lim, s.next))
    return step(_if_it(can, _pulls(s, client)), next=c.offset)


@JAVA(
    "The listener returns from the message after its process queue has left the table.",
    returned(
        "The listener of {who} returns after the process queue was removed: the message is consumed, but not recorded"
    ),
    choices=("more", "half"),
)
def ends_late(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """The listener returns for a removed or dropped process queue, so no offset is recorded."""
    return step(s.late, late=c.more, **consumed(s))


@JAVA(
    "The listener returns and asks for a retry of the message.",
    "The listener of {who} returns and asks for a retry of the message",
)
def fails(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """The listener fails, and the message is not sent back to the broker either."""
    return step(s.runs, runs=False)


def noted(s: Offsets, offset: Int, c: Choices) -> dict[str, Bool | Int]:
    """Return the changed fields after an offset has passed its checks and is to be recorded.

    The state has one such offset. If another one is pending, ``c.more`` selects that one.
    """
    return {"recording": True, "recorded": If(And(s.recording, c.more), s.recorded, offset)}


@JAVA(
    "A pull finds no message, and the process queue is empty.",
    "A pull of {who} finds no message; {who} is about to record its next offset",
    choices=("more",),
)
def empty(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """``correctTagsOffset`` is about to record the next offset of an empty process queue."""
    can = And(s.present, Not(s.cached))
    return step(_if_it(can, _pulls(s, client)), **noted(s, s.next, c))


def _told_sends(before: Offsets, after: Offsets, c: Choices, client: Variant) -> str:
    words = "{who} commits its in-memory offset"
    return words if after.present else f"{words}: its process queue is gone, but `persistAll` had listed the queue"


@JAVA("The consumer commits its in-memory offset of the queue.", _told_sends, choices=("more",))
def sends(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """The offset in memory is sent with a pull, or every five seconds by ``persistAll``.

    A ``persistAll`` that has listed the queue sends it even after the process queue was removed.
    """
    after = under_way(s, True, c).but(listed=And(s.listed, s.present))
    return becomes(And(Or(s.present, s.listed), s.memory != NO_OFFSET), after)


@JAVA(
    "`persistAll` removes the in-memory offset of a queue that it has not listed.",
    "`persistAll` of {who} has sent the listed offsets and removes all others from memory",
)
def forgets(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """``persistAll`` ends by removing the offsets of queues that it did not list from memory.

    The present state of these queues does not matter.
    """
    return step(And(s.unlisted, s.memory != NO_OFFSET), memory=NO_OFFSET, unlisted=False)


def _gone(s: Offsets, goes: Bool) -> Offsets:
    """Return the state after the process queue has left the table, if ``goes`` holds.

    A running listener call continues.
    """
    stays = Not(goes)
    of_entry = ("present", "dropped", "cached", "runs", "fixed", "owed", "remains", "resetting", "rewound")
    return s.but(**{one: And(getattr(s, one), stays) for one in of_entry}, late=Or(s.late, And(goes, s.runs)))


def _told_shuts(before: Offsets, after: Offsets, c: Choices, client: Variant) -> str:
    if before.memory == NO_OFFSET:
        return "{who} shuts down and has no offset in memory to commit"
    return "{who} shuts down and commits its in-memory offset"


@JAVA("The consumer shuts down.", _told_shuts, choices=("more",))
def shuts(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """The consumer sends its offsets and then empties its table."""
    sends = And(s.present, s.memory != NO_OFFSET)
    return becomes(Not(Or(s.asking, s.closed)), _gone(under_way(s, sends, c), True).but(closed=True))


@JAVA("The consumer's process crashes or is killed.", "The process of {who} crashes or is killed")
def crashes(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """The process ends at once. Requests in flight may still arrive."""
    nothing = dict.fromkeys(("late", "recording", "noting", "asking", "listed", "unlisted", "aimed"), False)
    return becomes(Not(s.closed), _gone(s, True).but(closed=True, memory=NO_OFFSET, **nothing))


@JAVA("A producer's message arrives at the broker.")
def arrives(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """The message becomes the queue's last one. Producers send independently of consumers."""
    has = And(s.present, Not(s.dropped))
    return step(
        s.end == lim.message,
        end=lim.message + 1,
        awaited=Or(s.awaited, has_or_asks(s)),
        had=Or(s.had, has),
        begun=Or(s.begun, And(has, s.fixed)),
    )


def _told_copies(before: Offsets, after: Offsets, c: Choices, client: Variant) -> str:
    among = "" if after.present else "not "
    return (
        f"The timer of {{who}} lists the queues whose offsets it will send (`persistAll`); this queue is {among}listed"
    )


@JAVA("`persistAll` lists the queues whose offsets it will send.", _told_copies)
def copies(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """``persistConsumerOffset`` copies the table's queues in the timer's thread.

    ``persistAll`` begins.
    """
    return step(Not(Or(s.listed, s.unlisted, s.closed)), listed=s.present, unlisted=Not(s.present))


@JAVA("`persistAll` ends.", "`persistAll` of {who} ends")
def finishes(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """``persistAll`` ends, or is done with this queue."""
    return step(Or(s.listed, s.unlisted), listed=False, unlisted=False)


@JAVA("The consumer records an offset in memory.", "{who} records the offset in memory", choices=("more",))
def records(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """The pending offset is written to memory, unless the memory has a larger one."""
    more = If(s.memory < s.recorded, s.recorded, s.memory)
    done = step(s.recording, recording=c.more, memory=more)
    return noticed(done, s, lim, s.recorded) if client.way is Way.ORDERLY else done


def noticed(done: Step, s: Offsets, lim: Limits, offset: Int) -> Step:
    """Return the step ``done`` with the ghost field ``kept`` updated.

    The field is set if ``offset``, recorded in memory, is after the message.
    """
    kept = And(s.present, offset > lim.message)
    return but(done, owed=And(s.owed, Not(kept)), kept=Or(s.kept, kept))


@JAVA("A rebalance drops the process queue.", "A rebalance of {who} drops the process queue")
def marks(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """A rebalance drops the process queue before removing it.

    Up to 4.9, the removal follows at once. From 5.0 on, it follows after all obsolete process queues were dropped.
    """
    return step(And(s.present, Not(s.dropped)), dropped=True)


def _told_suspends(before: Offsets, after: Offsets, c: Choices, client: Variant) -> str:
    words = "An offset reset suspends {who}, drops its process queue and clears it"
    return f"{words} (to {'offset 0' if c.zero else 'the end of the queue'})"


@JAVA("A reset of the queue's offset begins.", _told_suspends, choices=("zero", "offset"))
def suspends(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """The reset drops and clears the process queue; a running listener continues.

    Mirror of ``suspend``, then ``ProcessQueue.setDropped`` and ``clear``.
    """
    aim = If(c.zero, 0, c.offset)
    can = And(s.present, Not(s.resetting), 0 <= aim, aim <= s.end)
    done = step(can, resetting=True, rewound=False, aim=aim, aimed=False, dropped=True, cached=False)
    return but(done, remains=False) if client.way is Way.ORDERLY else done


@JAVA(
    "The offset reset writes its offset to memory.",
    "The offset reset then writes its offset into the memory of {who}",
)
def rewinds(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """The reset replaces the offset in memory (``updateConsumeOffset``).

    It waits ten seconds before. From 5.5.0 on, the reset of an ordered consumer waits at most so long for a listener.
    """
    return step(And(s.resetting, Not(s.rewound)), memory=s.aim, rewound=True)


@JAVA(
    "The consumer unsubscribes from the topic.",
    "{who} unsubscribes from the topic: only its process queue is removed",
)
def unsubscribes(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """The process queue is removed from the table without sending an offset.

    Mirror of ``truncateMessageQueueNotMyTopic``, after the user has unsubscribed from the topic.
    """
    return becomes(s.present, _gone(s, True))


@JAVA(
    ("shutdown() interrupts the consumer's listener threads."), "{who} begins to shut down and interrupts its listeners"
)
def interrupts(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """shutdown() interrupts the listener threads, once (``ThreadPoolExecutor.shutdownNow``).

    Requests that wait for a thread do not run any more. A request that a thread has taken counts as a call that has
    begun.
    """
    return step(Not(Or(s.interrupted, s.closed)), interrupted=True, cut=Or(s.runs, s.late))


@JAVA(
    "The listener returns with its thread's interrupt status set.",
    returned("The listener of {who} returns with its thread still interrupted: nothing is recorded"),
    choices=("half",),
)
def returns_interrupted(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """The listener returns while its thread is interrupted; no offset is recorded now.

    ``ProcessQueue.removeMessage`` or ``commit`` takes its lock by ``lockInterruptibly``, returns -1, and clears the
    interrupt status. The batch of an ordered listener stays in ``consumingMsgOrderlyTreeMap``, unless a reset has
    cleared it.
    """
    done = step(And(s.runs, s.cut), runs=False, **consumed(s))
    return but(done, remains=And(s.cached, Not(s.resetting))) if client.way is Way.ORDERLY else done


def _revoked(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Offsets:
    done = removed(s, c, lim, client)
    left = _gone(under_way(s, sent(done, s), c), Not(done.after.present))
    return left.but(dropped=And(done.after.present, done.after.dropped), memory=done.after.memory)


@by_terms
def revokes(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """A rebalance removes the process queue.

    The consumer no longer owns the queue, or no message was pulled for too long.
    """
    return becomes(s.present, _revoked(s, c, lim, client))


RETIRES = (
    "The offset reset commits the offset in memory and removes the process queue.",
    "The offset reset makes {who} commit its in-memory offset, then removes the process queue",
)


@by_terms
def retires(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """A reset removes the process queue, whatever ``removeUnnecessaryMessageQueue`` returns.

    The consumer is resumed afterwards (``resume``).
    """
    after = _gone(_revoked(s, c, lim, client), True).but(aimed=True, missed=Or(s.missed, s.memory != s.aim))
    return becomes(And(s.resetting, s.rewound), after)
