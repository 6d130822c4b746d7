"""Questions about subscriptions: what each claim's words mean in the model."""

from collections.abc import Callable

from tests.independent.comparing import Said
from tests.independent.exploring import shortest
from tests.independent.subscriptions import State, Subscriptions

SENTENCES = {
    "a push consumer that keeps running": "",
    "no clock jumps": "",
    "a broker with queues of the topic, from which members pull": "",
    "every heartbeat arrives at this broker and is answered": "",
    "periodic heartbeats on time, with maxHeartbeat < `heartbeatBrokerInterval`": "",
    "no heartbeat lock held for a heartbeat to a single other broker (sent on reconnect, from 5.2.0)": "",
    "no two heartbeats of the group processed by the broker at the same time": "",
    "`notifyConsumerIdsChangedEnable` on, the default": "",
    "tag expressions only": "",
    "changes of the queue table at any time, even during a heartbeat, when they send no heartbeat of their own": "",
    "pulls checked against the broker's table (`postSubscriptionWhenPull` off, the default)": "",
    "no downtime at a broker restart: the broker is back immediately": "",
    "a pull of a queue that the change adds or keeps": "",
    "a first pull sent immediately after the queue is added": "",
    "maxHeartbeat < firstPullDelay": "",
    "`heartbeatBrokerInterval` <= maxHeartbeatGap <= `heartbeatBrokerInterval` + maxHeartbeat": "",
    "a pull before the next heartbeat is due": "",
    "every pull carries the member's expression (`postSubscriptionWhenPull` on)": "posted",
    "no other member with the topic, and no topic in the broker's table when a pull is refused": "alone",
    "a heartbeat of a member without the topic immediately after each heartbeat of the member": "followed",
    "no other member with the topic or with the member's fingerprint": "single",
    "the same topics for all members": "alike",
    "no loss of the group at the broker: no restart, always an open channel": "no-loss",
    "one member with the topic and one without it": "differ",
    "at most maxHeartbeatGap between two heartbeats of a member at the broker": "in-time",
    "no heartbeat of the member's process under way when the member's queue table changes": "free",
    "no change of the member's queue table": "no-change",
    "no heartbeat of a member without the topic within maxPullGap after one of the member": "room",
    "the next pull of a queue at most maxPullGap after a refusal": "retries",
    "the same expression for all members with the topic": "same-tags",
    "no other member's subscription version as new as the member's": "newest",
    "a new subscription version with each added queue, and no other change of the queue table before its first pull": (
        "added-alone"
    ),
}
NAMES = {"heartbeatBrokerInterval": "period", "maxHeartbeat": "beat", "maxHeartbeatGap": "apart", "maxPullGap": "retry"}
TIMED = {"restless", "accepted-soon", "accepted", "as-long", "answered-as-late"}
SLOW: set[str] = set()
SCOPE = {"never-answered", "posted", "answered-later"}
"""Not asked: that some runs go on for ever, pulls that the broker does not check, and heartbeat V2."""
ABOUT = {
    "accepted": {"pulls", "forgotten"},
    "accepted-soon": {"pulls"},
    "as-long": {"pulls"},
    "answered": {"pulls"},
    "answered-as-late": {"pulls"},
    "own-tags": {"pulls", "tags", "forgotten"},
    "all-tags": {"pulls", "tags", "forgotten"},
    "first-pull": {"pulls", "first"},
}
"""Kinds of steps that matter for a guarantee."""


def covered(said: Said) -> bool:
    """Whether the model answers a question about the claim: not about heartbeat V2."""
    return "heartbeat_v2" not in said.client and said.guarantee not in SCOPE


def asked(said: Said, *, less: int = 0) -> tuple[str, ...] | None:
    """Return a shortest run that breaks the claim, or that exceeds its bound minus ``less``."""
    name = said.guarantee
    most = said.bound(NAMES) - less if name in TIMED or name == "answered" else 0
    about = ABOUT.get(name, set()) | ({"delayed"} if said.client == "java_v5_0_to_v5_3" else set())
    model = Subscriptions(said.assumed, about, **said.limits, horizon=most)

    def refused_late(s: State) -> bool:
        return s.seen == "refused" and -s.moved > most

    bad: dict[str, Callable[[State], bool]] = {
        "calm": lambda s: s.seen in ("changes", "odd"),
        "exactly": lambda s: s.seen == "odd",
        "restless": lambda s: -s.changed > most,
        "accepted-soon": refused_late,
        "accepted": refused_late,
        "as-long": refused_late,
        "answered": lambda s: s.seen == "refused" and -s.refused >= most,
        "answered-as-late": lambda s: s.seen.startswith("accepted") and int(s.seen.split()[1]) > most - 1,
        "own-tags": lambda s: s.seen == "skipped",
        "all-tags": lambda s: s.seen == "skipped for another",
        "first-pull": lambda s: s.seen == "barred",
    }
    return shortest(model.first(), model.after, bad[name], model.later)
