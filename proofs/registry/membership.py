"""The worlds of a broker's registry: what becomes of members, of connections, and of the broker."""

from dataclasses import dataclass, replace
from typing import ClassVar

import z3

from rebalance_proofs.model.registry.actions import expired
from rebalance_proofs.model.registry.limits import Limits
from rebalance_proofs.model.registry.state import Said, State
from rebalance_proofs.model.terms.truth import NO
from rebalance_proofs.proofs.world import Premised

__all__ = [
    "AGREEING",
    "BETWEEN",
    "CLOSED",
    "COLLECTED",
    "CONNECTION",
    "GREETED",
    "HEARD",
    "HOST",
    "LATE",
    "LEFT",
    "MUTE",
    "NOTIFIED",
    "ONE_SIDED",
    "OTHER_GROUP",
    "POLLED",
    "RACED",
    "REACHED",
    "RESTART",
    "SCANNED",
    "SLOW",
    "STEADY",
    "SWITCHED_OFF",
    "THREW",
    "TWO_CHANNELS",
    "UNPOLLED",
    "UNREACHED",
    "Membership",
]

ALWAYS_CAN = ("starts", "finds", "puts", "leaves", "unregisters", "loses", "dies", "others_come", "others_go", "scans")
"""In all worlds but that of routes."""
UNHEARD, ENDS, FORGETS, REFRESHES = ("vanishes",), ("breaks", "reconnects", "closes_old"), ("restarts",), ("refreshes",)
AFTERWARDS = ("lags", "straggles")
BATCHES, ROUTE = ("copies", "replaces"), ("moves", "polls")
WITHOUT = ("breaks", "reconnects", "restarts")
TABLE = (*ALWAYS_CAN, *UNHEARD, *ENDS, *AFTERWARDS, *FORGETS, *REFRESHES)


@dataclass(frozen=True)
class Membership(Premised):
    """All premises hold, or all but one."""

    actions: tuple[str, ...] = TABLE
    """Everything that happens."""
    beats: bool = False
    """While the member is alive, its heartbeats arrive within the limit of each other."""
    often: bool = False
    """That limit is no longer than the one after which a channel is removed."""
    scans: bool = False
    """The broker scans in time."""
    apart: bool = False
    """While a heartbeat is registered, nothing else changes the group's record."""
    prompt: bool = False
    """The sockets of a process that dies are closed, and heard of, at once."""
    ends_first: bool = False
    """The broker hears of the end of a connection before the member makes another one."""
    heard: bool = False
    """It hears of the end of each connection before a scan removes it."""
    greets: bool = False
    """What a client sends because it has connected is registered at once."""
    off: bool = False
    """The broker notifies nobody."""
    later: bool = False
    """It collects notifications."""
    sends: bool = False
    """What is collected is sent in time."""
    whole: bool = False
    """Nothing is collected between the two steps of sending."""
    polls: bool = False
    """The route is polled in time."""
    kind: ClassVar[str] = "registry"

    def allows(self, action: str, state: State, said: Said, limits: Limits) -> z3.BoolRef:
        """What the premises say of an action, one that member and broker could do."""
        if action not in self.actions:
            return NO
        me = state.me
        needed = [said.off if self.off else z3.Not(said.off), said.later if self.later else z3.Not(said.later)]
        if self.apart and action != "puts":
            needed.append(z3.Not(me.finding))
        if self.whole and action != "replaces":
            needed.append(z3.Not(me.copying))
        if self.ends_first and action == "reconnects":
            needed.append(z3.Not(me.mine))
        if self.heard and action == "scans":
            removes = z3.Or(
                z3.And(me.mine, expired(state, me.at, limits)), z3.And(me.old, expired(state, me.old_at, limits))
            )
            needed.append(z3.Or(said.first, z3.Not(removes)))
        return z3.And(needed)

    def waits(self, state: State, until: z3.ArithRef, limits: Limits) -> z3.BoolRef:
        """Time can pass until then: nothing is due before. Registering, sending, a good-bye take none."""
        me = state.me
        busy = [me.finding, me.copying, me.leaving]
        if self.prompt:
            busy.append(me.closing)
        if self.greets:
            busy.append(me.anew)
        in_time = [z3.Not(z3.Or(busy))]
        if self.beats:
            in_time.append(z3.Implies(me.alive, until <= me.at + limits.beat))
        if self.scans:
            in_time.append(until <= me.scanned + limits.scan)
        if self.sends:
            in_time.append(until <= me.flushed + limits.collect)
        if self.polls:
            in_time.append(until <= me.polled + limits.poll)
        return z3.And(until >= state.now, z3.Or(until == state.now, z3.And(in_time)))

    def limited(self, limits: Limits) -> dict[str, z3.BoolRef]:
        """What the premises say of the limits."""
        said = {"no limit is negative": z3.And([limit >= 0 for limit in vars(limits).values()])}
        if self.often:
            said["heartbeats come before a channel is removed"] = limits.beat <= limits.expired
        return said


