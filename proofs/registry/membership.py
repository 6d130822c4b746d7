"""The worlds of a broker's registry: what may happen to members, connections, and the broker."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from rebalance_proofs.model.machine.values import And, Bool, Implies, Int, Not, Or
from rebalance_proofs.model.registry.limits import Limits
from rebalance_proofs.model.registry.machine import REGISTRY, expired
from rebalance_proofs.model.registry.state import Member, Said
from rebalance_proofs.proofs.machine.world import MachineWorld

__all__ = [
    "AGREEING",
    "BETWEEN",
    "CLOSED",
    "COLLECTED",
    "CONNECTION",
    "GOODBYE",
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

UNHEARD, AFTERWARDS, REFRESHES = ("vanishes",), ("lags", "straggles"), ("refreshes",)
BROKEN, FORGETS = ("breaks", "reconnects"), ("restarts",)
Never = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Membership(MachineWorld[Member, Said, Limits]):
    """A world of the registry: all premises hold, or all but one."""

    never: Never = ()
    """The actions that never happen, each with the premise that excludes it."""
    beats: bool = False
    """Whether a living member's heartbeats arrive within the limit ``beat`` of each other."""
    often: bool = False
    """Whether that limit is no longer than the time after which a channel is removed."""
    scans: bool = False
    """Whether the broker scans in time."""
    apart: bool = False
    """Whether nothing else changes the group's record while a heartbeat is registered."""
    prompt: bool = False
    """Whether a dead process's sockets are closed, and the broker hears of that, at once."""
    says: bool = False
    """Whether a process goes on until the broker has got its member's good-bye."""
    ends_first: bool = False
    """Whether the broker hears of a connection's end before the member makes another one."""
    heard: bool = False
    """Whether the broker hears of each connection's end before a scan removes its channel."""
    greets: bool = False
    """Whether a heartbeat that a client sends upon connecting is registered at once."""
    off: bool = False
    """Whether the broker notifies nobody."""
    later: bool = False
    """Whether the broker collects notifications."""
    sends: bool = False
    """Whether collected notifications are sent in time."""
    whole: bool = False
    """Whether no notification is collected between the two steps of sending."""
    polls: bool = False
    """Whether the route is polled in time."""
    of_route: bool = False
    """Whether the world is about a route, so that what happens to members is irrelevant."""
    kind: ClassVar[str] = "registry"

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
        """Whether time can pass until then; registering, sending, and a good-bye take no time."""
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
            said["heartbeats come before a channel is removed"] = limits.beat <= limits.expired
        return said


ALWAYS = (
    "The consumers consume by clustering, and their group is one that the broker has a configuration of.",
    "A good-bye (`unregisterClient`) arrives at once, or is lost; `useHeartbeatV2` and `enableFastChannelEventProcess` "
    "are off, as shipped, and no proxy stands between.",
    "Clocks do not step.",
)
"""Premises of every world: behaviour that the model does not have."""
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
SAYS = "When a member is shut down its good-bye arrives: it is not lost, and the process goes on until then."
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


def _never(premise: str, *actions: str) -> Never:
    return tuple((action, premise) for action in actions)


def _but(otherwise: str, *actions: str) -> Never:
    """Exclude all actions except these, by the premise."""
    return _never(otherwise, *(action for action in REGISTRY.actions if action not in actions))


STEADY = Membership(
    "steady",
    " ".join((STAYS, NO_RESTART, OFTEN, *ALWAYS)),
    dropped=False,
    never=_never(STAYS, *BROKEN) + _never(NO_RESTART, *FORGETS),
    beats=True,
    often=True,
)
"""The world in which the member lives, its connection stays, and the broker does not restart."""
CONNECTION = replace(
    STEADY,
    name="connection",
    sentence=STAYS,
    otherwise="its connection ends",
    dropped=True,
    never=_never(NO_RESTART, *FORGETS),
)
RESTART = replace(
    STEADY,
    name="restart",
    sentence=NO_RESTART,
    otherwise="the broker restarts",
    dropped=True,
    never=_never(STAYS, *BROKEN),
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
"""The world in which heartbeats arrive; anything may happen to connections and the broker."""
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
_LEAVES = _never(LAST, *REFRESHES)
LEFT = Membership("left", " ".join((SCANS, LAST, *ALWAYS)), dropped=False, never=_LEAVES, scans=True)
"""The world in which scans come in time; the member may go in any way."""
THREW = replace(LEFT, name="threw")
"""The same world, for a member whose start throws."""
_GOES_ON = (
    "its good-bye is lost, and its process goes on with another group, or a producer, that was registered by the same "
    "heartbeat"
)
OTHER_GROUP = replace(
    LEFT,
    name="other-group",
    sentence=LAST,
    otherwise=_GOES_ON,
    dropped=True,
    never=_but(_GOES_ON, "starts", "finds", "puts", "leaves", "loses", "scans", *REFRESHES),
)
SCANNED = Membership("scanned", " ".join((SCANS, *ALWAYS)), dropped=False, scans=True)
_ORDER = _never(IN_ORDER, *AFTERWARDS)
_CLOSES = _ORDER + _never(PROMPT, *UNHEARD)
HEARD = Membership(
    "closed", " ".join((PROMPT, IN_ORDER, ALONE, *ALWAYS)), dropped=False, never=_CLOSES, prompt=True, apart=True
)
GOODBYE = Membership(
    "good-bye",
    " ".join((SAYS, IN_ORDER, ALONE, *ALWAYS)),
    dropped=False,
    never=_ORDER + _never(SAYS, "loses"),
    apart=True,
    says=True,
)
"""The world in which a member that is shut down says so."""
HOST = replace(
    HEARD,
    name="close",
    sentence=PROMPT,
    otherwise="its host or network vanishes, and nobody closes its connection",
    dropped=True,
    never=_ORDER,
)
CLOSED = Membership(
    "one-connection", " ".join((CLOSES, IN_ORDER, *ALWAYS)), dropped=False, never=_ORDER, ends_first=True
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
    never=(),
)
AGREEING = Membership(
    "agreeing",
    " ".join((OFTEN, ALONE, SCANS, LAST, "Of two brokers all of this is so of both.", *ALWAYS)),
    dropped=False,
    never=_LEAVES,
    beats=True,
    often=True,
    scans=True,
    apart=True,
)
_ONE_SIDE = "heartbeats of a member arrive at one of the brokers, and not at the other"
ONE_SIDED = replace(
    AGREEING,
    name="heartbeats",
    sentence=OFTEN,
    otherwise=_ONE_SIDE,
    dropped=True,
    never=_but(_ONE_SIDE, "starts", "finds", "puts", "scans"),
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
POLLED = Membership("polled", " ".join((POLLS, *ALWAYS[2:])), dropped=False, polls=True, of_route=True)
UNPOLLED = replace(POLLED, name="polls", sentence=POLLS, otherwise="its polls fail", dropped=True, polls=False)
