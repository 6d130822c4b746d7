"""Limits, rules and state of one ordered queue: one of its consumers, and the broker's lock.

``actions`` has what can happen, ``assumptions`` what claims exclude, and ``claims`` what they guarantee.
"""

from dataclasses import dataclass, replace
from itertools import product

from rebalance_proofs.model.machine.copies import ME, NOBODY, OTHER
from rebalance_proofs.model.machine.fields import Flag, Ghost, Limit, Number, defaults, record
from rebalance_proofs.model.machine.record import Record, Shown, Timed
from rebalance_proofs.model.machine.values import And, Bool, Int, Not, Or, number

# ---- Time limits


@record
class Limits(Record):
    """Time limits in claims about queue locks, each a number of ms or a term."""

    delay: Int = Limit(
        "The longest time from the broker's grant of a lock to the consumer's time stamp of it, pauses "
        "included. For an added queue, it ends with its process queue. Java takes the time stamp before it "
        "looks up an offset, Go after it.",
        "maxLockDelay",
        1_000,
    )
    client: Int = Limit(
        "Time for which a consumer relies on a lock after its last renewal "
        "(`rocketmq.client.rebalance.lockMaxLiveTime`).",
        "client.lockMaxLiveTime",
        30_000,
    )
    broker: Int = Limit(
        "Time for which the broker keeps a lock after its last renewal (`rocketmq.broker.rebalance.lockMaxLiveTime`).",
        "broker.lockMaxLiveTime",
        60_000,
    )
    listener: Int = Limit(
        "The longest time from the check of the lock to the end of the listener's call, hooks and waits included.",
        "maxListenerTime",
        5_000,
    )
    unlock: Int = Limit(
        "`rocketmq.client.unlockDelayTimeMills`. Up to 5.1.4, delay of the unlock of a queue with cached "
        "messages. From 5.2 on, time without a renewal after which a lock is released under a running listener.",
        "unlockDelayTimeMills",
        20_000,
    )
    renewal: Int = Limit(
        "The longest time from one renewal's time stamp to the next, where renewals are in time. It is the "
        "period (`rocketmq.client.rebalance.lockInterval`) plus the variation of answer times. No client "
        "behaviour depends on it.",
        "maxRenewalGap",
        20_000,
    )
    # The default is for one broker: a request of at most a second, and 100 ms.
    late: Int = Limit(
        "The longest time for which a lock request can still reach the broker after the process queue has left "
        "the consumer's table, or after a shutdown that ends renewals has begun. The request is one of a "
        "running `lockAll`, or of `tryLockLaterAndReconsume`, which waits for 10 ms or 100 ms and does not "
        "check the process queue. `lockAll` asks one broker after another, at most a second each, so the time "
        "grows with the number of brokers. No client behaviour depends on it.",
        "maxLateRequest",
        1_100,
    )
    first_pull: Int = Limit(
        "Delay of the first pull of a new process queue, from Java 5.0 on "
        "(`dispatchPullRequest(pullRequestList, 500)`).",
        "firstPullDelay",
        500,
    )
    wait: Int = Limit(
        "`awaitTerminationMillisWhenShutdown`: a shutdown waits this long for the listener's calls, interrupts "
        "them, and waits this long again (`ThreadUtils.shutdownGracefully`). Go does not wait.",
        "awaitTerminationMillisWhenShutdown",
        0,
    )
    loop: Int = Limit(
        "`rocketmq.client.maxTimeConsumeContinuously`: a consume request starts no listener call later than "
        "this after its own start, even if more messages are there.",
        "maxTimeConsumeContinuously",
        60_000,
    )


DEFAULTS = defaults(Limits)
"""Default settings of client and broker; ``delay``, ``listener`` and ``late`` are examples."""

# ---- Differences between clients, apart from their rebalance


@dataclass(frozen=True)
class OrderedRules:
    """Rules of an ordered consumer, apart from those of its rebalance."""

    unlocks_dropped: bool
    """Whether a shutdown unlocks dropped process queues, too."""
    waits_for_listener: bool = True
    """Whether a shutdown can wait for the listener (``awaitTerminationMillisWhenShutdown``)."""
    renews_marked: bool = False
    """Whether ``lockAll`` renews locks of dropped process queues.

    See ``buildProcessQueueTableByBrokerName``.
    """
    renews_on: bool = False
    """Whether a second thread renews locks, which shutdown does not stop.

    From Java 5.0 on, ``DefaultMQPushConsumerImpl.start`` also starts ``consumeMessagePopService``, whose orderly
    variant calls ``lockAll`` with the same period.
    """
    constants: tuple[str, ...] = ()
    """Names of ``Limits`` fields that are constants of the client, not settings."""
    stamps_denials: bool = False
    """Whether a denied renewal sets ``lastLockTimestamp`` as a granted one does."""


# ---- State of a consumer and of the broker's lock, and open choices

OLDEST, LATEST = -7, 4
"""Range of times that explorations distinguish, in ticks relative to now.

Older times are beyond every limit and count as equal. No time lies beyond the latest.
"""
NOTHING = "–"


