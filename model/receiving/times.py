"""Times of the gRPC clients, and of the proxy and broker behind them: defaults as read in the sources, in ms.

A push consumer queries its assignments periodically, and sends heartbeats. The proxy hides the messages that a push
consumer has received for as long as it gets heartbeats. After that, the broker's revive service delivers them again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rebalance_proofs.model.receiving.releases import READ


@dataclass(frozen=True)
class Times:
    """Periods of one client."""

    first: int
    """From the start of a push consumer to its first query for assignments."""
    period: int
    """Between two queries, without the time that a query takes."""
    beat: int
    """Between two heartbeats."""
    skips: bool = False
    """Whether a query is left out until settings arrive, which ``start`` does not wait for."""


MOST = Times(1_000, 5_000, 10_000)
"""``scanAssignments`` and ``doHeartbeat`` of Java, Go, C#, Node and Python."""
CPP = Times(100, 5_000, 10_000)
"""``PushConsumerImpl::start`` and ``ClientManagerImpl::start``."""
RUST = Times(0, 30_000, 30_000, skips=True)
"""``PushConsumer::start`` and ``Client::start``: ticks of ``tokio::time::interval``, the first one at once."""
PYTHON_5_0 = Times(1_000, 5_000, 10_000, skips=True)
"""Python 5.0.9: without settings, ``__scan_assignment`` returns."""
OTHERS: Mapping[str, Times] = {"grpc-cpp": CPP, "grpc-rust": RUST}
TIMES: Mapping[str, Times] = {
    f"{client} {version}".strip(): PYTHON_5_0 if subject == "python_v5_0" else OTHERS.get(client, MOST)
    for client, versions in READ.items()
    for version, subject in versions.items()
}
"""Release of a gRPC client -> its times."""

ROUTES = 30_000
"""Between two updates of a client's topic routes, which a SimpleConsumer reads from (all clients)."""
REQUEST = 3_000
"""``requestTimeout``: after this time, a request has failed (default of all clients)."""

# ---- The proxy (5.5.0)

EXPIRED = 120_000
"""``channelExpiredTimeout``: age of the last heartbeat at which a client is removed; in local mode, the broker's."""
SCAN = 10_000
"""Between two checks of that age (``ClusterServiceManager``; ``ClientHousekeepingService`` in local mode)."""
RENEWALS = 5_000
"""``renewSchedulePeriodMillis``: between two rounds in which the proxy renews, or gives up, invisible times."""
CLEARED = 1_000
"""``invisibleTimeMillisWhenClear``: invisible time of a removed consumer's messages."""
LEAST_HIDDEN, MOST_HIDDEN = 10_000, 12 * 3_600_000
"""``minInvisibleTimeMillsForRecv`` and ``maxInvisibleTimeMills``: the proxy refuses other invisible durations."""
CACHED = 20_000
"""``topicRouteServiceCacheRefreshSeconds``: age at which a query renews a route. It still returns the old one."""

# ---- The broker (5.5.0)

TICK = 100
"""Tick of the timer that wakes receive requests of an ordered queue (``QueueLevelConsumerOrderInfoLockManager``)."""
INTERVAL = 1_000
"""``reviveInterval``: pause between two scans of a revive queue."""
SLOWEST = 3
"""``reviveMaxSlow``: largest number of further pauses after a scan without messages."""
SCANNING = 10_000
"""``reviveScanTime``: after this time, a scan ends at the next message."""
QUIET = 4_000
"""A scan ends after more than this time without a message, checked every ``NAP``."""
NAP = 100
MOVED = 3_000
"""Age of the last message at which a scan without further messages counts until now."""
APART = 2_000
"""A message is revived if its invisible time ended longer ago than this, as seen by the scan."""
LATE = 1_000
"""Largest delay of the broker's timer, whose precision is a second: assumed, with a timer that is not behind."""
REVIVED = APART + LATE + MOVED + INTERVAL
"""Longest time from the end of a message's invisible time until it is in the retry topic, without reads and writes.

Messages that arrived before it end at most ``LATE`` after it, so a scan that counts until ``APART + LATE`` after that
end revives all of them. From ``MOVED`` later on, every scan does: it has read a younger message, or counts until now.
A scan that ended shortly before is followed by another one after ``INTERVAL``.
"""


@dataclass(frozen=True)
class Entry:
    """A message of a revive queue: a checkpoint, or an acknowledgement, which is only read."""

    arrives: int
    """When the broker's timer delivers it."""
    ends: int
    """When the invisible time ends; it is due a second before that."""
    checkpoint: bool = True


def revived(entries: Sequence[Entry], now: int = 0) -> list[int]:
    """Return when the message of each checkpoint is in the retry topic.

    ``entries`` are in the order of their arrival. Mirror of ``PopReviveService.run``, ``consumeReviveMessage`` and
    ``mergeAndRevive``, if reads and writes take no time, and no message is acknowledged.
    """
    found: dict[int, int] = {}
    done, slow = 0, 1
    while len(found) < sum(entry.checkpoint for entry in entries):
        now += INTERVAL
        start, end, first, naps, offset = now, 0, 0, 0, done
        waiting: list[int] = []
        while True:
            if offset == len(entries) or entries[offset].arrives > now:
                if end and now - end > MOVED:
                    end = now
                if end - first > APART:
                    break
                naps, now = naps + 1, now + NAP
                if naps * NAP > QUIET:
                    break
                continue
            naps = 0
            if now - start > SCANNING:
                break
            entry = entries[offset]
            if entry.checkpoint:
                waiting.append(offset)
                first = first or entry.ends
            end, offset = max(end, entry.ends - 1_000), offset + 1
        for place in waiting:
            if end - entries[place].ends <= APART:
                break
            found[place], done = now, place + 1
        if waiting:
            slow = 1
        else:
            now, slow = now + slow * INTERVAL, min(slow + 1, SLOWEST)
    return [found[place] for place in sorted(found)]
