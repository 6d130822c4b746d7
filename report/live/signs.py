"""Queries on a recorded run that find signs of causes, shared by several kinds of problems."""

from collections.abc import Iterable, Iterator
from itertools import combinations

from rebalance_proofs.recorded.groups.broker import Answered, Heard
from rebalance_proofs.recorded.groups.event import BEAT, PULL
from rebalance_proofs.recorded.groups.member import (
    Resumed,
    Subscribed,
    Suspending,
    Unsubscribed,
    subscriptions,
)
from rebalance_proofs.recorded.seen.held import Held
from rebalance_proofs.recorded.seen.history import History

LOOK = 2_000
"""Largest time in ms between a cause and its effect on a busy machine: polls, answers, wake-ups."""
BACK = 86_000
"""Time in ms after a broker's return by which the group works normally again."""
EXPIRED = 120_000
"""Time in ms without a pull after which a rebalance removes a process queue."""
RESETS = 10_000 + LOOK
"""Longest time in ms for which a client that is told to reset its offsets suspends itself."""
THREADS = 8
"""Number of each consumer's listener threads."""
STALE = (24, 25)
"""Response codes of pulls refused because of the subscription: SUBSCRIPTION_NOT_EXIST, ..._NOT_LATEST."""


def one_id(history: History, who: str, other: str) -> bool:
    """Return True if ``who`` and ``other`` have the same client id, and were alive together."""
    if who == other or history.started[who].id != history.started[other].id:
        return False
    return _together(history, who, other, 0, history.end)


def twins(history: History, group: str, since: int, until: int) -> bool:
    """Return True if two processes of the group with one client id ran together between ``since`` and ``until``."""
    return any(
        history.started[who].id == history.started[other].id and _together(history, who, other, since, until)
        for who, other in combinations(history.groups[group], 2)
    )


def _together(history: History, who: str, other: str, since: int, until: int) -> bool:
    """Return True if two consumers were alive at one moment between ``since`` and ``until``."""
    if who not in history.lives or other not in history.lives:
        return False
    (first, end), (second, last) = history.lives[who], history.lives[other]
    return max(first, second, since) <= min(end, last, until)


def _there(history: History, who: str, since: int, until: int) -> bool:
    return who in history.joined and history.joined[who] <= until and history.left.get(who, until) >= since


def differ(history: History, group: str) -> bool:
    """Return True if consumers of the group use different strategies."""
    return len({history.started[who].strategy for who in history.groups[group]}) > 1


def busy(history: History, group: str, who: str, since: int, until: int) -> bool:
    """Return True if nearly all listener threads of a consumer were busy in that time, on average."""
    return history.spent(group, who, since, until) > (THREADS - 1) * (until - since)


def somebody_lacks(history: History, group: str, topic: str, since: int, until: int) -> bool:
    """Return True if a running consumer was not subscribed to the topic for a part of that time."""
    return any(
        meets(_lacks(history, who, topic), since, until)
        for who in history.groups[group]
        if _there(history, who, since, until)
    )


def _lacks(history: History, who: str, topic: str) -> list[tuple[int, int]]:
    """Return the times when a consumer was not subscribed to the topic."""
    at_first = [] if topic in subscriptions(history.started[who].sub) else [0]
    begins = [*at_first, *(each.at for each in history.of(Unsubscribed, who) if each.topic == topic)]
    ends = [each.at for each in history.of(Subscribed, who) if each.topic == topic]
    return [(begin, min((end for end in ends if end > begin), default=history.end)) for begin in begins]


def suspended(history: History, who: str) -> list[tuple[int, int]]:
    """Return the times when a consumer was suspended, also by a reset of its offsets.

    Messages pulled before may still be consumed.
    """
    ends = [each.at for each in history.of(Resumed, who)]
    begins = (each.at for each in history.of(Suspending, who))
    asked = [(begin, min((end for end in ends if end > begin), default=history.end)) for begin in begins]
    return asked + history.own_resets(who)


def resets(history: History, group: str, q: str, since: int, until: int) -> bool:
    """Return True if somebody asked the queue's broker, in that time, to reset the group's offsets of the topic.

    A consumer that was stopped meanwhile carries out the reset later.
    """
    topic, broker, _ = q.split(":")
    return any(
        since - _stood(history, group, each.at) <= each.at <= until
        and (each.broker, each.group, each.topic) == (broker, group, topic)
        for each in history.resets
    )


def _stood(history: History, group: str, at: int) -> int:
    """Return how many ms a process of the group that was stopped soon after ``at`` was stopped."""
    times = (each for who in history.groups[group] for each in history.stopped.get(who, ()))
    return max((end - begin for begin, end in times if begin <= at + RESETS and end >= at), default=0)


def meets(times: Iterable[tuple[int, int]], since: int, until: int) -> bool:
    """Return True if one of the (start, end) times overlaps the time from ``since`` to ``until``."""
    return any(begin <= until and end >= since for begin, end in times)


def within(times: Iterable[tuple[int, int]], since: int, until: int) -> list[tuple[int, int]]:
    """Return the parts of the (start, end) times between ``since`` and ``until``."""
    cut = ((max(begin, since), min(end, until)) for begin, end in times)
    return [(begin, end) for begin, end in cut if begin < end]


def first_heartbeat(history: History, group: str) -> int | None:
    """Return the time of the group's first heartbeat at a broker, or None."""
    beats = (each for each in history.of(Heard, *history.run.brokers) if each.code == BEAT)
    return next((each.at for each in beats if any(one.group == group for one in each.said.groups or ())), None)


def down(history: History, q: str) -> tuple[tuple[int, int], ...]:
    """Return the times when the queue's broker was down; it forgets locks and members meanwhile."""
    return history.down.get(q.split(":")[1], ())


def frozen(history: History, q: str) -> tuple[tuple[int, int], ...]:
    """Return the times when the queue's broker was stopped; it keeps locks and connections meanwhile."""
    return history.frozen.get(q.split(":")[1], ())


def owners(history: History, group: str, q: str, since: int, until: int) -> list[Held]:
    """Return the queue's entries (process queues of all consumers) in that time, sorted by start."""
    return [held for held in history.held[group] if held.q == q and held.begin <= until and held.end >= since]


def is_of(history: History, who: str, client_id: str | None) -> bool:
    """Return True if a client id has the consumer's instance name."""
    return (client_id or "").endswith(f"@{history.started[who].id}")


def heard(history: History, code: str, who: str, group: str, q: str, since: int, until: int) -> Iterator[Heard]:
    """Yield the consumer's requests about the queue that its broker received in that time."""
    for event in history.of(Heard, q.split(":")[1]):
        asked = event.said
        about = event.code == code and asked.consumer_group == group and q in asked.queues
        if since <= event.at <= until and about and is_of(history, who, asked.client_id):
            yield event


def refused(history: History, group: str, q: str, since: int, until: int) -> list[Answered]:
    """Return the queue's pulls that its broker refused in that time because of the subscription."""
    topic, broker, number = q.split(":")
    return [
        event
        for event in history.of(Answered, broker)
        if since <= event.at <= until
        and event.code == PULL
        and event.asked.consumer_group == group
        and event.asked.q == f"{topic}:{number}"
        and event.said.code in STALE
    ]