def _room(lim: Limits) -> tuple[int, int]:
    """Return the range of times that explorations distinguish, in ticks relative to now.

    Raises ``ValueError`` if a limit does not fit.
    """
    told = max(map(number, (lim.client, lim.broker, lim.unlock, lim.renewal)))
    if told >= -OLDEST or max(number(lim.unlock), number(lim.first_pull)) > LATEST:
        raise ValueError("a time limit exceeds the range of ticks that the exploration distinguishes")
    return OLDEST, LATEST


def _waited(lim: Limits) -> tuple[int, int]:
    return -max(number(lim.wait), number(lim.loop) + 1), 0


@record
class Ordered(Timed):
    """A consumer's state of the queue, and the broker's state of its lock.

    All times are on one clock, which consumers and broker are assumed to share.
    """

    present: Bool = Flag(
        "Whether the consumer has a process queue in its table.",
        shown=Shown("process queue", {True: "in table", False: NOTHING}),
    )
    dropped: Bool = Flag("Whether the process queue is dropped.")
    locked: Bool = Flag("Whether the consumer believes that it holds the lock (`ProcessQueue.locked`).")
    stamp: Int = Number(
        "Time at which the consumer last learned that it holds the lock (`lastLockTimestamp`).",
        when=lambda s: s.present,
        room=lambda lim: (_room(lim)[0], 0),
        relative=True,
    )
    pulls_from: Int = Number(
        "Time of the first pull of the process queue, at the earliest.",
        when=lambda s: s.present,
        room=lambda lim: (0, number(lim.first_pull)),
        relative=True,
    )
    cached: Bool = Flag("Whether there are pulled messages that are not consumed.")
    runs: Bool = Flag(
        "Whether the consumer's listener runs with messages of the queue.",
        shown=Shown("listener", {True: "runs", False: NOTHING}),
    )
    since: Int = Number(
        "Time at which the lock was checked for this listener call.",
        when=lambda s: s.runs,
        room=lambda lim: (-number(lim.listener), 0),
        relative=True,
    )
    orphan: Bool = Flag("Whether the listener's process queue has left the table.")
    twice: Bool = Flag("Whether a second listener call has started during the first one.")
    answered: Bool = Flag("Whether the grant of a renewal is in flight to the consumer; of several grants, any one.")
    answered_at: Int = Number(
        "Time at which the broker granted the renewal in flight.",
        when=lambda s: s.answered,
        room=lambda lim: (-number(lim.delay), 0),
        relative=True,
    )
    adding: Bool = Flag("Whether a rebalance waits for its lock grant or for an offset.")
    adding_at: Int = Number(
        "Time at which the broker granted the rebalance's lock.",
        when=lambda s: s.adding,
        room=lambda lim: (-number(lim.delay), 0),
        relative=True,
    )
    unlocking: Bool = Flag("Whether an unlock request is in flight to the broker.")
    later: Bool = Flag("Whether an unlock request is delayed; of several, any one.")
    due: Int = Number(
        "Time at which the delayed unlock request is due.", when=lambda s: s.later, room=_room, relative=True
    )
    stopping: Bool = Flag(
        "Whether `shutdown` was called, or the process has ended: no new consume request is accepted.",
        when=lambda s: Not(s.closed),
    )
    waits_since: Int = Number(
        "Time at which the shutdown's current wait for the listener began: the first or the second wait.",
        # After `unlockAll`, only a consumer with messages continues.
        when=lambda s: And(s.stopping, Not(s.closed), Or(Not(s.yielded), s.cached)),
        room=_waited,
        relative=True,
    )
    cut: Bool = Flag(
        "Whether the shutdown's first wait is over: a running listener call was interrupted, and requests that "
        "had not begun are dropped (`shutdownNow`).",
        when=lambda s: Not(s.closed),
    )
    yielded: Bool = Flag("Whether the shutdown has sent its unlock requests (`unlockAll`).")
    closed: Bool = Flag("Whether the table is empty after shutdown, or the process has ended.")
    granted_at: Int = Ghost("Time at which the broker last granted the lock to this consumer.")
    released: Bool = Ghost("Whether the broker has processed an unlock of this consumer since that grant.")
    left: Int = Ghost(
        "Time of the last action at which the queue had a process queue, one was being added, or a rebalance "
        "got its lock."
    )
    owned_from: Int = Ghost(
        "Start of this consumer's current ownership: the first grant after a grant to another consumer."
    )
    lost: Bool = Ghost(
        "Whether the broker has granted the lock to another consumer since `owned_from`, or never to this one."
    )
    lost_at: Int = Ghost("Time of the first grant to another consumer since `owned_from`.")
    call_from: Int = Ghost("Value of `owned_from` at the listener's call.")
    call_lost: Bool = Ghost("Whether the broker has granted the lock to another consumer since `call_from`.")
    call_lost_at: Int = Ghost("Time of the first grant to another consumer since `call_from`.")
    holder: Int = Number(
        "Holder of the queue's lock at the broker, which knows consumers only by their client ids.",
        shared=True,
        names=True,
        shown=Shown("lock holder", party="broker"),
    )
    updated: Int = Number(
        "Time at which the broker last granted the lock to its holder (`lastUpdateTimestamp`).",
        when=lambda s: s.holder != NOBODY,
        room=lambda lim: (_room(lim)[0], 0),
        relative=True,
        shared=True,
    )


