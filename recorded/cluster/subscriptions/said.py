"""What heartbeats and looks at a broker's table say of subscriptions, and when users changed theirs."""

import re
from collections import defaultdict

from rebalance_proofs.model.subscriptions.broker import Refusal
from rebalance_proofs.recorded.cluster.requests import Call, Calls
from rebalance_proofs.recorded.cluster.trace import LOOK, STALL, Trace
from rebalance_proofs.recorded.groups.broker import Table, members
from rebalance_proofs.recorded.groups.codes import BEAT, PULL
from rebalance_proofs.recorded.groups.driver import StartConsumer, Subscribe, Told, Unsubscribe
from rebalance_proofs.recorded.groups.member import Ask, EntryNew, Subscribed, Unsubscribed
from rebalance_proofs.recorded.groups.requests import Request
from rebalance_proofs.recorded.groups.run import DRIVER, of_kind

__all__ = [
    "REFUSED",
    "about",
    "emptied",
    "expression",
    "expressions",
    "first_pulls",
    "is_v2",
    "row",
    "subs",
    "topics",
    "turns",
]

ROW = re.compile(r"([^=\s{]+)=([^=]*)@(\d+)(?:, |\})")
V2, V2_PROPERTY = "useHeartbeatV2", "com.rocketmq.heartbeat.v2"
"""``ClientConfig``'s setting, and the system property that it begins with."""
REFUSED = tuple(refusal.value for refusal in Refusal)
"""The codes with which a broker refuses a pull for its table of subscriptions."""


def is_v2(started: StartConsumer) -> bool:
    """Whether a member is set up to send heartbeats V2, which a broker may not know."""
    said = started.settings.get(V2, (started.props or {}).get(V2_PROPERTY))
    return str(said).lower() == "true"


def topics(trace: Trace, who: str, calls: Calls, broker: str) -> dict[str, list[Call]]:
    """Topic -> the member's heartbeats to that broker, from its first one with the topic on."""
    group = trace.consumers[who].group
    found: dict[str, list[Call]] = defaultdict(list)
    for call in calls.all[who]:
        # Who has been shut down can have a producer, whose heartbeats say nothing of the group.
        if call.ask.code == BEAT and call.broker == broker and about(call.ask.said, group):
            for topic in [*found, *(one for one in subs(call.ask.said, group) if one not in found)]:
                found[topic].append(call)
    return found


def first_pulls(trace: Trace, who: str, calls: Calls, broker: str) -> frozenset[int]:
    """The lines of the broker's answers to pulls that were the first ones of their entries."""
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
    """Topic -> version, of a heartbeat about that group; empty for one that is about others, or has none."""
    own = next((one.subs for one in said.groups or () if one.group == group), {})
    return {topic: int(version.rpartition("@")[2]) for topic, version in own.items()}


def about(said: Request, group: str) -> bool:
    """Whether a heartbeat names the group."""
    return any(one.group == group for one in said.groups or ())


def turns(trace: Trace, who: str, topic: str) -> list[tuple[int, int, bool]]:
    """When the user has unsubscribed the topic, or subscribed it anew: since the driver's command, until the call had
    returned; and whether the member subscribes to it then."""
    told = [one for one in of_kind(trace.of[DRIVER], Told) if one.of == who and one.line.split()[1:2] == [topic]]
    found = []
    for event in trace.of[who]:
        if isinstance(event, (Subscribed, Unsubscribed)) and event.topic == topic:
            kind = Subscribe if isinstance(event, Subscribed) else Unsubscribe
            since = [one.at for one in told if isinstance(one, kind) and one.at <= event.at]
            found.append((since[-1] if since else event.at - STALL, event.at, kind is Subscribe))
    return found


def expressions(said: Request, group: str) -> dict[str, str]:
    """Topic -> expression, of a heartbeat about that group."""
    own = next((one.subs for one in said.groups or () if one.group == group), {})
    return {topic: version.rpartition("@")[0] for topic, version in own.items()}


def row(said: str | None) -> dict[str, int]:
    """Topic -> version, of a look at the broker's table."""
    return {topic: int(version) for topic, _, version in ROW.findall(said or "")}


def expression(said: str | None, topic: str) -> str | None:
    """The topic's expression, of a look at the broker's table; None if it does not have the topic."""
    return next((text for name, text, _ in ROW.findall(said or "") if name == topic), None)


def emptied(trace: Trace, broker: str, group: str) -> list[tuple[int, int]]:
    """From when to when the broker can have had no member of the group, so that it forgot it, though no look has seen
    that: of the connections that one look saw, the next one sees none."""
    rows = [one for one in trace.kind(Table, broker) if one.what == "members" and one.of == group]
    gone = (one for one in rows if one.was and one.is_ and not {*members(one.was)} & {*members(one.is_)})
    return [(one.at - LOOK - STALL, one.at) for one in gone]
