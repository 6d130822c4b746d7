"""Definitions of the times in claims: the names of time limits and settings in formulas."""

import re
from collections.abc import Iterable, Mapping

DEFINITIONS: Mapping[str, str] = {
    "maxLockDelay": "the longest time from the broker's grant of a lock to the client's time stamp of it",
    "maxListenerTime": "the longest time from the lock check to the end of a listener call, hooks included",
    "maxRenewalGap": "the longest time from the time stamp of one lock renewal to that of the next",
    "maxLateRequest": (
        "the latest time at which a lock request can reach the broker, counted from the process queue's removal or "
        "the shutdown"
    ),
    "firstPullDelay": "the delay of an added queue's first pull (0.5 s from 5.0, no delay up to 4.9.8)",
    "client.lockMaxLiveTime": "`rocketmq.client.rebalance.lockMaxLiveTime` (30 s by default)",
    "broker.lockMaxLiveTime": "`rocketmq.broker.rebalance.lockMaxLiveTime` (60 s by default)",
    "unlockDelayTimeMills": "`rocketmq.client.unlockDelayTimeMills` (20 s by default)",
    "maxRebalance": "the longest rebalance of all groups of the process",
    "maxHeartbeat": "the longest heartbeat of a client to all brokers",
    "maxHeartbeatGap": "the longest time between two heartbeats of one member at the broker",
    "maxPullGap": "the longest time from a refused pull to the next pull of the queue",
    "maxScanGap": "the longest time between two scans of the broker for expired channels",
    "maxSendGap": "the longest time between two sends of collected notifications",
    "maxPollGap": "the longest time between two route answers",
}
"""Name in a formula -> its meaning."""

_NAMED = re.compile(r"(?<![`.\w])(?:" + "|".join(map(re.escape, DEFINITIONS)) + r")(?!\w)")
_TIME = re.compile(r"(?<![`.\w])(?:max[A-Z]\w+|firstPullDelay)")


def defined(words: str) -> tuple[str, ...]:
    """Return the definitions of all names that occur in these words, outside of code quotes."""
    found = set(_NAMED.findall(words))
    return tuple(f"{name}: {meaning}" for name, meaning in DEFINITIONS.items() if name in found)


def undefined(words: str, where: Iterable[str]) -> tuple[str, ...]:
    """Return the names of time limits that these words use and no phrase of ``where`` defines."""
    known = {phrase.partition(": ")[0] for phrase in where}
    return tuple(sorted({*_TIME.findall(words)} - known))