@record
class Choices(Record):
    """Choices of an action that the model leaves open, such as whether an answer is lost."""

    in_set: Bool = Flag(
        "Whether the queue is still in mqSet, so that its process queue is removed only because no message was "
        "pulled for too long."
    )
    heard: Bool = Flag("Whether the broker's answer will arrive.")
    found: Bool = Flag("Whether an offset to start at is found.")
    more: Bool = Flag(
        "Whether the same kind of object is left after the action: messages, unlock requests in flight, delayed "
        "unlock requests or started consume requests."
    )


# ---- Limits of explorations, in ticks of ten seconds

TICKS = Limits(delay=0, client=3, broker=6, listener=0, unlock=2, renewal=2, late=0, first_pull=0, wait=0, loop=6)
"""Default limits, in ticks of ten seconds.

Answers, first pulls and listeners end in the tick of their start.
"""
SEARCHED = replace(TICKS, listener=1, first_pull=1, loop=0)
"""Limits in ticks for searches: a delayed first pull takes a tick, and so does a listener.

A tick only orders events, and has no fixed length.
"""

# ---- States of one consumer in which code and terms are compared, in ticks of ten seconds

COMPARED = replace(TICKS, first_pull=1, wait=2, loop=1)
"""Time limits in ticks.

The enumerated ages include each limit and one tick more, on which a comparison with the limit gives different results.
"""
FLAGS = (0, 1)
NO_ENTRY = {"present": 0, "dropped": 0, "locked": 0, "stamp": 0, "pulls_from": 0, "cached": 0}
NOT_ADDING, ADDING = {"adding": 0, "adding_at": 0}, {"adding": 1, "adding_at": 0}
IDLE, CALLED, ORPHAN = {"runs": 0, "orphan": 0}, {"runs": 1, "orphan": 0}, {"runs": 1, "orphan": 1}
ENTRIES = (
    *(NO_ENTRY | why | listener for why in (NOT_ADDING, ADDING) for listener in (IDLE, ORPHAN)),
    *(
        NO_ENTRY
        | {"present": 1, "dropped": dropped, "locked": locked, "stamp": -age, "cached": cached}
        | NOT_ADDING
        | listener
        for dropped, locked, age, cached in product(FLAGS, FLAGS, (0, 2, 3, 4), FLAGS)
        for listener in (IDLE, CALLED, ORPHAN)
    ),
    *(
        NO_ENTRY | {"present": 1, "dropped": dropped, "locked": 1, "pulls_from": 1} | NOT_ADDING | listener
        for dropped in FLAGS
        for listener in (IDLE, ORPHAN)
    ),
)
"""States of the process queue and of the listener.

No process queue, or one that is being added; every combination of flags and age of the time stamp; a new process queue
without a pull yet. The listener does not run, or runs for this process queue or for one that was removed from the
table.
"""
NOT_SHUT = {"stopping": 0, "waits_since": 0, "cut": 0, "yielded": 0, "closed": 0}
SHUT = (
    *(NOT_SHUT | {"stopping": 1, "cut": cut, "waits_since": -age} for cut in FLAGS for age in (1, 2)),
    NOT_SHUT | {"stopping": 1, "yielded": 1},
    NOT_SHUT | {"stopping": 1, "cut": 1, "yielded": 1},
    NOT_SHUT | {"stopping": 1, "yielded": 1, "closed": 1},
)
"""States of the consumer in each step of a shutdown, with the time it has waited."""
REPLIES = ({"answered": 0}, {"answered": 1})
UNLOCKS = ({"unlocking": 0}, {"unlocking": 1})
NOT_PUT_OFF = {"later": 0, "due": 0}
PUT_OFF = (NOT_PUT_OFF, {"later": 1, "due": 0}, {"later": 1, "due": 1})
LOCKS = (
    {"holder": NOBODY, "updated": 0},
    *({"holder": holder, "updated": -age} for holder in (ME, OTHER) for age in (0, 6, 7)),
)
"""States of the broker's lock: free, or held by the consumer or another, with its age."""
FRESH = tuple(lock for lock in LOCKS if lock["updated"] == 0)
SAME = (
    {
        "since": -1,
        "answered_at": -1,
        "granted_at": -1,
        "left": -1,
        "released": 0,
        "twice": 0,
        "owned_from": -3,
        "lost": 1,
        "lost_at": -2,
        "call_from": -4,
        "call_lost": 0,
        "call_lost_at": -4,
    },
)
"""Fields with the same value in every state."""
NOT_IN_SHUTDOWN = (ENTRIES, (NOT_SHUT,), REPLIES, UNLOCKS, PUT_OFF, LOCKS, SAME)
IN_SHUTDOWN = (ENTRIES, SHUT, REPLIES, UNLOCKS, (NOT_PUT_OFF,), FRESH, SAME)
