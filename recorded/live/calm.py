"""Whether there is nothing more to come: every message was begun, and no listener runs."""

import time
from collections.abc import Iterator

from rebalance_proofs.recorded.cluster.names import topic_of
from rebalance_proofs.recorded.groups.subscriptions import subscriptions
from rebalance_proofs.recorded.live.cluster import Cluster
from rebalance_proofs.recorded.live.scenario import Scenario
from rebalance_proofs.recorded.live.watch import LOOK

QUIET = 10.0
"""Seconds without any change after which a run is calm in which everything has been consumed."""


def await_calm(cluster: Cluster) -> bool:
    """Wait until the run is calm; False when nothing has moved for the scenario's patience, and it was not."""
    while True:
        cluster.watch.look()
        still = time.monotonic() - cluster.watch.moved
        if still > QUIET and not any(waits(cluster)):
            return True
        if still > cluster.scenario.patience:
            return False
        cluster.watch.sleep(LOOK)


def waits(cluster: Cluster) -> Iterator[str]:
    """Keys of messages that a living member of some group may still be called with, and members that are at work."""
    for who in cluster.alive:
        if any(cluster.watch.running[who].values()):
            yield who
    for group in {cluster.scenario.members[who].group for who in cluster.alive}:
        wanted = _wanted(cluster.scenario, group)
        begun, committed = cluster.watch.begun[group], cluster.watch.committed[group]
        for key, sent in cluster.watch.sent.items():
            tags = wanted.get(topic_of(sent.q), set())
            passed = sent.offset < committed.get(sent.q, 0)  # it is not waited for: it will never come
            if ({sent.tag, "*"} & tags) and key not in begun and not passed:
                yield key


def _wanted(scenario: Scenario, group: str) -> dict[str, set[str]]:
    """Topic -> the tags that members of the group ask for."""
    found: dict[str, set[str]] = {}
    for member in scenario.members.values():
        for topic, tags in subscriptions(member.sub).items() if member.group == group else ():
            found.setdefault(topic, set()).update(tags)
    return found
