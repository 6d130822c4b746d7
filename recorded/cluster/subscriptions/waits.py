"""Check times between pulls: retries of refused pulls, and first pulls of process queues."""

import re
from collections import defaultdict

from rebalance_proofs.model.machines.subscriptions.state import DEFAULTS
from rebalance_proofs.model.subscriptions.broker import Refusal
from rebalance_proofs.recorded.cluster.clients import generation
from rebalance_proofs.recorded.cluster.requests import Call, Calls
from rebalance_proofs.recorded.cluster.tally import Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import LOOK, STALL, Trace
from rebalance_proofs.recorded.groups.broker import Table, members
from rebalance_proofs.recorded.groups.driver import StartConsumer, Subscribe, Told, Unsubscribe
from rebalance_proofs.recorded.groups.event import BEAT, PULL, Request
from rebalance_proofs.recorded.groups.member import Ask, EntryNew, Subscribed, Unsubscribed
from rebalance_proofs.recorded.groups.run import DRIVER, of_kind

# Parse subscriptions in heartbeats and in brokers' tables, and find changes by the user.

ROW = re.compile(r"([^=\s{]+)=([^=]*)@(\d+)(?:, |\})")
V2, V2_PROPERTY = "useHeartbeatV2", "com.rocketmq.heartbeat.v2"
"""``ClientConfig``'s setting for heartbeat V2, and the system property that initialises it."""
REFUSED = tuple(refusal.value for refusal in Refusal)
"""Response codes with which a broker refuses a pull because of its subscription table."""


def is_v2(started: StartConsumer) -> bool:
    """Return True if a consumer is configured for heartbeat V2.

    Its brokers may still not support heartbeat V2.
    """
    said = started.settings.get(V2, (started.props or {}).get(V2_PROPERTY))
    return str(said).lower() == "true"


def topics(trace: Trace, who: str, calls: Calls, broker: str) -> dict[str, list[Call]]:
    """Return topic -> the consumer's heartbeats to that broker.

    A topic's list begins with the first heartbeat that names the topic.
    """
    group = trace.consumers[who].group
    found: dict[str, list[Call]] = defaultdict(list)
    for call in calls.all[who]:
        # After a shutdown a producer of the process may still send heartbeats, without the group.
        if call.ask.code == BEAT and call.broker == broker and about(call.ask.said, group):
            for topic in [*found, *(one for one in subs(call.ask.said, group) if one not in found)]:
                found[topic].append(call)
    return found


def first_pulls(trace: Trace, who: str, calls: Calls, broker: str) -> frozenset[int]:
    """Return the line numbers of the broker's answers to the first pull of each process queue."""
    known = {call.ask.row: call for call in calls.all[who] if call.ask.code == PULL and call.broker == broker}
    fresh: set[str] = set()
    found = set()
    for event in trace.of[who]:
        if isinstance(event, EntryNew):
            fresh.add(event.q)
        elif isinstance(event, Ask) and event.code == PULL and event.said.q in fresh:
            fresh.discard(event.said.q)
            call = known.get(event.row)
            if call and call.answered:
                found.add(call.answered.row)
    return frozenset(found)


def subs(said: Request, group: str) -> dict[str, int]:
    """Return topic -> version of its subscription, from a heartbeat about the group.

    The result is empty if the heartbeat is about other groups, or has no subscriptions.
    """
    own = next((one.subs for one in said.groups or () if one.group == group), {})
    return {topic: int(version.rpartition("@")[2]) for topic, version in own.items()}


def about(said: Request, group: str) -> bool:
    """Return True if a heartbeat names the group."""
    return any(one.group == group for one in said.groups or ())


def turns(trace: Trace, who: str, topic: str) -> list[tuple[int, int, bool]]:
    """Return when the user unsubscribed the topic, or subscribed to it again.

    Each item is (time of the driver's command, time of the call's return, subscribed afterwards), in ms.
    """
    told = [one for one in of_kind(trace.of[DRIVER], Told) if one.of == who and one.line.split()[1:2] == [topic]]
    found = []
    for event in trace.of[who]:
        if isinstance(event, (Subscribed, Unsubscribed)) and event.topic == topic:
            kind = Subscribe if isinstance(event, Subscribed) else Unsubscribe
            since = [one.at for one in told if isinstance(one, kind) and one.at <= event.at]
            found.append((since[-1] if since else event.at - STALL, event.at, kind is Subscribe))
    return found


def expressions(said: Request, group: str) -> dict[str, str]:
    """Return topic -> its subscription expression, from a heartbeat about the group."""
    own = next((one.subs for one in said.groups or () if one.group == group), {})
    return {topic: version.rpartition("@")[0] for topic, version in own.items()}


def row(said: str | None) -> dict[str, int]:
    """Return topic -> version of its subscription, from a polled row of a broker's table."""
    return {topic: int(version) for topic, _, version in ROW.findall(said or "")}


def expression(said: str | None, topic: str) -> str | None:
    """Return the topic's expression in a polled row of the broker's group table, or None."""
    return next((text for name, text, _ in ROW.findall(said or "") if name == topic), None)


THAWED = 5_000
"""Longest time in ms for which a broker handles what it received while it was frozen."""


def emptied(trace: Trace, broker: str, group: str) -> list[tuple[int, int]]:
    """Return when the broker may have dropped the group, as intervals (from, to) in ms.

    A broker drops a group without members. Two successive polls then have no connection in common. A broker that was
    frozen also handles heartbeats whose connection the client has closed meanwhile: it lists them until it notices
    that, which may be before the next poll.
    """
    rows = [one for one in trace.kind(Table, broker) if one.what == "members" and one.of == group]
    found = []
    for place, one in enumerate(rows):
        if one.was and one.is_ and not {*members(one.was)} & {*members(one.is_)}:
            found.append((one.at - LOOK - STALL, one.at))
        elif one.is_ is None and trace.stood(broker, one.at - THAWED, one.at):
            later = rows[place + 1].at if place + 1 < len(rows) else trace.end
            found.append((one.at - LOOK - STALL, min(later, one.at + THAWED)))
    return found


def waits(trace: Trace, who: str, calls: Calls, tally: Tally) -> None:
    """Check the times between the pulls of one consumer. Raises ``Unexplained``."""
    delay = generation(trace.release(who)).rules.pull_delay
    new: dict[str, int] = {}
    refused: dict[str, Ask] = {}
    pulls = {call.ask.row: call for call in calls.all[who] if call.ask.code == PULL}
    for event in trace.of[who]:
        if isinstance(event, EntryNew):
            new[event.q] = event.at
            refused.pop(event.q, None)
        elif isinstance(event, Ask) and event.code == PULL and event.said.q:
            q = event.said.q
            made = new.pop(q, None)
            if made is not None and event.at - made < delay:
                raise Unexplained(event, f"a new entry is pulled after {event.at - made} ms, not after {delay} ms")
            before = refused.pop(q, None)
            if before is not None and before.said.queue_offset == event.said.queue_offset:
                took = event.at - before.at
                if took < DEFAULTS.retry:
                    raise Unexplained(event, f"the pull before was refused, and this one is sent {took} ms later")
                tally.shown["retry"] += 1
            call = pulls.get(event.row)
            if call and call.answered and call.answered.said.code in REFUSED:
                refused[q] = event
