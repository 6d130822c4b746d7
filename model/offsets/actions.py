"""Actions on one queue's offset that are the same for every kind of consumer.

The machine observes one queue and one of its messages, "the message". Each action function returns the action's guard
and the state's changed fields. Its parameters: ``s``, the state before; ``c``, the action's nondeterministic choices;
``lim``, constant parameters; ``client``, the client's differences from other clients.
"""

from collections.abc import Callable, Iterable

from rebalance_proofs.model.client.environment import NOT_FOUND
from rebalance_proofs.model.machine.machine import Action, Machine, Step, becomes, step
from rebalance_proofs.model.machine.values import And, Bool, If, Int, Not, Or
from rebalance_proofs.model.offsets.rebalance import added, by_terms
from rebalance_proofs.model.offsets.state import NONE, Choices, Limits, Offsets, Variant, Way, first
from rebalance_proofs.model.transition.numbers import BROKER_ERROR, NO_OFFSET, THROWN, UNANSWERED

Act = Action[Offsets, Choices, Limits, Variant]
Told = Callable[[Offsets, Offsets, Choices, Variant], str]
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
) -> Machine[Offsets, Choices, Limits, Variant]:
    """Return the state machine of one consumer, with the actions ``of``.

    Each function in ``watches`` adds ghost fields (used by claims only) to every action.
    """
    acts = sorted(of, key=lambda action: ORDER.index(action.name))
    for watch in watches:
        acts = list(map(watch, acts))
    return Machine(Offsets, Choices, Limits, first, tuple(acts), well_formed)


def given_or_not(s: Offsets, lim: Limits) -> Bool:
    """Check that a running ``persistAll`` does not both include and omit the queue."""
    return Not(And(s.listed, s.unlisted))


def but(done: Step, **changes: Bool | Int) -> Step:
    """Return an action's step with further changed fields; they replace fields of the same name."""
    return done[0], {**done[1], **changes}


def offset_in_words(offset: int) -> str:
    """Return an offset in words: ``offset 1``; below 0 ``-2, which means none``."""
    return f"offset {offset}" if offset >= 0 else f"{offset}, which means none"


def heard(words: str) -> Told:
    """Return a function that describes an offset query and its answer, for printed traces.

    ``words``: description of the query without its answer.
    """

    def told(before: Offsets, after: Offsets, c: Choices, client: Variant) -> str:
        stored = after.copied if c.replica else after.committed
        answer = f"{'a replica' if c.replica else 'the broker'} returns "
        answer += f"offset {stored}" if stored >= 0 else "0" if c.zero else "none"
        if c.silent or c.error:
            answer = "the broker does not answer" if c.silent else "the broker returns an error"
        return f"{words}: {answer}"

    return told


def _told_adds(before: Offsets, after: Offsets, c: Choices, client: Variant) -> str:
    adds = f"{{who}} adds the queue and starts at offset {after.began}"
    return adds if after.present else "{who} does not add the queue"


def _told_commits(before: Offsets, after: Offsets, c: Choices, client: Variant) -> str:
    return f"The commit of {{who}} reaches {'a replica' if c.replica else 'the broker'}"


def _told_revokes(before: Offsets, after: Offsets, c: Choices, client: Variant) -> str:
    words = "A rebalance removes the process queue of {who}, which "
    # If Node's memory has no offset, Node sends -1.
    remembers = before.memory != NO_OFFSET or client.way is Way.BY_LOOP
    words += "commits its offset and forgets it" if remembers else "has no offset in memory to commit"
    if after.present:
        words = "A rebalance drops the process queue of {who}, which commits its offset while its listener runs"
    if c.stale:
        words += " (its lock was not renewed for too long)"
    if c.silent:
        words = "A rebalance removes the process queue of {who}, which cannot send its offset and keeps it in memory"
    if c.in_set:
        words += ", because it has pulled nothing for two minutes"
    # Only Node's loop can be busy when there is no other message.
    return f"{words} (its loop still has other messages of the queue)" if c.held else words


ASKS = ("A rebalance queries the queue's committed offset.", heard("A rebalance of {who} queries the committed offset"))
ADDS = ("The rebalance adds the queue, if the answer gives an offset to start at.", _told_adds)
COMMITS = ("A commit of the consumer reaches the broker.", _told_commits)
REVOKES = ("A rebalance drops the consumer's process queue.", _told_revokes)


