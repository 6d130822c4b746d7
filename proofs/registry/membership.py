"""Sets of assumptions about members (consumers), connections, and the broker's registry."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from rebalance_proofs.model.machine.values import And, Bool, Implies, Int, Not, Or
from rebalance_proofs.model.machine.world import MachineWorld
from rebalance_proofs.model.registry.machine import REGISTRY, expired
from rebalance_proofs.model.registry.state import Limits, Member, Said

UNHEARD, AFTERWARDS, REFRESHES = ("vanishes",), ("lags", "straggles"), ("refreshes",)
IN_FLIGHT = ("trails",)
BROKEN, FORGETS = ("breaks", "reconnects"), ("restarts",)
Never = tuple[tuple[str, str], ...]


LAST = (
    "while a stopped member is listed, no heartbeat on its connection for another group or producer that the same "
    "heartbeat registered"
)
REGISTERED = "registered producers: the client's own producer, too, from the first heartbeat on"


@dataclass(frozen=True)
class Membership(MachineWorld[Member, Said, Limits]):
    """A set of assumptions about members and the registry: all hold, or all but one."""

    never: Never = ()
    """The actions that are excluded, each with the assumption that excludes it."""
    beats: bool = False
    """Whether a live member's heartbeats arrive at most ``beat`` (a limit) apart."""
    often: bool = False
    """Whether ``beat`` is at most the time after which a channel without heartbeats is removed."""
    scans: bool = False
    """Whether the broker scans its channels in time."""
    apart: bool = False
    """Whether nothing else changes the group's record while a heartbeat is being registered."""
    prompt: bool = False
    """Whether a dead process's sockets close at once, and the broker notices at once."""
    says: bool = False
    """Whether a process runs on until the broker has received its ``unregisterClient``."""
    ends_first: bool = False
    """Whether the broker notices a connection's end before the member connects again."""
    heard: bool = False
    """Whether the broker handles a connection's close event before a scan removes its channel."""
    greets: bool = False
    """Whether the heartbeat that a client sends on connecting is registered at once."""
    off: bool = False
    """Whether the broker sends no notifications."""
    later: bool = False
    """Whether the broker collects notifications, and sends them later."""
    sends: bool = False
    """Whether collected notifications are sent in time."""
    whole: bool = False
    """Whether no notification is collected while others are being sent."""
    polls: bool = False
    """Whether the client polls the route in time."""
    of_route: bool = False
    """Whether the claims are about a route, so that events of members are irrelevant."""
    kind: ClassVar[str] = "registry"
    definitions: ClassVar[Mapping[str, str]] = {LAST: REGISTERED}

    @property
    def excludes(self) -> Mapping[str, str]:
        return dict(self.never)

    def allows(self, action: str, state: Member, choices: Said, limits: Limits) -> Bool:
        known, needed = {"off": self.off, "later": self.later}, []
        for name in REGISTRY.actions[action].choices:
            if name in known:
                said = getattr(choices, name)
                needed.append(said if known[name] else Not(said))
        if self.apart and action != "puts":
            needed.append(Not(state.finding))
        if self.whole and action != "replaces":
            needed.append(Not(state.copying))
        if self.says and action in ("dies", *UNHEARD):
            needed.append(Not(state.leaving))
        if self.ends_first and action == "reconnects":
            needed.append(Not(state.mine))
        if self.heard and action == "scans":
            mine, old = expired(state, state.at, limits), expired(state, state.old_at, limits)
            needed.append(Or(choices.first, Not(Or(And(state.mine, mine), And(state.old, old)))))
        return And(*needed)

    def waits(self, state: Member, until: Int, limits: Limits) -> Bool:
        """Return whether time can pass until ``until``.

        Registering, sending and unregistering take no time.
        """
        busy = [state.finding, state.copying, state.leaving]
        if self.prompt:
            busy.append(state.closing)
        if self.greets:
            busy.append(state.anew)
        in_time = [Not(Or(*busy))]
        if self.beats:
            in_time.append(Implies(state.alive, until <= state.at + limits.beat))
        if self.scans:
            in_time.append(until <= state.scanned + limits.scan)
        if self.sends:
            in_time.append(until <= state.flushed + limits.collect)
        if self.polls:
            in_time.append(until <= state.polled + limits.poll)
        return And(until >= state.now, Or(until == state.now, And(*in_time)))

    def given(self, limits: Limits) -> dict[str, Bool]:
        said = super().given(limits)
        if self.often:
            said["maxHeartbeatGap <= channelExpiredTimeout"] = limits.beat <= limits.expired
        return said


