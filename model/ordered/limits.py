"""Limits of time on which the lock of a queue rests, in ms."""

from dataclasses import dataclass
from typing import Annotated

from rebalance_proofs.model.machine.record import Record, Variable
from rebalance_proofs.model.machine.values import Int

__all__ = ["DEFAULTS", "Limits"]


@dataclass(frozen=True)
class Limits(Record):
    """Limits of time, each a number or a term."""

    delay: Annotated[
        Int,
        Variable(
            "The longest time from the broker's grant of a lock to the consumer's time stamp of it, pauses included; "
            "for a queue that is added, to its entry. Java takes that stamp before it looks up an offset, Go "
            "afterwards."
        ),
    ]
    client: Annotated[
        Int,
        Variable(
            "A consumer trusts in a lock for this long after its last renewal "
            "(`rocketmq.client.rebalance.lockMaxLiveTime`)."
        ),
    ]
    broker: Annotated[
        Int,
        Variable(
            "The broker keeps a lock for this long after its last renewal "
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
            "`rocketmq.client.unlockDelayTimeMills`: up to 5.1.4 the lock of a queue with cached messages is given "
            "back this much later; from 5.2 on a lock that was not renewed for longer than this is given back under a "
            "running listener."
        ),
    ]
    renewal: Annotated[
        Int,
        Variable(
            "The longest time from one renewal's time stamp to the next, where renewals are in time: the period "
            "(`rocketmq.client.rebalance.lockInterval`), and as much as one answer may take longer than another. What "
            "a client does does not depend on it."
        ),
    ]
    late: Annotated[
        Int,
        Variable(
            "The longest time for which a request for the lock can still arrive at the broker after the queue's entry "
            "has left the consumer's table: one of `lockAll` that is under way, or that of "
            "`tryLockLaterAndReconsume`, which waits for 10 ms or 100 ms and does not check whether there is an "
            "entry; or after a shutdown has begun, where renewals end with it. `lockAll` asks one broker after the "
            "other, a second each at most, so it grows with the number of brokers. What a client does does not depend "
            "on it either."
        ),
    ]
    first_pull: Annotated[
        Int,
        Variable(
            "From Java 5.0 on, the time for which a new entry is not pulled (`dispatchPullRequest(pullRequestList, "
            "500)`)."
        ),
    ]
    wait: Annotated[
        Int,
        Variable(
            "`awaitTerminationMillisWhenShutdown`: a shutdown waits this long for the listener's calls, interrupts "
            "them, and waits this long once more (`ThreadUtils.shutdownGracefully`). Go's does not wait."
        ),
    ]
    loop: Annotated[
        Int,
        Variable(
            "One request calls the listener again and again, as long as there are messages; no call of it begins "
            "later than this after the request's begin (`rocketmq.client.maxTimeConsumeContinuously`)."
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
"""Limits that are settings, as client and broker ship with them. The delay, the listener's time, and how late a request
is (one broker, which is asked for a second at most, and 100 ms) are examples."""
