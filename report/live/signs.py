"""Questions to a run that several explanations ask."""

from collections.abc import Iterable, Iterator

from rebalance_proofs.recorded.groups.broker import Answered, Heard
from rebalance_proofs.recorded.groups.codes import BEAT, PULL
from rebalance_proofs.recorded.groups.member import Resumed, Subscribed, Suspending, Unsubscribed
from rebalance_proofs.recorded.groups.subscriptions import subscriptions
from rebalance_proofs.recorded.seen.held import Held
from rebalance_proofs.recorded.seen.history import History

__all__ = [
    "BACK",
    "EXPIRED",
    "LOOK",
    "STALE",
    "busy",
    "differ",
    "down",
    "first_heartbeat",
    "heard",
    "is_of",
    "meets",
    "one_id",
    "owners",
    "refused",
    "somebody_lacks",
    "suspended",
    "twins",
    "within",
]

LOOK = 2_000
"""Within so many ms, one thing is taken for a consequence of another: looks, answers and wake-ups of a busy machine."""
BACK = 86_000
"""Within so many ms of a broker's return the group is in order again."""
EXPIRED = 120_000
"""An entry from which nothing was pulled for so many ms is taken out."""
THREADS = 8
"""Threads of each member that call listeners."""
"""``RequestCode``."""
STALE = (24, 25)
"""``ResponseCode``: SUBSCRIPTION_NOT_EXIST, SUBSCRIPTION_NOT_LATEST."""


def one_id(history: History, who: str, other: str) -> bool:
    """Whether two processes were set up with one client id."""
    return who != other and history.started[who].id == history.started[other].id


def twins(history: History, group: str, since: int, until: int) -> bool:
    """Whether two processes of the group had one client id, and both were there in that time."""
    ids = [history.started[who].id for who in history.groups[group] if _there(history, who, since, until)]
    return len(ids) != len(set(ids))


def _there(history: History, who: str, since: int, until: int) -> bool:
    return who in history.joined and history.joined[who] <= until and history.left.get(who, until) >= since


def differ(history: History, group: str) -> bool:
    """Whether members of the group have different strategies."""
    return len({history.started[who].strategy for who in history.groups[group]}) > 1


def busy(history: History, group: str, who: str, since: int, until: int) -> bool:
    """Whether nearly all threads of a member were in listeners, on an average of that time."""
    mine = [(call.begin, call.end) for call in history.calls[group] if call.who == who]
    spent = sum(end - begin for begin, end in within(mine, since, until))
    return spent > (THREADS - 1) * (until - since)


def somebody_lacks(history: History, group: str, topic: str, since: int, until: int) -> bool:
    """Whether a member that was there in that time did not subscribe to the topic for a part of it."""
    return any(
        meets(_lacks(history, who, topic), since, until)
        for who in history.groups[group]
        if _there(history, who, since, until)
    )


def _lacks(history: History, who: str, topic: str) -> list[tuple[int, int]]:
    """From when to when a member did not subscribe to the topic."""
    at_first = [] if topic in subscriptions(history.started[who].sub) else [0]
    begins = [*at_first, *(each.at for each in history.of(Unsubscribed, who) if each.topic == topic)]
    ends = [each.at for each in history.of(Subscribed, who) if each.topic == topic]
    return [(begin, min((end for end in ends if end > begin), default=history.end)) for begin in begins]


def suspended(history: History, who: str) -> list[tuple[int, int]]:
    """From when to when a member was suspended; what it pulled before it may be consumed meanwhile."""
    ends = [each.at for each in history.of(Resumed, who)]
    begins = (each.at for each in history.of(Suspending, who))
    return [(begin, min((end for end in ends if end > begin), default=history.end)) for begin in begins]


def meets(times: Iterable[tuple[int, int]], since: int, until: int) -> bool:
    """Whether one of the times is a part of that one."""
    return any(begin <= until and end >= since for begin, end in times)


def within(times: Iterable[tuple[int, int]], since: int, until: int) -> list[tuple[int, int]]:
    """The parts of the times that lie in that one."""
    cut = ((max(begin, since), min(end, until)) for begin, end in times)
    return [(begin, end) for begin, end in cut if begin < end]


def first_heartbeat(history: History, group: str) -> int | None:
    """When a broker first heard a heartbeat of the group; None if none did."""
    beats = (each for each in history.of(Heard, *history.run.brokers) if each.code == BEAT)
    return next((each.at for each in beats if any(one.group == group for one in each.said.groups or ())), None)


def down(history: History, q: str) -> tuple[tuple[int, int], ...]:
    """When the queue's broker did not serve."""
    return history.down.get(q.split(":")[1], ())


def owners(history: History, group: str, q: str, since: int, until: int) -> list[Held]:
    """The entries of the queue that members had in that time, by when they came."""
    return [held for held in history.held[group] if held.q == q and held.begin <= until and held.end >= since]


def is_of(history: History, who: str, client_id: str | None) -> bool:
    """Whether a client id has the member's instance name."""
    return (client_id or "").endswith(f"@{history.started[who].id}")


def heard(history: History, code: str, who: str, group: str, q: str, since: int, until: int) -> Iterator[Heard]:
    """The member's requests about the queue that its broker heard in that time."""
    for event in history.of(Heard, q.split(":")[1]):
        asked = event.said
        about = event.code == code and asked.consumer_group == group and q in asked.queues
        if since <= event.at <= until and about and is_of(history, who, asked.client_id):
            yield event


def refused(history: History, group: str, q: str, since: int, until: int) -> list[Answered]:
    """The pulls of the queue that its broker refused in that time, since it had another subscription, or none."""
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