CLOCKS = "no clock jumps"
V1 = "`useHeartbeatV2` and `enableFastChannelEventProcess` off, the default"
V2 = "`useHeartbeatV2` on, and `enableFastChannelEventProcess` off, the default"
ALWAYS = (
    "a clustering group with a subscription-group configuration on the broker",
    "`unregisterClient` arrives at once or is lost",
    V1,
    "no proxy between client and broker",
    CLOCKS,
)
"""Assumptions of every claim about the registry: behaviour outside the model."""
STAYS = "no connection loss and no reconnect of the member"
NO_RESTART = "no broker restart"
OFTEN = "member heartbeats at this broker at most maxHeartbeatGap apart, and maxHeartbeatGap <= channelExpiredTimeout"
ARRIVE = "member heartbeats at this broker at most maxHeartbeatGap apart: one of its routes has the broker's address"
ALONE = "no other change of the group's record while a heartbeat is being registered"
SCANS = "broker scans at most maxScanGap apart"
SAYS = "`unregisterClient` arrives before the process exits"
NONE_IN_FLIGHT = (
    "no heartbeat that the process began before the shutdown, and that the broker registers after `unregisterClient`"
)
STOPS = "clients from 5.3.2 on, which are shut down if `start()` throws"
PROMPT = "the sockets of a dead process close at once, and the broker notices at once"
CLOSES = "the broker notices the end of a connection before the member reconnects"
IN_ORDER = "no heartbeat registered after the end of its connection"
BY_CLOSE = "the broker handles the close event of a connection before its scan removes the channel"
NOTIFIES = (
    "immediate notifications, for this group too (`notifyConsumerIdsChangedEnable` on and, from 5.0, "
    "`realTimeNotifyConsumerChange` on)"
)
IN_SEQUENCE = "one membership change after the other"
COLLECTS = (
    "collected notifications, for this group too (`notifyConsumerIdsChangedEnable` on, `realTimeNotifyConsumerChange` "
    "off)"
)
SENDS = "collected notifications sent at most maxSendGap apart"
WHOLE = "no change while the broker takes the collected notifications and clears them"
GREETS = (
    "immediate registration of the heartbeat sent on connect: its lock is free, and the client's routes have the "
    "address it connected to"
)
GREETS_ON = "`enableHeartbeatChannelEventListener` on, the default (from 5.2)"
POLLS = "route answers for the client at most maxPollGap apart"
AT_BOTH = "the same assumptions for both brokers"


def _never(premise: str, *actions: str) -> Never:
    return tuple((action, premise) for action in actions)


def _but(otherwise: str, *actions: str) -> Never:
    """Return all actions except ``actions`` as excluded.

    ``otherwise`` is the assumption that excludes them.
    """
    return _never(otherwise, *(action for action in REGISTRY.actions if action not in actions))


