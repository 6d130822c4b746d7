"""Actions of a Java client on a queue's offset, with either listener.

A reset of the queue's offset is done by the client itself (``MQClientInstance.resetOffset``), at the broker's or a
user's wish: the consumer is suspended, its entry marked and emptied; ten seconds later the offset is put into the
memory and sent, the entry goes, and the consumer is resumed, which rebalances.

shutdown() interrupts running listeners: ``ThreadUtils.shutdownGracefully`` waits for
``awaitTerminationMillisWhenShutdown``, 0 as shipped, and calls ``shutdownNow``, from 4.7.1 on. Offsets are sent after
that (``DefaultMQPushConsumerImpl.shutdown``).
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
from rebalance_proofs.model.offsets.state import NOWHERE, Choices, Limits, Offsets, Variant, has_or_asks
from rebalance_proofs.model.offsets.ways import Way
from rebalance_proofs.model.transition.numbers import NO_OFFSET

__all__ = ["HALF", "JAVA", "RETIRES", "noted", "retires", "returned", "revokes"]

JAVA: Actions[Offsets, Choices, Limits, Variant] = Actions()
HALF = "The interrupted listener of {who} returns success with its work half done"


def returned(words: str) -> Told:
    """Story text of a listener's return: ``words``, or that its work is half done."""
    return lambda before, after, c, client: HALF if c.half else words


JAVA(*ADDS, choices=("offset",))(adds)


def _pulls(s: Offsets, client: Variant) -> tuple[Bool, ...]:
    """Further conditions of a pull: an ordered listener's first pull has its answer, and there is an offset to pull
    from."""
    return (s.fixed, s.next != NOWHERE) if client.way is Way.ORDERLY else ()


def _if_it(guard: Bool, more: tuple[Bool, ...]) -> Bool:
    return And(guard, *more) if more else guard


