"""Subscriptions in heartbeats and in polled rows of brokers' tables, and how brokers notify members."""

import re
from collections.abc import Mapping

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.machines.registry.state import DEFAULTS
from rebalance_proofs.model.machines.subscriptions.actions import FIRST_WITH_V2
from rebalance_proofs.model.releases import JAVA
from rebalance_proofs.model.subscriptions import Refusal
from rebalance_proofs.recorded.cluster.trace import STALL, Trace
from rebalance_proofs.recorded.groups.broker import Heard
from rebalance_proofs.recorded.groups.driver import StartBroker, StartConsumer
from rebalance_proofs.recorded.groups.event import BEAT, Event, Release, Request
from rebalance_proofs.recorded.groups.names import numbers
from rebalance_proofs.recorded.groups.run import DRIVER, of_kind

ROW = re.compile(r"([^=\s{]+)=([^=]*)@(\d+)(?:, |\})")
V2, V2_PROPERTY = "useHeartbeatV2", "com.rocketmq.heartbeat.v2"
"""``ClientConfig``'s setting for heartbeat V2, and the system property that initialises it."""
REFUSED = tuple(refusal.value for refusal in Refusal)
"""Response codes with which a broker refuses a pull because of its subscription table."""
FIRST_WITHOUT = "5.3.2"
"""Release from which heartbeats V2 without subscriptions really omit them.

Before, they contain subscriptions that brokers ignore (``MQClientInstance#prepareHeartbeatData``). A recording does not
show whether a broker ignores them.
"""
Subscriptions = Mapping[str, tuple[str, int]]
"""Topic -> its expression, and its version."""


def subscriptions(said: Request, group: str) -> Subscriptions:
    """Return the subscriptions of a group in a heartbeat; none if it is about other groups, or has no subscriptions."""
    own = next((one.subs for one in said.groups or () if one.group == group), {})
    parts = ((topic, text.rpartition("@")) for topic, text in own.items())
    return {topic: (expression, int(version)) for topic, (expression, _, version) in parts}


def subs(said: Request, group: str) -> dict[str, int]:
    """Return topic -> version of its subscription, from a heartbeat about the group."""
    return {topic: version for topic, (_, version) in subscriptions(said, group).items()}


def about(said: Request, group: str) -> bool:
    """Return True if a heartbeat names the group."""
    return any(one.group == group for one in said.groups or ())


def groups_of(event: Event) -> tuple[str, ...]:
    """Return the groups that a request or its answer names, in order."""
    said = [one for name in ("said", "asked") if isinstance(one := getattr(event, name, None), Request)]
    own = (one.consumer_group for one in said if one.consumer_group)
    return (*own, *(group.group for one in said for group in one.groups or ()))


def listed(said: str | None) -> Subscriptions:
    """Return the subscriptions in a polled row of a broker's table."""
    return {topic: (expression, int(version)) for topic, expression, version in ROW.findall(said or "")}


def row(said: str | None) -> dict[str, int]:
    """Return topic -> version of its subscription, from a polled row of a broker's table."""
    return {topic: version for topic, (_, version) in listed(said).items()}


def is_v2(started: StartConsumer) -> bool:
    """Return True if a consumer is configured for heartbeat V2.

    Its brokers may still not support heartbeat V2.
    """
    said = started.settings.get(V2, (started.props or {}).get(V2_PROPERTY))
    return str(said).lower() == "true"


def lists_ignored(release: str) -> bool:
    """Return True if heartbeats V2 of a release may list subscriptions that brokers ignore."""
    return JAVA.index(release) < JAVA.index(FIRST_WITHOUT)


def sends_v2(trace: Trace, who: str, broker: str) -> bool:
    """Return True if a consumer is configured for heartbeat V2, and the broker knows V2."""
    started = trace.consumers[who]
    if not is_v2(started):
        return False
    if told := trace.kind(Release, broker):
        return numbers(told[0].number) >= numbers(FIRST_WITH_V2)
    beats = (each.said for each in trace.kind(Heard, broker) if each.code == BEAT)
    without = any(about(said, started.group) and not subs(said, started.group) for said in beats)
    return without or lists_ignored(trace.release(who))


# Notifications of members.

SENDING = 5_000
"""Longest time in ms from sending a notification to its arrival, unless a process paused."""
OFF, LATER = "notifyConsumerIdsChangedEnable", "realTimeNotifyConsumerChange"
"""Names of broker settings: notifications are off, or are sent later (batched)."""


def how(trace: Trace, broker: str) -> Mapping[str, int]:
    """Return by name which of the settings ``OFF`` and ``LATER`` a broker has.

    By default a broker has neither: it notifies at once.
    """
    started = of_kind(trace.of[DRIVER], StartBroker)
    said = next((dict(one.settings) for one in started if one.of == broker and one.settings), {})
    is_off, is_later = (str(said.get(name)).lower() == "false" for name in (OFF, LATER))
    return {"off": int(is_off), "later": int(is_later)}


def sending(trace: Trace, broker: str) -> int:
    """Return the longest time in ms from a change to its notification, which may be batched."""
    return SENDING + (number(DEFAULTS.collect) + STALL if how(trace, broker)["later"] else 0)
