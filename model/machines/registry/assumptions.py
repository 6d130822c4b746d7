"""Assumptions about members, connections and the broker's registry, and sets of them."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import ClassVar

from rebalance_proofs.model.machine.premise import Assumptions, Premise
from rebalance_proofs.model.machine.values import And, Bool, Implies, Int, Not, Or
from rebalance_proofs.model.machines.registry.actions import REGISTRY, action, expired
from rebalance_proofs.model.machines.registry.state import Limits, Member, Said

assume = Premise[Member, Said, Limits]


def _but(*actions: str) -> tuple[str, ...]:
    """Return the names of all other actions."""
    return tuple(one.name for one in action if one.name not in actions)


def _except(free: str, condition: Callable[[Member], Bool]) -> Mapping[str, Callable[[Member, Said, Limits], Bool]]:
    """Return a condition on all actions but ``free``."""
    return dict.fromkeys(_but(free), lambda s, c, lim: condition(s))


def _closed_first(s: Member, c: Said, lim: Limits) -> Bool:
    mine, old = expired(s, s.at, lim), expired(s, s.old_at, lim)
    return Or(c.first, Not(Or(And(s.mine, mine), And(s.old, old))))


CLOCKS = assume("no clock jumps")
V1 = assume("`useHeartbeatV2` and `enableFastChannelEventProcess` off, the default")
V2 = assume("`useHeartbeatV2` on, and `enableFastChannelEventProcess` off, the default")
ALWAYS = (
    assume("a clustering group with a subscription-group configuration on the broker"),
    assume("`unregisterClient` arrives at once or is lost"),
    V1,
    assume("no proxy between client and broker"),
    CLOCKS,
)
"""Assumptions of every claim about the registry: behaviour outside the model."""
ALWAYS_V2 = tuple(V2 if one is V1 else one for one in ALWAYS)
STAYS = assume(
    "no connection loss and no reconnect of the member",
    name="connection",
    otherwise="its connection ends",
    excludes=("breaks", "reconnects"),
)
NO_RESTART = assume("no broker restart", name="restart", otherwise="the broker restarts", excludes=("restarts",))
OFTEN = assume(
    "member heartbeats at this broker at most maxHeartbeatGap apart, and maxHeartbeatGap <= channelExpiredTimeout",
    name="heartbeats",
    otherwise="its heartbeats come too late",
)
OFTEN_AT_BOTH = replace(OFTEN, otherwise="heartbeats miss one broker", narrows=_but("starts", "finds", "puts", "scans"))
ARRIVE = assume(
    "member heartbeats at this broker at most maxHeartbeatGap apart: one of its routes has the broker's address",
    name="heartbeats",
    otherwise="its heartbeats do not arrive",
)
ALONE = assume(
    "no other change of the group's record while a heartbeat is being registered",
    name="alone",
    otherwise="a concurrent change removes the group record",
    allows=_except("puts", lambda s: Not(s.finding)),
)
SCANS = assume("broker scans at most maxScanGap apart")
LAST = assume(
    "while a stopped member is listed, no heartbeat on its connection for another group or producer that the same "
    "heartbeat registered",
    name="other-group",
    otherwise="other groups' heartbeats refresh its channel",
    excludes=("refreshes",),
    narrows=_but("starts", "finds", "puts", "leaves", "loses", "trails", "scans", "refreshes"),
)
REGISTERED = "registered producers: the client's own producer, too, from the first heartbeat on"
"""A definition for ``LAST``."""
SAYS = assume(
    "`unregisterClient` arrives before the process exits",
    excludes=("loses",),
    allows=dict.fromkeys(("dies", "vanishes"), lambda s, c, lim: Not(s.leaving)),
)
NONE_IN_FLIGHT = assume(
    "no heartbeat that the process began before the shutdown, and that the broker registers after `unregisterClient`",
    name="in-flight",
    otherwise="a heartbeat is in flight",
    excludes=("trails",),
)
SHUT_DOWN = assume("clients from 5.3.2 on, which are shut down if `start()` throws")
PROMPT = assume(
    "the sockets of a dead process close at once, and the broker notices at once",
    name="close",
    otherwise="its host or network vanishes",
    excludes=("vanishes",),
)
CLOSES = assume(
    "the broker notices the end of a connection before the member reconnects",
    name="close",
    otherwise="the broker notices a disconnect after the reconnect",
    allows={"reconnects": lambda s, c, lim: Not(s.mine)},
)
IN_ORDER = assume(
    "no heartbeat registered after the end of its connection",
    name="order",
    otherwise="a heartbeat registers after its disconnect",
    excludes=("lags", "straggles"),
)
BY_CLOSE = assume(
    "the broker handles the close event of a connection before its scan removes the channel",
    name="close",
    otherwise="a scan removes the channel before its close event",
    allows={"scans": _closed_first},
)
NOTIFIES = assume(
    "immediate notifications, for this group too (`notifyConsumerIdsChangedEnable` on and, from 5.0, "
    "`realTimeNotifyConsumerChange` on)",
    name="notifications",
    otherwise="`notifyConsumerIdsChangedEnable` is false",
)
IN_SEQUENCE = assume("one membership change after the other")
COLLECTS = assume(
    "collected notifications, for this group too (`notifyConsumerIdsChangedEnable` on, `realTimeNotifyConsumerChange` "
    "off)"
)
SENDS = assume("collected notifications sent at most maxSendGap apart")
WHOLE = assume(
    "no change while the broker takes the collected notifications and clears them",
    name="whole",
    otherwise="a change arrives during a send",
    allows=_except("replaces", lambda s: Not(s.copying)),
)
GREETS = assume(
    "immediate registration of the heartbeat sent on connect: its lock is free, and the client's routes have the "
    "address it connected to"
)
GREETS_ON = assume("`enableHeartbeatChannelEventListener` on, the default (from 5.2)")
POLLS = assume("route answers for the client at most maxPollGap apart", name="polls", otherwise="its polls fail")
AT_BOTH = assume("the same assumptions for both brokers")


class Membership(Assumptions[Member, Said, Limits]):
    """A set of assumptions about members, connections, and the broker's registry."""

    kind: ClassVar[str] = "registry"

    @property
    def beats(self) -> bool:
        """Whether a live member's heartbeats arrive at most ``beat`` (a limit) apart."""
        return any(one in self for one in (OFTEN, OFTEN_AT_BOTH, ARRIVE))

    @property
    def of_route(self) -> bool:
        """Whether the claims are about a route, so that events of members are irrelevant."""
        return POLLS in self.declared

    def conditions(self, action: str, state: Member, choices: Said, limits: Limits) -> list[Bool]:
        """Return the conditions of an action; the assumptions select how the broker notifies members."""
        asked = {"off": self.gone is NOTIFIES, "later": COLLECTS in self}
        told = [name for name in REGISTRY.actions[action].choices if name in asked]
        said = [getattr(choices, name) if asked[name] else Not(getattr(choices, name)) for name in told]
        return [*said, *super().conditions(action, state, choices, limits)]

    def waits(self, state: Member, until: Int, limits: Limits) -> Bool:
        """Return whether time can pass until ``until``.

        Registering, sending and unregistering take no time.
        """
        s = state
        busy = [s.finding, s.copying, s.leaving]
        busy += [s.closing] if PROMPT in self.declared else []
        busy += [s.anew] if GREETS in self else []
        in_time = [Not(Or(*busy))]
        in_time += [Implies(s.alive, until <= s.at + limits.beat)] if self.beats else []
        in_time += [until <= s.scanned + limits.scan] if SCANS in self else []
        in_time += [until <= s.flushed + limits.collect] if SENDS in self else []
        in_time += [until <= s.polled + limits.poll] if POLLS in self else []
        return And(until >= s.now, Or(until == s.now, And(*in_time)))

    def given(self, limits: Limits) -> dict[str, Bool]:
        said = super().given(limits)
        if OFTEN in self or OFTEN_AT_BOTH in self.declared:
            said["maxHeartbeatGap <= channelExpiredTimeout"] = limits.beat <= limits.expired
        return said


