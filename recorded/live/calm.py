"""Find out whether a run is calm: every message was consumed, and no listener is running."""

import time
from collections.abc import Iterator

from rebalance_proofs.recorded.cluster.names import topic_of
from rebalance_proofs.recorded.groups.subscriptions import subscriptions
from rebalance_proofs.recorded.live.cluster import Cluster
from rebalance_proofs.recorded.live.scenario import Scenario
from rebalance_proofs.recorded.live.watch import LOOK

QUIET = 10.0
"""Seconds without a change after which a fully consumed run counts as calm."""


def await_calm(cluster: Cluster) -> bool:
    """Wait until the run is calm, and return True.

    Return False if nothing has changed for the scenario's ``patience`` but the run is not calm.
    """
    while True:
        cluster.watch.look()
        still = time.monotonic() - cluster.watch.moved
        if still > QUIET and not any(waits(cluster)):
            return True
        if still > cluster.scenario.patience:
            return False
        cluster.watch.sleep(LOOK)


def waits(cluster: Cluster) -> Iterator[str]:
    """Yield what a calm run must not have, as text.

    It yields keys of messages that a running consumer may still receive, and names of consumers whose listener runs.
    """
    for who in cluster.alive:
        if any(cluster.watch.running[who].values()):
            yield who
    for group in {cluster.scenario.members[who].group for who in cluster.alive}:
        wanted = _wanted(cluster.scenario, group)
        begun, committed = cluster.watch.begun[group], cluster.watch.committed[group]
        for key, sent in cluster.watch.sent.items():
            tags = wanted.get(topic_of(sent.q), set())
            passed = sent.offset < committed.get(sent.q, 0)  # it will never be consumed
            if ({sent.tag, "*"} & tags) and key not in begun and not passed:
                yield key


def _wanted(scenario: Scenario, group: str) -> dict[str, set[str]]:
    """Return topic -> all tags that consumers of the group subscribe to."""
    found: dict[str, set[str]] = {}
    for member in scenario.members.values():
        for topic, tags in subscriptions(member.sub).items() if member.group == group else ():
            found.setdefault(topic, set()).update(tags)
    return found
