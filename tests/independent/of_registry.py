"""Questions about members and routes: what each claim's words mean in the model."""

from collections.abc import Callable
from functools import partial

from tests.independent.comparing import Said
from tests.independent.exploring import shortest
from tests.independent.registry import CLOSING, Registry, Route, State

SENTENCES = {
    "a clustering group with a subscription-group configuration on the broker": "",
    "`unregisterClient` arrives at once or is lost": "",
    "`useHeartbeatV2` and `enableFastChannelEventProcess` off, the default": "",
    "`useHeartbeatV2` on, and `enableFastChannelEventProcess` off, the default": "",
    "no proxy between client and broker": "",
    "no clock jumps": "",
    "the same assumptions for both brokers": "",
    "one membership change after the other": "",
    "maxScanGap > 0": "",
    "time counted from the member's last registered heartbeat, if that is later than its end": "",
    "`enableHeartbeatChannelEventListener` on, the default (from 5.2)": "",
    "clients from 5.3.2 on, which are shut down if `start()` throws": "",
    "no connection loss and no reconnect of the member": "stays-connected",
    "no broker restart": "no-restart",
    "member heartbeats at this broker at most maxHeartbeatGap apart, and maxHeartbeatGap <= channelExpiredTimeout": (
        "heartbeats"
    ),
    "member heartbeats at this broker at most maxHeartbeatGap apart: one of its routes has the broker's address": (
        "heartbeats"
    ),
    "no other change of the group's record while a heartbeat is being registered": "alone",
    "broker scans at most maxScanGap apart": "scans",
    "while a stopped member is listed, no heartbeat on its connection for another group or producer that the same "
    "heartbeat registered": "last",
    "`unregisterClient` arrives before the process exits": "unregister-arrives",
    "no heartbeat that the process began before the shutdown, and that the broker registers after `unregisterClient`": (
        "none-in-flight"
    ),
    "the sockets of a dead process close at once, and the broker notices at once": "closes-at-once",
    "the broker notices the end of a connection before the member reconnects": "closes-first",
    "no heartbeat registered after the end of its connection": "in-order",
    "the broker handles the close event of a connection before its scan removes the channel": "close-event-first",
    "immediate notifications, for this group too (`notifyConsumerIdsChangedEnable` on and, from 5.0, "
    "`realTimeNotifyConsumerChange` on)": "immediate",
    "collected notifications, for this group too (`notifyConsumerIdsChangedEnable` on, `realTimeNotifyConsumerChange` "
    "off)": "collects",
    "collected notifications sent at most maxSendGap apart": "sends",
    "no change while the broker takes the collected notifications and clears them": "whole",
    "immediate registration of the heartbeat sent on connect: its lock is free, and the client's routes have the "
    "address it connected to": "greets-at-once",
    "route answers for the client at most maxPollGap apart": "polls",
}
NAMES = {
    "maxHeartbeatGap": "beat",
    "channelExpiredTimeout": "expired",
    "maxScanGap": "scan",
    "maxSendGap": "collect",
    "maxPollGap": "poll",
}
AS_LONG = {"as-long", "route-as-long"}
"""Guarantees that something can last as long as their bound, and no longer."""
TIMED = {"again", "gone", "not-started", "agree", "once-again", "told-late", "routed", *AS_LONG}
"""Guarantees with a time bound."""

SLOW = {
    "registry.java_v4_9_to_v5_3.gone",
    "registry.java_v4_9_to_v5_3.gone.without-other-group",
    "registry.java_v4_9_to_v5_3.as-long",
    "registry.java_v4_9_to_v5_3.agree",
    "registry.java_v4_9_to_v5_3.agree.without-heartbeats",
    "registry.java_v4_9_to_v5_3.told-late",
    "registry.java_v4_9_to_v5_3.told-late.without-whole",
    "registry.java_v4_9_to_v5_3_1.not-started",
    "registry.java_v5_3_2_to_v5_3_3.not-started",
    "registry.java_v5_5_1.not-started",
    "registry.java_v5_5_1_heartbeat_v2.gone.without-other-group",
}
"""Claims whose runs have many actions, or whose explorations have many states."""

BAD: dict[str, Callable[[State, int], bool]] = {
    "listed": lambda s, over: s.x == "alive" and s.known and s.y and not s.listed,
    "again": lambda s, over: s.x == "alive" and not s.listed and s.since > over,
    "gone": lambda s, over: s.x in ("stopped", "gone") and s.listed > 0 and s.since > over,
    "not-started": lambda s, over: s.threw and s.listed > 0 and s.since > over,
    "as-long": lambda s, over: s.x == "gone" and s.latest and s.since > over,
    "at-once": lambda s, over: s.died and s.latest and CLOSING not in s.ends and s.since > 0,
    "good-bye": lambda s, over: s.x == "stopped" and s.latest and s.since > 0,
    "once": lambda s, over: s.listed > 1,
    "once-again": lambda s, over: len(s.table) > 1 and s.table[0] is not None and s.table[0] > over,
    "agree": lambda s, over: s.listed != (s.x == "alive") and s.since > over,
    "told": lambda s, over: s.untold is not None and s.y,
    "told-late": lambda s, over: s.untold is not None and s.y and s.untold > over,
    "anew": lambda s, over: (
        len(s.ends) > 1 and s.x == "alive" and s.ends[-1] == "open" and not s.latest and s.since > 0
    ),
}


def covered(said: Said) -> bool:
    """Whether the model answers a question about the claim: about all of them."""
    return True


def asked(said: Said, *, less: int = 0) -> tuple[str, ...] | None:
    """Return a shortest run that breaks the claim, or that stays bad for longer than its bound minus ``less``."""
    lim, name = said.limits, said.guarantee
    most = said.bound(NAMES) - less if name in TIMED else 0
    if name.startswith("route"):
        poll = lim["poll"] if "polls" in said.assumed else None
        late = partial(_stale, most)
        return shortest(Route(), Route.after, late, lambda s: s.later(poll, most + 1))
    assumed = set(said.assumed)
    if name == "told" and "immediate" not in assumed:
        assumed.add("off")
    of_5_5_1 = "5_5_1" in said.client
    registry = Registry(
        assumed,
        **{limit: lim[limit] for limit in ("beat", "expired", "scan", "collect")},
        greets=said.client == "java_v5_2_to_v5_3",
        stops=of_5_5_1 or said.client == "java_v5_3_2_to_v5_3_3",
        shares=not of_5_5_1 or "heartbeat_v2" in said.client,
        horizon=most + 1,
        throws=name == "not-started",
        tells=name.startswith("told"),
    )
    bad = BAD[name]
    return shortest(State(), registry.after, lambda s: bad(s, most), registry.later)


def _stale(over: int, s: Route) -> bool:
    return s.moved is not None and not s.seen and s.moved > over
