"""Time limits that decide whether a queue's lock is exclusive, in ms."""

from dataclasses import dataclass
from typing import Annotated

from rebalance_proofs.model.machine.record import Record, Variable
from rebalance_proofs.model.machine.values import Int

# Differences between clients in ordered consumption.


@dataclass(frozen=True)
class OrderedRules:
    """Rules of an ordered consumer, apart from those of its rebalance."""

    returns_dropped: bool
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


@dataclass(frozen=True)
class Limits(Record):
    """Time limits in claims about queue locks, each a number of ms or a term."""

    delay: Annotated[
        Int,
        Variable(
            "The longest time from the broker's grant of a lock to the consumer's time stamp of it, pauses "
            "included. For an added queue, it ends with its process queue. Java takes the time stamp before it "
            "looks up an offset, Go after it."
        ),
    ]
    client: Annotated[
        Int,
        Variable(
            "Time for which a consumer relies on a lock after its last renewal "
            "(`rocketmq.client.rebalance.lockMaxLiveTime`)."
        ),
    ]
    broker: Annotated[
        Int,
        Variable(
            "Time for which the broker keeps a lock after its last renewal "
            "(`rocketmq.broker.rebalance.lockMaxLiveTime`)."
        ),
    ]
    listener: Annotated[
        Int,
        Variable(
            "The longest time from the check of the lock to the end of the listener's call, hooks and waits included."
        ),
    ]
    unlock: Annotated[
        Int,
        Variable(
            "`rocketmq.client.unlockDelayTimeMills`. Up to 5.1.4, delay of the unlock of a queue with cached "
            "messages. From 5.2 on, time without a renewal after which a lock is released under a running listener."
        ),
    ]
    renewal: Annotated[
        Int,
        Variable(
            "The longest time from one renewal's time stamp to the next, where renewals are in time. It is the "
            "period (`rocketmq.client.rebalance.lockInterval`) plus the variation of answer times. No client "
            "behaviour depends on it."
        ),
    ]
    late: Annotated[
        Int,
        Variable(
            "The longest time for which a lock request can still reach the broker after the process queue has left "
            "the consumer's table, or after a shutdown that ends renewals has begun. The request is one of a "
            "running `lockAll`, or of `tryLockLaterAndReconsume`, which waits for 10 ms or 100 ms and does not "
            "check the process queue. `lockAll` asks one broker after another, at most a second each, so the time "
            "grows with the number of brokers. No client behaviour depends on it."
        ),
    ]
    first_pull: Annotated[
        Int,
        Variable(
            "Delay of the first pull of a new process queue, from Java 5.0 on "
            "(`dispatchPullRequest(pullRequestList, 500)`)."
        ),
    ]
    wait: Annotated[
        Int,
        Variable(
            "`awaitTerminationMillisWhenShutdown`: a shutdown waits this long for the listener's calls, interrupts "
            "them, and waits this long again (`ThreadUtils.shutdownGracefully`). Go does not wait."
        ),
    ]
    loop: Annotated[
        Int,
        Variable(
            "`rocketmq.client.maxTimeConsumeContinuously`: a consume request starts no listener call later than "
            "this after its own start, even if more messages are there."
        ),
    ]


DEFAULTS = Limits(
    delay=1_000,
    client=30_000,
    broker=60_000,
    listener=5_000,
    unlock=20_000,
    renewal=20_000,
    late=1_100,
    first_pull=500,
    wait=0,
    loop=60_000,
)
"""Default settings of client and broker; ``delay``, ``listener`` and ``late`` are examples.

``late`` is for one broker: a request of at most a second, and 100 ms.
"""