STEADY = Membership(
    "steady",
    (STAYS, NO_RESTART, OFTEN, *ALWAYS),
    never=_never(STAYS, *BROKEN) + _never(NO_RESTART, *FORGETS),
    beats=True,
    often=True,
)
"""Assumptions that the member lives, its connection stays, and the broker does not restart."""
CONNECTION = replace(
    STEADY,
    name="connection",
    drops=STAYS,
    otherwise="its connection ends",
    never=_never(NO_RESTART, *FORGETS),
)
RESTART = replace(
    STEADY,
    name="restart",
    drops=NO_RESTART,
    otherwise="the broker restarts",
    never=_never(STAYS, *BROKEN),
)
LATE = replace(
    STEADY,
    name="heartbeats",
    drops=OFTEN,
    otherwise="its heartbeats come too late",
    beats=False,
    often=False,
)
REACHED = Membership("reached", (ARRIVE, ALONE, *ALWAYS), beats=True, apart=True)
"""Assumptions under which heartbeats arrive; connections and the broker may fail in any way."""
UNREACHED = replace(
    REACHED,
    name="heartbeats",
    drops=ARRIVE,
    otherwise="its heartbeats do not arrive",
    beats=False,
)
RACED = replace(
    REACHED,
    name="alone",
    drops=ALONE,
    otherwise="a concurrent change removes the group record",
    apart=False,
)
_LEAVES = _never(LAST, *REFRESHES)
LEFT = Membership("left", (SCANS, LAST, *ALWAYS), never=_LEAVES, scans=True)
"""Assumptions under which scans come in time; the member may stop in any way."""
THREW = replace(LEFT, name="threw")
"""As ``LEFT``, for a member whose start throws an exception."""
_GOES_ON = "other groups' heartbeats refresh its channel"
OTHER_GROUP = replace(
    LEFT,
    name="other-group",
    drops=LAST,
    otherwise=_GOES_ON,
    never=_but(_GOES_ON, "starts", "finds", "puts", "leaves", "loses", "scans", *REFRESHES),
)
OTHER_GROUP_V2 = replace(OTHER_GROUP, premises=tuple(V2 if one == V1 else one for one in OTHER_GROUP.premises))
"""As ``OTHER_GROUP``, for clients with heartbeat V2."""
SCANNED = Membership("scanned", (SCANS, *ALWAYS), scans=True)
THREW_ANYHOW = Membership("threw-anyhow", (SCANS, STOPS, *ALWAYS), scans=True)
"""As ``SCANNED``, for a member whose start throws an exception; the broker does not decide what it does then."""
_ORDER = _never(IN_ORDER, *AFTERWARDS)
_CLOSES = _ORDER + _never(PROMPT, *UNHEARD)
HEARD = Membership("closed", (PROMPT, IN_ORDER, ALONE, *ALWAYS), never=_CLOSES, prompt=True, apart=True)
_SAYS, _NONE = _never(SAYS, "loses"), _never(NONE_IN_FLIGHT, *IN_FLIGHT)
GOODBYE = Membership(
    "good-bye",
    (SAYS, NONE_IN_FLIGHT, IN_ORDER, ALONE, *ALWAYS),
    never=_ORDER + _SAYS + _NONE,
    apart=True,
    says=True,
)
"""Assumptions under which ``unregisterClient`` arrives, and no heartbeat that began earlier follows it."""
TRAILED = replace(
    GOODBYE,
    name="in-flight",
    drops=NONE_IN_FLIGHT,
    otherwise="a heartbeat is in flight",
    never=_ORDER + _SAYS,
)
STRAGGLED = replace(
    GOODBYE,
    name="order",
    drops=IN_ORDER,
    otherwise="a heartbeat registers after its disconnect",
    never=_SAYS + _NONE,
)
HOST = replace(
    HEARD,
    name="close",
    drops=PROMPT,
    otherwise="its host or network vanishes",
    never=_ORDER,
)
CLOSED = Membership("one-connection", (CLOSES, IN_ORDER, *ALWAYS), never=_ORDER, ends_first=True)
TWO_CHANNELS = replace(
    CLOSED,
    name="close",
    drops=CLOSES,
    otherwise="the broker notices a disconnect after the reconnect",
    ends_first=False,
)
SLOW = replace(
    CLOSED,
    name="order",
    drops=IN_ORDER,
    otherwise="a heartbeat registers after its disconnect",
    never=(),
)
AGREEING = Membership(
    "agreeing",
    (OFTEN, ALONE, SCANS, LAST, AT_BOTH, *ALWAYS),
    never=_LEAVES,
    beats=True,
    often=True,
    scans=True,
    apart=True,
)
AGREEING_ANYHOW = replace(
    AGREEING,
    name="agreeing-anyhow",
    premises=tuple(one for one in AGREEING.premises if one != LAST),
    never=(),
)
"""As ``AGREEING``, and heartbeats may also come for other groups of a stopped member's process."""
_ONE_SIDE = "heartbeats miss one broker"
ONE_SIDED = replace(
    AGREEING,
    name="heartbeats",
    drops=OFTEN,
    otherwise=_ONE_SIDE,
    never=_but(_ONE_SIDE, "starts", "finds", "puts", "scans"),
    beats=False,
)
NOTIFIED = Membership("notified", (BY_CLOSE, NOTIFIES, IN_SEQUENCE, *ALWAYS), heard=True)
MUTE = replace(
    NOTIFIED,
    name="close",
    drops=BY_CLOSE,
    otherwise="a scan removes the channel before its close event",
    heard=False,
)
SWITCHED_OFF = replace(
    NOTIFIED,
    name="notifications",
    drops=NOTIFIES,
    otherwise="`notifyConsumerIdsChangedEnable` is false",
    off=True,
)
COLLECTED = Membership(
    "collected",
    (COLLECTS, SENDS, WHOLE, IN_SEQUENCE, BY_CLOSE, ALONE, *ALWAYS),
    heard=True,
    apart=True,
    later=True,
    sends=True,
    whole=True,
)
BETWEEN = replace(
    COLLECTED,
    name="whole",
    drops=WHOLE,
    otherwise="a change arrives during a send",
    whole=False,
)
GREETED = Membership("greeted", (GREETS, GREETS_ON, ALONE, *ALWAYS), apart=True, greets=True)
POLLED = Membership("polled", (POLLS, CLOCKS), polls=True, of_route=True)
UNPOLLED = replace(POLLED, name="polls", drops=POLLS, otherwise="its polls fail", polls=False)