@JAVA("The message is pulled.", "{who} pulls the message", choices=("offset",))
def pulls(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """A pull finds the message, perhaps among others; its entry may have been dropped by then."""
    can = And(s.present, pulled(s, c, lim, s.next))
    return step(_if_it(can, _pulls(s, client)), cached=True, next=c.offset)


@JAVA("Others are pulled.", "{who} pulls other messages", choices=("offset",))
def passes(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """A pull finds other messages or none, but not this one."""
    can = And(s.present, passed(s, c, lim, s.next))
    return step(_if_it(can, _pulls(s, client)), next=c.offset)


@JAVA(
    "The listener returns, after the entry has left the table.",
    returned("The listener of {who} returns after the entry was removed: the message is consumed, but not recorded"),
    choices=("more", "half"),
)
def ends_late(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """The listener returns, and no offset is recorded."""
    return step(s.late, late=c.more, **consumed(s))


@JAVA(
    "The listener returns, but the message is to be tried again.",
    "The listener of {who} returns and asks for a retry of the message",
)
def fails(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """The message can neither be counted as consumed nor given back."""
    return step(s.runs, runs=False)


def noted(s: Offsets, offset: Int, c: Choices) -> dict[str, Bool | Int]:
    """The changes by which the offset is about to be recorded; ``c.more``: an earlier one stays the one that is looked
    at."""
    return {"recording": True, "recorded": If(And(s.recording, c.more), s.recorded, offset)}


@JAVA(
    "A pull has found nothing, and the entry has no messages.",
    "A pull of {who} finds no message; {who} is about to record its next offset",
    choices=("more",),
)
def empty(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """``correctTagsOffset`` is about to record the next offset of an entry without messages."""
    can = And(s.present, Not(s.cached))
    return step(_if_it(can, _pulls(s, client)), **noted(s, s.next, c))


def _told_sends(before: Offsets, after: Offsets, c: Choices, client: Variant) -> str:
    words = "{who} commits the offset in its memory"
    return words if after.present else f"{words}: its entry is gone, but `persistAll` had already listed the queue"


@JAVA("The memory's offset is sent.", _told_sends, choices=("more",))
def sends(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """The memory's offset is sent with a pull, or every five seconds by ``persistAll``. A ``persistAll`` that was given
    the queue sends it even if the entry has gone."""
    after = under_way(s, True, c).but(listed=And(s.listed, s.present))
    return becomes(And(Or(s.present, s.listed), s.memory != NO_OFFSET), after)


@JAVA(
    "The offset of a queue that had no entry is forgotten.",
    "`persistAll` of {who} has sent the listed offsets and forgets all others",
)
def forgets(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """``persistAll``, after its loop, removes offsets of queues that it was not given, whatever has become of them
    meanwhile."""
    return step(And(s.unlisted, s.memory != NO_OFFSET), memory=NO_OFFSET, unlisted=False)


def _gone(s: Offsets, goes: Bool) -> Offsets:
    """The state after the entry has left the table, if it goes; a listener's call for it goes on."""
    stays = Not(goes)
    of_entry = ("present", "dropped", "cached", "runs", "fixed", "owed", "remains", "resetting", "rewound")
    return s.but(**{one: And(getattr(s, one), stays) for one in of_entry}, late=Or(s.late, And(goes, s.runs)))


def _told_shuts(before: Offsets, after: Offsets, c: Choices, client: Variant) -> str:
    if before.memory == NO_OFFSET:
        return "{who} shuts down and has no offset in memory to commit"
    return "{who} shuts down and commits the offset in its memory"


@JAVA("The consumer is shut down.", _told_shuts, choices=("more",))
def shuts(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """Offsets are sent, and then the table is emptied."""
    sends = And(s.present, s.memory != NO_OFFSET)
    return becomes(Not(Or(s.asking, s.closed)), _gone(under_way(s, sends, c), True).but(closed=True))


@JAVA("Its process ends.", "The process of {who} ends")
def crashes(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """The process ends at once. What was sent may still arrive."""
    nothing = dict.fromkeys(("late", "recording", "noting", "asking", "listed", "unlisted", "aimed"), False)
    return becomes(Not(s.closed), _gone(s, True).but(closed=True, memory=NO_OFFSET, **nothing))


@JAVA("The message arrives.")
def arrives(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """The message becomes the queue's last one. When producers send does not depend on consumers."""
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


@JAVA("The table's queues are copied, whose offsets are to be sent.", _told_copies)
def copies(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """``persistConsumerOffset`` copies the table's queues, in the timer's thread, and ``persistAll`` begins."""
    return step(Not(Or(s.listed, s.unlisted, s.closed)), listed=s.present, unlisted=Not(s.present))


@JAVA("All of these are sent.", "`persistAll` of {who} is over")
def finishes(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """``persistAll`` ends, or is through with the queue."""
    return step(Or(s.listed, s.unlisted), listed=False, unlisted=False)


@JAVA("An offset is recorded in the memory.", "{who} records the offset in memory", choices=("more",))
def records(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """The offset is put into the memory, unless that has a larger one."""
    more = If(s.memory < s.recorded, s.recorded, s.memory)
    done = step(s.recording, recording=c.more, memory=more)
    return noticed(done, s, lim, s.recorded) if client.way is Way.ORDERLY else done


def noticed(done: Step, s: Offsets, lim: Limits, offset: Int) -> Step:
    """The step ``done`` of an ordered queue, extended by ghost fields: the offset is noted, and the message may lie
    below it."""
    kept = And(s.present, offset > lim.message)
    return but(done, owed=And(s.owed, Not(kept)), kept=Or(s.kept, kept))


@JAVA("A rebalance marks the entry.", "A rebalance of {who} marks the queue as dropped")
def marks(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """Up to 4.9 the rebalance removes the entry next; from 5.0 on, after it has marked all entries that have to go."""
    return step(And(s.present, Not(s.dropped)), dropped=True)


def _told_suspends(before: Offsets, after: Offsets, c: Choices, client: Variant) -> str:
    words = "An offset reset suspends {who}, marks its entry and empties it"
    return f"{words} (to {'offset 0' if c.zero else 'the end of the queue'})"


@JAVA("A reset of the queue's offset begins.", _told_suspends, choices=("zero", "offset"))
def suspends(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """``suspend``, then ``ProcessQueue.setDropped`` and ``clear``. A listener that is being called goes on."""
    aim = If(c.zero, 0, c.offset)
    can = And(s.present, Not(s.resetting), 0 <= aim, aim <= s.end)
    done = step(can, resetting=True, rewound=False, aim=aim, aimed=False, dropped=True, cached=False)
    return but(done, remains=False) if client.way is Way.ORDERLY else done


@JAVA(
    "It puts its offset into the memory.",
    "After ten seconds, the reset writes its offset into the memory of {who}",
)
def rewinds(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """``updateConsumeOffset``, ten seconds later, replaces whatever is in the memory."""
    return step(And(s.resetting, Not(s.rewound)), memory=s.aim, rewound=True)


@JAVA(
    "The topic is not subscribed any more.",
    "{who} unsubscribes from the topic: only its entry is removed",
)
def unsubscribes(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """``truncateMessageQueueNotMyTopic`` takes the entry out of the table; no offset is sent."""
    return becomes(s.present, _gone(s, True))


@JAVA("shutdown() interrupts the threads of its listeners.", "{who} begins to shut down and interrupts its listeners")
def interrupts(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """``ThreadPoolExecutor.shutdownNow``, once. Requests that wait for a thread are not run any more; a request that a
    thread has taken counts as a call that has begun."""
    return step(Not(Or(s.interrupted, s.closed)), interrupted=True, cut=Or(s.runs, s.late))


@JAVA(
    "The listener returns with its thread's interrupt status set.",
    returned("The listener of {who} returns with its thread still interrupted: nothing is recorded"),
    choices=("half",),
)
def returns_interrupted(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """``ProcessQueue.removeMessage`` or ``commit``, which take their lock by ``lockInterruptibly``, return -1, and
    clear the interrupt status. So nothing is noted just then.

    The batch of an ordered listener stays in ``consumingMsgOrderlyTreeMap``, unless a reset has emptied that.
    """
    done = step(And(s.runs, s.cut), runs=False, **consumed(s))
    return but(done, remains=And(s.cached, Not(s.resetting))) if client.way is Way.ORDERLY else done


def _revoked(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Offsets:
    done = removed(s, c, lim, client)
    left = _gone(under_way(s, sent(done, s), c), Not(done.after.present))
    return left.but(dropped=And(done.after.present, done.after.dropped), memory=done.after.memory)


@by_terms
def revokes(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """The queue is not the consumer's any more, or no message was pulled for too long."""
    return becomes(s.present, _revoked(s, c, lim, client))


RETIRES = (
    "It has the memory's offset sent, and takes the entry away.",
    "The reset makes {who} commit the offset in its memory, then removes the entry",
)


@by_terms
def retires(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """``removeUnnecessaryMessageQueue``; the entry is taken out whatever that returns. ``resume`` comes next."""
    after = _gone(_revoked(s, c, lim, client), True).but(aimed=True, missed=Or(s.missed, s.memory != s.aim))
    return becomes(And(s.resetting, s.rewound), after)