STEADY = Membership.of(
    "steady", STAYS, NO_RESTART, OFTEN, *ALWAYS, row="if heartbeats arrive, and connection and broker stay up"
)
"""Assumptions that the member lives, its connection stays, and the broker does not restart."""
REACHED = Membership.of(
    "reached", ARRIVE, ALONE, *ALWAYS, row="if heartbeats arrive, whatever happens to connections and the broker"
)
"""Assumptions under which heartbeats arrive; connections and the broker may fail in any way."""
UNREFRESHED = "if no other group or producer refreshes the channel"
LEFT = Membership.of("left", SCANS, LAST, *ALWAYS, row=UNREFRESHED, meaning=REGISTERED)
"""Assumptions under which scans come in time; the member may stop in any way."""
LEFT_V2 = Membership.of("left", SCANS, LAST, *ALWAYS_V2, row=UNREFRESHED, meaning=REGISTERED)
THREW = replace(LEFT, name="threw")
"""As ``LEFT``, for a member whose start throws an exception."""
SCANNED = Membership.of("scanned", SCANS, *ALWAYS, row="if the broker scans in time")
THREW_ANYHOW = Membership.of("threw-anyhow", SCANS, SHUT_DOWN, *ALWAYS, row="if the broker scans in time")
"""As ``SCANNED``, for a member whose start throws an exception; the broker does not decide what it does then."""
HEARD = Membership.of("closed", PROMPT, IN_ORDER, ALONE, *ALWAYS, row="if the broker notices the close at once")
GOODBYE = Membership.of(
    "good-bye",
    *(SAYS, NONE_IN_FLIGHT, IN_ORDER, ALONE, *ALWAYS),
    row="if `unregisterClient` arrives and no earlier heartbeat follows it",
)
"""Assumptions under which ``unregisterClient`` arrives, and no heartbeat that began earlier follows it."""
CLOSED = Membership.of(
    "one-connection", CLOSES, IN_ORDER, *ALWAYS, row="if the broker notices each disconnect before the reconnect"
)
AGREEING = Membership.of(
    "agreeing",
    *(OFTEN_AT_BOTH, ALONE, SCANS, LAST, AT_BOTH, *ALWAYS),
    row="if heartbeats and scans are in time at both brokers",
    meaning=REGISTERED,
)
AGREEING_ANYHOW = Membership.of(
    "agreeing-anyhow",
    *(OFTEN_AT_BOTH, ALONE, SCANS, AT_BOTH, *ALWAYS),
    row="if heartbeats and scans are in time at both brokers, whatever other groups do",
)
"""As ``AGREEING``, and heartbeats may also come for other groups of a stopped member's process."""
NOTIFIED = Membership.of(
    "notified",
    *(BY_CLOSE, NOTIFIES, IN_SEQUENCE, *ALWAYS),
    row="if close events come before scans and notifications are immediate",
)
COLLECTED = Membership.of(
    "collected",
    *(COLLECTS, SENDS, WHOLE, IN_SEQUENCE, BY_CLOSE, ALONE, *ALWAYS),
    row="if changes are collected, and none arrives during a send",
)
GREETED = Membership.of("greeted", GREETS, GREETS_ON, ALONE, *ALWAYS, row="if the heartbeat lock is free")
POLLED = Membership.of("polled", POLLS, CLOCKS, row="if polls are answered in time")
