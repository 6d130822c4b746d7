"""Actions on one queue's offset, of three kinds of consumers; and the clients.

Each action function returns the action's guard and the state's changed fields. Its parameters: ``s``, the state before;
``c``, the action's nondeterministic choices; ``lim``, constant parameters; ``client``, the client's differences from
other clients.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rebalance_proofs.model.machine.machine import Actions, Machine, Step, becomes, but, by_terms, step
from rebalance_proofs.model.machine.values import And, Bool, If, Implies, Int, Not, Or, Value
from rebalance_proofs.model.machines.offsets.state import (
    ADDS,
    ASKS,
    COMMITS,
    NOWHERE,
    REVOKES,
    UNKNOWN,
    Act,
    Choices,
    JavaClient,
    Limits,
    NodeClient,
    Offsets,
    OffsetsClient,
    OrderlyClient,
    Way,
    adds,
    answered,
    asks,
    commits,
    consumed,
    counted,
    first,
    found,
    given_or_not,
    has_or_asks,
    heard,
    interruptible,
    left_table,
    noted,
    noticed,
    passed,
    pulled,
    removed,
    returned,
    sent,
    under_way,
    watched,
)
from rebalance_proofs.model.releases import java_from
from rebalance_proofs.model.transition import generations
from rebalance_proofs.model.transition.numbers import NO_OFFSET

# ---- Actions of a Java client, with a concurrent or an ordered listener
#
# The client resets the queue's offset itself (``MQClientInstance.resetOffset``), at the request of the broker or a
# user. It suspends the consumer, drops the process queue and clears it. Ten seconds later it writes the offset to
# memory and sends it, removes the process queue, and resumes the consumer, which rebalances.
#
# shutdown() interrupts running listeners: ``ThreadUtils.shutdownGracefully`` waits for
# ``awaitTerminationMillisWhenShutdown``, 0 by default, and calls ``shutdownNow``, from 4.7.1 on. Offsets are sent after
# that (``DefaultMQPushConsumerImpl.shutdown``).

java: Actions[Offsets, Choices, Limits, OffsetsClient] = Actions()
java(*ADDS, choices=("offset",))(adds)


def _may_pull(s: Offsets, client: OffsetsClient, guard: Bool) -> Bool:
    """Return the condition of a Java client's pull: ``guard``, and more for an ordered queue.

    Its first pull's offset query must have been answered; and there must be an offset to pull.
    """
    return And(guard, s.fixed, s.next != NOWHERE) if client.way is Way.ORDERLY else guard


@java("The consumer pulls the message.", "{who} pulls the message", choices=("offset",))
def pulls(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """A pull finds the message, perhaps among others; its process queue may be dropped by then."""
    can = And(s.present, pulled(s, c, lim, s.next))
    return step(_may_pull(s, client, can), cached=True, next=c.offset)


@java("The consumer pulls other messages.", "{who} pulls other messages", choices=("offset",))
def passes(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """A pull finds other messages or none, but not the observed message."""
    can = And(s.present, passed(s, c, lim, s.next))
    return step(_may_pull(s, client, can), next=c.offset)


@java(
    "The listener returns from the message after its process queue has left the table.",
    returned(
        "The listener of {who} returns after the process queue was removed: the message is consumed, but not recorded"
    ),
    choices=("more", "half"),
)
def ends_late(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """The listener returns for a removed or dropped process queue, so no offset is recorded."""
    return step(s.late, late=c.more, **consumed(s))


@java(
    "The listener returns and asks for a retry of the message.",
    "The listener of {who} returns and asks for a retry of the message",
)
def fails(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """The listener fails, and the message is not sent back to the broker either."""
    return step(s.runs, runs=False)


@java(
    "A pull finds no message, and the process queue is empty.",
    "A pull of {who} finds no message; {who} is about to record its next offset",
    choices=("more",),
)
def empty(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """``correctTagsOffset`` is about to record the next offset of an empty process queue."""
    can = And(s.present, Not(s.cached))
    return step(_may_pull(s, client, can), **noted(s, s.next, c))


def _told_sends(before: Offsets, after: Offsets, c: Choices, client: OffsetsClient) -> str:
    words = "{who} commits its in-memory offset"
    return words if after.present else f"{words}: its process queue is gone, but `persistAll` had listed the queue"


@java("The consumer commits its in-memory offset of the queue.", _told_sends, choices=("more",))
def sends(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """The offset in memory is sent with a pull, or every five seconds by ``persistAll``.

    A ``persistAll`` that has listed the queue sends it even after the process queue was removed.
    """
    after = under_way(s, True, c).but(listed=And(s.listed, s.present))
    return becomes(And(Or(s.present, s.listed), s.memory != NO_OFFSET), after)


@java(
    "`persistAll` removes the in-memory offset of a queue that it has not listed.",
    "`persistAll` of {who} has sent the listed offsets and removes all others from memory",
)
def forgets(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """``persistAll`` ends by removing the offsets of queues that it did not list from memory.

    The present state of these queues does not matter.
    """
    return step(And(s.unlisted, s.memory != NO_OFFSET), memory=NO_OFFSET, unlisted=False)


def _told_shuts(before: Offsets, after: Offsets, c: Choices, client: OffsetsClient) -> str:
    if before.memory == NO_OFFSET:
        return "{who} shuts down and has no offset in memory to commit"
    return "{who} shuts down and commits its in-memory offset"


@java("The consumer shuts down.", _told_shuts, choices=("more",))
def shuts(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """The consumer sends its offsets and then empties its table."""
    sends = And(s.present, s.memory != NO_OFFSET)
    return becomes(Not(Or(s.asking, s.closed)), left_table(under_way(s, sends, c), True).but(closed=True))


@java("The consumer's process crashes or is killed.", "The process of {who} crashes or is killed")
def crashes(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """The process ends at once. Requests in flight may still arrive."""
    nothing = dict.fromkeys(("late", "recording", "noting", "asking", "listed", "unlisted", "aimed"), False)
    return becomes(Not(s.closed), left_table(s, True).but(closed=True, memory=NO_OFFSET, **nothing))


@java("A producer's message arrives at the broker.")
def arrives(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """The message becomes the queue's last one. Producers send independently of consumers."""
    has = And(s.present, Not(s.dropped))
    return step(
        s.end == lim.message,
        end=lim.message + 1,
        awaited=Or(s.awaited, has_or_asks(s)),
        had=Or(s.had, has),
        begun=Or(s.begun, And(has, s.fixed)),
    )