ALWAYS = (
    "The consumers consume by clustering, and their group is one that the broker has a configuration of.",
    "A good-bye (`unregisterClient`) arrives at once, or is lost; `useHeartbeatV2` and `enableFastChannelEventProcess` "
    "are off, as shipped, and no proxy stands between.",
    "Clocks do not step.",
)
"""Premises that are in every world: what the model does not have."""
STAYS = "The member's connection stays."
NO_RESTART = "The broker does not restart."
OFTEN = (
    "As long as it lives, a heartbeat of it arrives at this broker within the limit for heartbeats of the one before, "
    "and of its start; and that limit is no longer than the time after which a scan removes a channel."
)
ARRIVE = (
    "As long as it lives, a heartbeat of it arrives at this broker within the limit for heartbeats of the one before, "
    "and of its start; so it has the broker's address in one of its routes."
)
ALONE = "While a heartbeat of it is registered, nothing else changes the group's record."
SCANS = "The broker scans its table in time."
LAST = (
    "The process that it leaves sends no heartbeat any more for another group, or a producer, that was registered by "
    "the same heartbeat as this one (the first of a connection registers the client instance's own producer), or its "
    "good-bye arrives, or its connection is closed."
)
PROMPT = "The system of a process that dies closes its sockets, and the broker hears of it at once."
CLOSES = "The broker hears of the end of a connection before the member makes another one."
IN_ORDER = "No heartbeat is registered when the connection has ended by which it came."
BY_CLOSE = (
    "The broker hears of the end of each connection before its scan removes the channel: its scans close what was not "
    "heard of, that of producers first, and which of its threads is faster then is open."
)
NOTIFIES = (
    "The broker notifies at once (`notifyConsumerIdsChangedEnable` and, from 5.0 on, `realTimeNotifyConsumerChange` "
    "are true), for this group, too; and changes come one after the other."
)
COLLECTS = (
    "The broker notifies (`notifyConsumerIdsChangedEnable`), and collects changes "
    "(`realTimeNotifyConsumerChange` is false), which are sent in time."
)
WHOLE = "No change comes between the two steps in which what is collected is taken and replaced."
GREETS = (
    "A heartbeat that a client sends because it has connected is registered at once: nothing else holds its lock, the "
    "broker's address in its routes is the one that it has connected to, and from 5.2 on "
    "`enableHeartbeatChannelEventListener` is true, as shipped."
)
POLLS = "The client is answered what its route is within the limit for polls of the last answer, each time."