def answered(s: Offsets, c: Choices, stored: Int) -> Int:
    """Return the answer to a query for the committed offset.

    ``stored``: the broker's offset.
    """
    none = If(c.zero, 0, NOT_FOUND)
    return If(c.silent, UNANSWERED, If(c.error, BROKER_ERROR, If(stored == NONE, none, stored)))


def asks(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """A rebalance finds a new queue and queries its committed offset.

    The broker answers or does not answer, or a replica answers instead.
    """
    stored = If(c.replica, s.copied, s.committed) if client.way is Way.CONCURRENTLY else s.committed
    answer = answered(s, c, stored)
    ignored = Or(s.ignored, And(s.aimed, answer != UNANSWERED, answer != s.aim))
    idle = Not(Or(s.present, s.asking, s.closed))
    return step(idle, asking=True, answer=answer, known=s.committed, aimed=False, ignored=ignored)


def found(s: Offsets, c: Choices, lim: Limits, client: Variant, answer: Int) -> tuple[Bool, Bool, Int, Int]:
    """Return whether and where a new process queue starts to pull, given its query's answer.

    The parts are: whether a further query can have the answer ``c.offset``; whether the process queue is added; its
    start offset; and the queue's offset in memory afterwards.
    """
    possible, done = added(s, c, lim, client, answer)
    return possible, done.after.present, done.begin, done.after.memory


@by_terms
def adds(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """The rebalance receives the answer and adds the queue, unless it finds no start offset.

    Without an offset, Node's ``readOffset`` returns -1 and leaves the memory unchanged.
    """
    answer = If(s.answer < 0, THROWN, s.answer) if client.way is Way.BY_LOOP else s.answer
    possible, entered, begin, memory = found(s, c, lim, client, answer)
    after = s.but(
        asking=False,
        present=entered,
        dropped=False,
        cached=False,
        runs=False,
        began=If(entered, begin, s.began),
        next=If(entered, begin, s.next),
        memory=memory,
        owned=Or(s.owned, entered),
    )
    if client.way is Way.ORDERLY:
        after = after.but(fixed=False, stands=If(after.present, after.next, after.stands), remains=False)
    return becomes(And(s.asking, possible), after)


def pulled(s: Offsets, c: Choices, lim: Limits, next_: Int) -> Bool:
    """Check whether a pull from ``next_`` to before ``c.offset`` can find the message."""
    return And(next_ <= lim.message, lim.message < c.offset, c.offset <= s.end)


def passed(s: Offsets, c: Choices, lim: Limits, next_: Int) -> Bool:
    """Check whether a pull from ``next_`` to before ``c.offset`` can leave out the message."""
    return And(And(next_ < c.offset, c.offset <= s.end), Or(c.offset <= lim.message, next_ > lim.message))


def consumed(s: Offsets) -> dict[str, Bool]:
    """Return the changed fields when a listener returns from the message, once or again."""
    return {"consumed": True, "again": Or(s.again, s.consumed)}


def under_way(s: Offsets, sends: Bool, c: Choices) -> Offsets:
    """Return the state after the offset in memory was sent to the broker, if ``sends`` holds.

    The state has one commit in flight. If another commit was in flight before, ``c.more`` selects that one.
    """
    looked_at = And(sends, Not(And(s.sending, c.more)))
    return s.but(
        sending=Or(s.sending, sends),
        sent=If(looked_at, s.memory, s.sent),
        origin=If(looked_at, s.began, s.origin),
    )


def commits(s: Offsets, c: Choices, lim: Limits, client: Variant) -> Step:
    """A commit arrives, and the broker stores its offset, even a smaller one.

    Mirror of ``ConsumerOffsetManager.commitOffset``.
    """
    after = s.but(sending=c.more, committed=s.sent, back=s.sent < s.committed)
    if client.way is Way.CONCURRENTLY:
        after = after.but(
            committed=If(c.replica, s.committed, after.committed),
            back=And(after.back, Not(c.replica)),
            copied=If(c.replica, s.sent, s.copied),
        )
    return becomes(s.sending, after)