def _told_copies(before: Offsets, after: Offsets, c: Choices, client: OffsetsClient) -> str:
    among = "" if after.present else "not "
    return (
        f"The timer of {{who}} lists the queues whose offsets it will send (`persistAll`); this queue is {among}listed"
    )


@java("`persistAll` lists the queues whose offsets it will send.", _told_copies)
def copies(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """``persistConsumerOffset`` copies the table's queues in the timer's thread.

    ``persistAll`` begins.
    """
    return step(Not(Or(s.listed, s.unlisted, s.closed)), listed=s.present, unlisted=Not(s.present))


@java("`persistAll` ends.", "`persistAll` of {who} ends")
def finishes(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """``persistAll`` ends, or is done with this queue."""
    return step(Or(s.listed, s.unlisted), listed=False, unlisted=False)


@java("The consumer records an offset in memory.", "{who} records the offset in memory", choices=("more",))
def records(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """The pending offset is written to memory, unless the memory has a larger one."""
    more = If(s.memory < s.recorded, s.recorded, s.memory)
    done = step(s.recording, recording=c.more, memory=more)
    return noticed(done, s, lim, s.recorded) if client.way is Way.ORDERLY else done


@java("A rebalance drops the process queue.", "A rebalance of {who} drops the process queue")
def marks(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """A rebalance drops the process queue before removing it.

    Up to 4.9, the removal follows at once. From 5.0 on, it follows after all obsolete process queues were dropped.
    """
    return step(And(s.present, Not(s.dropped)), dropped=True)


def _told_suspends(before: Offsets, after: Offsets, c: Choices, client: OffsetsClient) -> str:
    words = "An offset reset suspends {who}, drops its process queue and clears it"
    return f"{words} (to {'offset 0' if c.zero else 'the end of the queue'})"


@java("A reset of the queue's offset begins.", _told_suspends, choices=("zero", "offset"))
def suspends(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """The reset drops and clears the process queue; a running listener continues.

    Mirror of ``suspend``, then ``ProcessQueue.setDropped`` and ``clear``.
    """
    aim = If(c.zero, 0, c.offset)
    can = And(s.present, Not(s.resetting), 0 <= aim, aim <= s.end)
    done = step(can, resetting=True, rewound=False, aim=aim, aimed=False, dropped=True, cached=False)
    return but(done, remains=False) if client.way is Way.ORDERLY else done


@java(
    "The offset reset writes its offset to memory.",
    "The offset reset then writes its offset into the memory of {who}",
)
def rewinds(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """The reset replaces the offset in memory (``updateConsumeOffset``).

    It waits ten seconds before. From 5.5.0 on, the reset of an ordered consumer waits at most so long for a listener.
    """
    return step(And(s.resetting, Not(s.rewound)), memory=s.aim, rewound=True)


@java(
    "The consumer unsubscribes from the topic.",
    "{who} unsubscribes from the topic: only its process queue is removed",
)
def unsubscribes(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """The process queue is removed from the table without sending an offset.

    Mirror of ``truncateMessageQueueNotMyTopic``, after the user has unsubscribed from the topic.
    """
    return becomes(s.present, left_table(s, True))


@java(
    ("shutdown() interrupts the consumer's listener threads."), "{who} begins to shut down and interrupts its listeners"
)
def interrupts(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """shutdown() interrupts the listener threads, once (``ThreadPoolExecutor.shutdownNow``).

    Requests that wait for a thread do not run any more. A request that a thread has taken counts as a call that has
    begun.
    """
    return step(Not(Or(s.interrupted, s.closed)), interrupted=True, cut=Or(s.runs, s.late))


@java(
    "The listener returns with its thread's interrupt status set.",
    returned("The listener of {who} returns with its thread still interrupted: nothing is recorded"),
    choices=("half",),
)
def returns_interrupted(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """The listener returns while its thread is interrupted; no offset is recorded now.

    ``ProcessQueue.removeMessage`` or ``commit`` takes its lock by ``lockInterruptibly``, returns -1, and clears the
    interrupt status. The batch of an ordered listener stays in ``consumingMsgOrderlyTreeMap``, unless a reset has
    cleared it.
    """
    done = step(And(s.runs, s.cut), runs=False, **consumed(s))
    return but(done, remains=And(s.cached, Not(s.resetting))) if client.way is Way.ORDERLY else done


def _revoked(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Offsets:
    done = removed(s, c, lim, client)
    left = left_table(under_way(s, sent(done, s), c), Not(done.after.present))
    return left.but(dropped=And(done.after.present, done.after.dropped), memory=done.after.memory)


@by_terms
def revokes(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """A rebalance removes the process queue.

    The consumer no longer owns the queue, or no message was pulled for too long.
    """
    return becomes(s.present, _revoked(s, c, lim, client))


RETIRES = (
    "The offset reset commits the offset in memory and removes the process queue.",
    "The offset reset makes {who} commit its in-memory offset, then removes the process queue",
)


@by_terms
def retires(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """A reset removes the process queue, whatever ``removeUnnecessaryMessageQueue`` returns.

    The consumer is resumed afterwards (``resume``).
    """
    after = left_table(_revoked(s, c, lim, client), True).but(aimed=True, missed=Or(s.missed, s.memory != s.aim))
    return becomes(And(s.resetting, s.rewound), after)


# ---- Actions with a concurrent listener, and of a broker's replica
#
# The replica has its own offset table. It answers queries and receives commits while the route has no master
# (``MQClientInstance.findBrokerAddressInSubscribe``; up to 4.9.2 ``findBrokerAddressInAdmin``).

concurrently: Actions[Offsets, Choices, Limits, OffsetsClient] = Actions("_concurrently")
concurrently(*ASKS, choices=("silent", "error", "zero", "replica"))(asks)
concurrently(*COMMITS, choices=("more", "replica"))(commits)
concurrently(*REVOKES, choices=("in_set", "more"))(revokes)
concurrently(*RETIRES, choices=("more",))(retires)


@concurrently("The consumer calls its listener with the message.", "{who} calls its listener with the message")
def starts_concurrently(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """The listener is called with the message.

    Mirror of ``ConsumeMessageConcurrentlyService.ConsumeRequest.run``.
    """
    return step(And(s.present, Not(s.dropped), s.cached, Not(s.runs), Not(s.interrupted)), runs=True)


def _left(s: Offsets, c: Choices) -> Bool:
    """Check whether ``ProcessQueue.removeMessage`` can return ``c.offset``.

    It returns the first offset that is left, or the one after the last.
    """
    return And(s.began <= c.offset, c.offset <= s.next)


@concurrently(
    "The listener returns.",
    returned("The listener of {who} returns: the message is consumed"),
    choices=("none", "more", "half", "offset"),
)
def ends_concurrently(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """The listener returns from the message, and the next offset to commit is to be recorded.

    This happens only if the process queue is not dropped. It removes the message, and the offset is the first one
    left. If the message was removed before, another message is still there.
    """
    notes = Not(Or(s.dropped, c.none))
    left = And(_left(s, c), c.offset != lim.message, Or(s.cached, c.offset < s.next))
    can = And(s.runs, Implies(c.none, Not(s.cached)), Implies(notes, left))
    after = s.where(notes, cached=False, **noted(s, c.offset, c)).but(runs=False, **consumed(s))
    return can, vars(after)


@concurrently("The listener consumes another message.", "{who} consumes another message", choices=("more", "offset"))
def others_concurrently(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """The listener returns from another message; the first remaining offset is to be recorded."""
    left = And(_left(s, c), Implies(s.cached, c.offset <= lim.message))
    return step(And(s.present, Not(s.dropped), left), **noted(s, c.offset, c))


@concurrently(
    "The client sends the message back for a retry, because its listener takes too long.",
    "The listener of {who} takes too long: the message is sent back for a retry",
)
def cleans(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """``ProcessQueue.cleanExpiredMsg`` sends the message back to the broker and removes it."""
    return step(And(s.present, s.cached), cached=False, given=True)


@concurrently("A replica of the broker copies the committed offset.")
def replicates(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """The replica's offset table is overwritten with the master's, every 10 s.

    Mirror of ``SlaveSynchronize.syncConsumerOffset``.
    """
    return step(True, copied=s.committed)


@concurrently(
    "A replica takes over from the broker.",
    "A replica takes over from the broker, with its own copy of the offset",
)
def swaps(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """The replica's offset becomes the committed one.

    The former broker becomes the replica, with its own offset.
    """
    return step(True, committed=s.copied, copied=s.committed, back=s.copied < s.committed)


# ---- Actions with an ordered listener
#
# A batch is taken, consumed and recorded before the next one. ``ConsumeMessageOrderlyService`` holds the queue's lock
# in the client meanwhile, so this is also true of batches of different process queues. The broker's lock is no
# condition here: all behaviour with that lock is also possible without it.

in_order: Actions[Offsets, Choices, Limits, OffsetsClient] = Actions("_in_order")
in_order(*ASKS, choices=("silent", "error", "zero"))(asks)
in_order(*COMMITS, choices=("more",))(commits)
in_order(*REVOKES, choices=("in_set", "more", "held", "stale"))(revokes)
in_order(*RETIRES, choices=("more", "held", "stale"))(retires)


def _may_begin(s: Offsets) -> Bool:
    """Check whether ``ConsumeRequest.run`` can take the client's queue lock.

    The process queue must not be dropped.
    """
    return And(s.present, Not(s.dropped), Not(Or(s.runs, s.late, s.noting)))


@in_order("The consumer calls its listener with the message.", "{who} calls its listener with the message")
def starts_in_order(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """The listener is called with a batch that contains the message (``takeMessages``).

    ``ConsumeRequest.run`` continues even after shutdown().
    """
    return step(And(_may_begin(s), s.cached, Not(s.remains)), runs=True, cut=False)


@in_order(
    "The listener returns.",
    returned("The listener of {who} returns: the message is consumed"),
    choices=("half", "offset"),
)
def ends_in_order(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
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


@in_order("The listener consumes another batch.", "{who} consumes another batch", choices=("offset",))
def others_in_order(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
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


@in_order(
    "The first pull queries the queue's offset again.",
    heard("The first pull of {who} queries the offset again"),
    choices=("silent", "error", "zero", "older", "offset"),
)
@by_terms
def fixes(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
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


@in_order(
    "A first pull whose process queue is gone receives its answer.",
    "A first pull of {who}, whose process queue is gone, receives its answer",
    choices=("offset",),
)
def overtaken(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """The first pull of a removed process queue writes the committed offset to memory.

    Mirror of ``readOffset``. The action is always possible, because the state does not record whether such a pull
    is outstanding.
    """
    return step(c.offset >= 0, memory=c.offset)


@in_order(
    ("The consumer records the offset after a batch in memory."), "{who} records the offset after the batch in memory"
)
def notes_in_order(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """The offset after the batch replaces the offset in memory, even a larger one.

    Mirror of ``updateOffset(mq, offset, false)``.
    """
    return noticed(step(s.noting, noting=False, memory=s.noted), s, lim, s.noted)


@in_order(
    "The listener gets the next message and asks for a retry.",
    "The listener of {who} gets the next message and asks for a retry",
)
def others_fail(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """The listener fails for the next message, and all messages of its batch are put back.

    The observed message, left there by an interrupted call, is among them (``makeMessageToConsumeAgain``).
    """
    return step(And(_may_begin(s), s.remains, lim.message + 1 < s.next), remains=False)


# ---- Actions of Node, whose loop consumes batch by batch
#
# The loop continues with the messages of a process queue even after that has left ``processQueueTable``. So most
# actions exist for both kinds of process queues. Such an action is written once; its parameter ``of`` names the
# state's fields for one of the kinds.

by_loop: Actions[Offsets, Choices, Limits, OffsetsClient] = Actions("_by_loop")
by_loop(*ASKS, choices=("silent", "error", "zero"))(asks)
by_loop(*ADDS, choices=("offset",))(adds)
by_loop(*COMMITS, choices=("more",))(commits)


@dataclass(frozen=True)
class _Of:
    """Names of the state's fields for a process queue in the table, or for one that has left it."""

    present: str
    next: str
    cached: str
    runs: str
    owed: str

    def __call__(self, s: Offsets) -> "_Entry":
        return _Entry(*(getattr(s, field) for field in vars(self).values()))

    def but(self, s: Offsets, **changed: Value) -> Offsets:
        """Return the state ``s`` with these fields of the process queue changed."""
        return s.but(**{getattr(self, name): value for name, value in changed.items()})


@dataclass(frozen=True)
class _Entry:
    present: Bool
    next: Int
    cached: Bool
    runs: Bool
    owed: Bool


IN_TABLE = _Of("present", "next", "cached", "runs", "owed")
LEFT = _Of("lingers", "left_next", "left_cached", "late", "left_owed")


Does = Callable[[_Of, Offsets, Choices, Limits], Step]


def of_both(
    sentence: str, story: str, late_story: str, *, late: str = "", choices: tuple[str, ...] = ()
) -> Callable[[Does], None]:
    """Return a decorator that declares an action for both kinds of process queues.

    ``late``: its sentence for a process queue that has left the table; by default, ``sentence`` with that addition.
    """
    gone = late or f"{sentence.removesuffix('.')}, after its process queue has left the table."

    def declare(does: Does) -> None:
        name = does.__name__.removesuffix("_by_loop")
        for named, words, of in ((name, (sentence, story), IN_TABLE), (f"{name}_late", (gone, late_story), LEFT)):

            def effect(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient, of: _Of = of) -> Step:
                return does(of, s, c, lim)

            effect.__name__ = named
            by_loop(*words, choices=choices)(effect)

    return declare


@of_both(
    "The consumer pulls the message.",
    "{who} pulls the message",
    "{who} pulls the message, although its process queue is gone",
    choices=("offset",),
)
def pulls_by_loop(of: _Of, s: Offsets, c: Choices, lim: Limits) -> Step:
    """A pull finds the message.

    The pull may have been in flight when the process queue left the table.
    """
    entry = of(s)
    return becomes(And(entry.present, pulled(s, c, lim, entry.next)), of.but(s, cached=True, next=c.offset))


@of_both(
    "The consumer pulls other messages.",
    "{who} pulls other messages",
    "{who} pulls other messages, although its process queue is gone",
    choices=("offset",),
)
def passes_by_loop(of: _Of, s: Offsets, c: Choices, lim: Limits) -> Step:
    """A pull finds other messages, but not the observed one."""
    entry = of(s)
    return becomes(And(entry.present, passed(s, c, lim, entry.next)), of.but(s, next=c.offset))


def _idle(of: _Of, s: Offsets) -> Bool:
    """Check that the loop's present batch does not contain the message."""
    entries = (of(s), (LEFT if of is IN_TABLE else IN_TABLE)(s))
    return Not(Or(*(Or(entry.runs, entry.owed) for entry in entries)))


@of_both(
    "The consumer calls its listener with the message.",
    "{who} calls its listener with the message",
    "{who} calls its listener with the message, although its process queue is gone",
)
def starts_by_loop(of: _Of, s: Offsets, c: Choices, lim: Limits) -> Step:
    """``consumeSingleMsg`` calls the listener with the message, for the first time or again."""
    entry, after = of(s), of.but(s, runs=True)
    can = And(entry.present, entry.cached, _idle(of, s), Not(s.closed))
    return becomes(can, after.but(begun_late=True) if of is LEFT else after)


def _after_return(of: _Of, s: Offsets, **changed: Value) -> Offsets:
    after = of.but(s, runs=False, **changed)
    return after.but(begun_late=False) if of is LEFT else after


@of_both(
    "The listener returns from the message.",
    "The listener of {who} returns: the message is consumed",
    "The listener of {who} returns after the process queue was removed: the message is consumed",
)
def ends_by_loop(of: _Of, s: Offsets, c: Choices, lim: Limits) -> Step:
    """The message is consumed or sent back for a retry; its batch is not recorded yet."""
    entry = of(s)
    return becomes(And(entry.present, entry.runs), _after_return(of, s, owed=True).but(**consumed(s)))


@of_both(
    "The listener returns and asks for a retry of the message.",
    "The listener of {who} returns and asks for a retry of the message",
    "The listener of {who} returns after the process queue was removed, and asks for a retry of the message",
)
def fails_by_loop(of: _Of, s: Offsets, c: Choices, lim: Limits) -> Step:
    """The listener fails, and the message is not sent back but stays for another try."""
    entry = of(s)
    return becomes(And(entry.present, entry.runs), _after_return(of, s))


def _recorded(s: Offsets, offset: Int) -> Offsets:
    """Return the state after ``offset`` was recorded in memory, unless memory has a larger one.

    Mirror of ``updateOffset(messageQueue, offset, true)``, which Node runs synchronously.
    """
    return s.but(memory=If(s.memory < offset, offset, s.memory))


def _taken_out(of: _Of, s: Offsets, c: Choices, lim: Limits, can: Bool) -> Step:
    """Remove a batch's messages, and record the offset of the first remaining one.

    If no message remains, the offset is the one after the last. ``can``: a further condition of the step.
    """
    left = And(lim.message < c.offset, c.offset <= of(s).next)
    return becomes(And(can, left), of.but(_recorded(s, c.offset), cached=False, owed=False))


@of_both(
    "The consumer records the offset after the message's batch in memory.",
    "{who} records the offset after the batch in memory",
    "{who}, whose process queue is gone, records the offset after the batch in memory",
    choices=("offset",),
)
def notes_by_loop(of: _Of, s: Offsets, c: Choices, lim: Limits) -> Step:
    """The whole batch has returned: its messages are removed, and the next offset is recorded.

    The offset is the first one left. Memory stays unchanged if it has a larger offset.
    """
    entry = of(s)
    return _taken_out(of, s, c, lim, And(entry.present, entry.owed))


@of_both(
    "A consumer that shuts down treats the message as consumed without calling the listener.",
    "The loop of {who}, which is shutting down, treats the message as consumed without calling the listener",
    "The loop of {who}, which is shutting down and has no process queue, treats the message as consumed",
    choices=("offset",),
)
def skips_by_loop(of: _Of, s: Offsets, c: Choices, lim: Limits) -> Step:
    """A closed consumer skips the batch, and the loop treats that as success.

    Mirror of ``consumeSingleMsg``.
    """
    entry = of(s)
    return _taken_out(of, s, c, lim, And(entry.present, entry.cached, _idle(of, s), s.closed))


@of_both(
    "The loop finishes a batch of other messages.",
    "The loop of {who} finishes other messages",
    "The loop of {who}, whose process queue is gone, finishes other messages",
    choices=("offset",),
)
def others_by_loop(of: _Of, s: Offsets, c: Choices, lim: Limits) -> Step:
    """A batch without the message is done, and its offset is recorded."""
    entry = of(s)
    left = And(0 < c.offset, c.offset <= entry.next, Implies(entry.cached, c.offset <= lim.message))
    return becomes(And(entry.present, _idle(of, s), left), _recorded(s, c.offset))


@of_both(
    "A pull finds no message, and the process queue is empty.",
    "A pull of {who} finds no message; {who} records its next offset in memory",
    "A pull of {who} that outlived its process queue finds no message; its next offset is recorded",
    late="A pull finds no message, after its process queue has left the table.",
)
def empty_by_loop(of: _Of, s: Offsets, c: Choices, lim: Limits) -> Step:
    """``correctTagsOffset`` records the next offset of an empty process queue."""
    entry = of(s)
    return becomes(And(entry.present, Not(entry.cached)), _recorded(s, entry.next))


def _persisted(s: Offsets, c: Choices) -> Offsets:
    """Return the state after ``persistAll`` has sent a queue's offset (``offset || -1``)."""
    unknown = Or(s.memory == NO_OFFSET, s.memory == 0)
    return under_way(s.but(memory=If(unknown, UNKNOWN, s.memory)), True, c)


@by_loop(
    "The consumer commits its in-memory offset of the queue.", "{who} commits its in-memory offset", choices=("more",)
)
def sends_by_loop(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """``persistAll`` sends the offset in memory every five seconds.

    A pull sends no larger offset, and only offsets above 0.
    """
    return becomes(s.present, _persisted(s, c))


@by_loop(
    "`persistAll` removes the in-memory offset of a queue without a process queue.",
    "`persistAll` of {who} has sent the offsets of its queues and removes all others from memory",
)
def forgets_by_loop(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """``persistAll`` removes offsets of queues without process queues from memory, in one step."""
    return becomes(And(Not(s.present), Not(s.closed), s.memory != NO_OFFSET), s.but(memory=NO_OFFSET))


def _leaves(s: Offsets, c: Choices) -> Offsets:
    """Return the state after the process queue has left the table.

    The loop continues with that process queue if the loop has a batch of its messages or a pull is in flight.
    """
    goes = Or(s.runs, s.owed, c.held)
    which = And(goes, Not(And(s.lingers, c.more)))
    left = s.where(which, left_next=s.next, left_cached=s.cached, late=s.runs, left_owed=s.owed, begun_late=False)
    return left.but(present=False, cached=False, runs=False, owed=False, lingers=Or(s.lingers, goes))


@by_terms
def revokes_by_loop(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """The process queue leaves the table before its offset is sent.

    If sending fails, the offset stays in memory.
    """
    done = removed(s, c, lim, client)
    return becomes(s.present, _leaves(under_way(s, sent(done, s), c), c).but(memory=done.after.memory))


@by_loop(
    "The consumer begins to shut down.",
    "{who} begins to shut down and commits its in-memory offset; its table still has the queue",
    choices=("more",),
)
def shuts_by_loop(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """``close``: the consumer is closed first; its table stays until its offsets are in flight."""
    after = s.where(s.present, **vars(_persisted(s, c)))
    return becomes(Not(s.closed), after.but(closed=True))


@by_loop(
    "A consumer that shuts down empties its table.",
    "The table of {who}, which is shutting down, is emptied",
    choices=("held", "more"),
)
def clears_by_loop(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """The consumer has sent its offsets, and empties its table."""
    return becomes(And(s.closed, s.present), _leaves(s, c))


@by_loop("The consumer's process crashes or is killed.", "The process of {who} crashes or is killed")
def crashes_by_loop(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """The process ends at once and sends nothing."""
    of_entries = ("present", "cached", "runs", "owed", "late", "lingers", "left_cached", "left_owed", "begun_late")
    gone = dict.fromkeys((*of_entries, "asking"), False)
    return becomes(Not(s.closed), s.but(closed=True, memory=NO_OFFSET, **gone))


by_loop(*REVOKES, choices=("silent", "held", "more"))(revokes_by_loop)


# ---- The machines

ORDER = (
    *("asks", "adds", "pulls", "passes", "starts", "ends", "ends_late", "fails", "others", "empty", "sends"),
    *("commits", "revokes", "forgets", "shuts", "crashes", "arrives", "copies", "finishes", "records", "marks"),
    *("suspends", "rewinds", "retires", "unsubscribes", "interrupts", "returns_interrupted", "cleans", "replicates"),
    *("swaps", "fixes", "overtaken", "notes", "others_fail", "skips", "pulls_late", "passes_late", "empty_late"),
    *("starts_late", "fails_late", "others_late", "notes_late", "skips_late", "clears"),
)
"""Names of all actions, in the order in which every machine lists its actions."""


def machine(
    *watches: Callable[[Act], Act], of: Iterable[Act], well_formed: Callable[[Offsets, Limits], Bool]
) -> Machine[Offsets, Choices, Limits, OffsetsClient]:
    """Return the state machine of one consumer, with the actions ``of``.

    Each function in ``watches`` adds ghost fields (used by claims only) to every action.
    """
    acts = sorted(of, key=lambda action: ORDER.index(action.name))
    for watch in watches:
        acts = list(map(watch, acts))
    return Machine(Offsets, Choices, Limits, first, tuple(acts), well_formed)


def _in_one_place(s: Offsets, lim: Limits) -> Bool:
    """Check that the process queue contains the batch of a running or interrupted listener call.

    This holds unless an offset reset has cleared the process queue.
    """
    here = And(Implies(s.runs, Or(s.cached, s.resetting)), Implies(s.remains, And(s.cached, Not(s.runs))))
    return And(given_or_not(s, lim), here)


def _of_an_entry(s: Offsets, lim: Limits) -> Bool:
    """Check that a listener call is for a process queue that the state describes."""
    return Implies(s.late, s.lingers)


MACHINES = {
    Way.CONCURRENTLY: machine(interruptible, watched, of=(*java, *concurrently), well_formed=given_or_not),
    Way.ORDERLY: machine(interruptible, counted, of=(*java, *in_order), well_formed=_in_one_place),
    Way.BY_LOOP: machine(watched, of=by_loop, well_formed=_of_an_entry),
}
for made in (JavaClient, OrderlyClient, NodeClient):
    made.machine = MACHINES[made.way]

# ---- The clients; to add one, add a line

V4_9 = (generations.V4_9_0, generations.V4_9_1, generations.V4_9_5, generations.V4_9_8)
CONCURRENT = (
    JavaClient("java_v4_9", "Java 4.9", V4_9),
    JavaClient("java_v5", java_from("5.0"), (generations.V5_0, *generations.FROM_5_2)),
)
ORDERLY = (
    OrderlyClient("java_v4_9-orderly", "Java 4.9, ordered", V4_9, heeds=False),
    OrderlyClient("java_v5_0-orderly", "Java 5.0 to 5.1.4, ordered", (generations.V5_0,)),
    OrderlyClient("java_v5_2-orderly", f"{java_from('5.2')}, ordered", generations.FROM_5_2),
)
BY_LOOP = (NodeClient("node", "Node (ali-ons)", ("node",)),)
CLIENTS: tuple[OffsetsClient, ...] = (*CONCURRENT, *BY_LOOP, *ORDERLY)