_STEADY = tuple(action for action in TABLE if action not in WITHOUT)
STEADY = Membership(
    "steady",
    " ".join((STAYS, NO_RESTART, OFTEN, *ALWAYS)),
    dropped=False,
    actions=_STEADY,
    beats=True,
    often=True,
)
"""A member that lives, its connection, and a broker that goes on."""
CONNECTION = replace(
    STEADY,
    name="connection",
    sentence=STAYS,
    otherwise="its connection ends",
    dropped=True,
    actions=(*_STEADY, "breaks", "reconnects"),
)
RESTART = replace(
    STEADY,
    name="restart",
    sentence=NO_RESTART,
    otherwise="the broker restarts",
    dropped=True,
    actions=(*_STEADY, "restarts"),
)
LATE = replace(
    STEADY,
    name="heartbeats",
    sentence=OFTEN,
    otherwise="its heartbeats come too late",
    dropped=True,
    beats=False,
    often=False,
)
REACHED = Membership("reached", " ".join((ARRIVE, ALONE, *ALWAYS)), dropped=False, beats=True, apart=True)
"""Whatever happens to connections and the broker."""
UNREACHED = replace(
    REACHED,
    name="heartbeats",
    sentence=ARRIVE,
    otherwise="its heartbeats do not arrive",
    dropped=True,
    beats=False,
)
RACED = replace(
    REACHED,
    name="alone",
    sentence=ALONE,
    otherwise="the group's record, which is empty, is removed just as a heartbeat of it is registered",
    dropped=True,
    apart=False,
)
_LEAVES = tuple(action for action in TABLE if action not in REFRESHES)
LEFT = Membership("left", " ".join((SCANS, LAST, *ALWAYS)), dropped=False, actions=_LEAVES, scans=True)
"""A member that has gone in any way."""
THREW = replace(LEFT, name="threw", actions=("starts", "throws", *_LEAVES[1:]))
"""And a member whose start throws."""
OTHER_GROUP = replace(
    LEFT,
    name="other-group",
    sentence=LAST,
    otherwise=(
        "its good-bye is lost, and its process goes on with another group, or a producer, that was registered by the "
        "same heartbeat"
    ),
    dropped=True,
    actions=("starts", "finds", "puts", "leaves", "loses", "scans", *REFRESHES),
)
SCANNED = Membership("scanned", " ".join((SCANS, *ALWAYS)), dropped=False, scans=True)
_ORDER = tuple(action for action in TABLE if action not in AFTERWARDS)
_CLOSES = tuple(action for action in _ORDER if action not in UNHEARD)
HEARD = Membership(
    "closed", " ".join((PROMPT, IN_ORDER, ALONE, *ALWAYS)), dropped=False, actions=_CLOSES, prompt=True, apart=True
)
HOST = replace(
    HEARD,
    name="close",
    sentence=PROMPT,
    otherwise="its host or network vanishes, and nobody closes its connection",
    dropped=True,
    actions=_ORDER,
)
CLOSED = Membership(
    "one-connection", " ".join((CLOSES, IN_ORDER, *ALWAYS)), dropped=False, actions=_ORDER, ends_first=True
)
TWO_CHANNELS = replace(
    CLOSED,
    name="close",
    sentence=CLOSES,
    otherwise="a member makes another connection, and the broker has not heard that the one before has ended",
    dropped=True,
    ends_first=False,
)
SLOW = replace(
    CLOSED,
    name="order",
    sentence=IN_ORDER,
    otherwise="the broker is slow with a heartbeat, and registers it when its connection has ended",
    dropped=True,
    actions=TABLE,
)
AGREEING = Membership(
    "agreeing",
    " ".join((OFTEN, ALONE, SCANS, LAST, "Of two brokers all of this is so of both.", *ALWAYS)),
    dropped=False,
    actions=_LEAVES,
    beats=True,
    often=True,
    scans=True,
    apart=True,
)
ONE_SIDED = replace(
    AGREEING,
    name="heartbeats",
    sentence=OFTEN,
    otherwise="heartbeats of a member arrive at one of the brokers, and not at the other",
    dropped=True,
    actions=("starts", "finds", "puts", "scans"),
    beats=False,
)
NOTIFIED = Membership("notified", " ".join((BY_CLOSE, NOTIFIES, *ALWAYS)), dropped=False, heard=True)
MUTE = replace(
    NOTIFIED,
    name="close",
    sentence=BY_CLOSE,
    otherwise="the scan has removed a channel before the broker hears that it has closed the connection",
    dropped=True,
    heard=False,
)
SWITCHED_OFF = replace(
    NOTIFIED,
    name="notifications",
    sentence=NOTIFIES,
    otherwise="the broker's notifications are switched off (`notifyConsumerIdsChangedEnable` is false)",
    dropped=True,
    off=True,
)
COLLECTED = Membership(
    "collected",
    " ".join((COLLECTS, WHOLE, BY_CLOSE, ALONE, *ALWAYS)),
    dropped=False,
    actions=(*TABLE, *BATCHES),
    heard=True,
    apart=True,
    later=True,
    sends=True,
    whole=True,
)
BETWEEN = replace(
    COLLECTED,
    name="whole",
    sentence=WHOLE,
    otherwise="a change comes between the two steps in which what is collected is taken and replaced",
    dropped=True,
    whole=False,
)
GREETED = Membership("greeted", " ".join((GREETS, ALONE, *ALWAYS)), dropped=False, apart=True, greets=True)
POLLED = Membership("polled", " ".join((POLLS, *ALWAYS[2:])), dropped=False, actions=ROUTE, polls=True)
UNPOLLED = replace(POLLED, name="polls", sentence=POLLS, otherwise="its polls fail", dropped=True, polls=False)
