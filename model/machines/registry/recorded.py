"""How the actions show in a recording: one member in a group's record at one broker, and the routes that it polls."""

from dataclasses import replace
from typing import Any, Protocol

from rebalance_proofs.model.machine.recorded import (
    Cause,
    Choice,
    Condition,
    History,
    Recorded,
    Unseen,
    Urgent,
    does,
    nothing,
    outside,
    shows,
)
from rebalance_proofs.model.machine.values import And, Bool, Not, Or, number, truth
from rebalance_proofs.model.machines.registry.actions import is_listed
from rebalance_proofs.model.machines.registry.state import DEFAULTS, Limits, Member

BEAT, BYE, LIST = "HEART_BEAT", "UNREGISTER_CLIENT", "GET_CONSUMER_LIST_BY_GROUP"
CREATED = 10_000
"""Longest time in ms between the change of a topic's queues and the driver's event about it."""
SENT = 550
"""Time in ms after a notification at which the polls have seen the change that caused it."""


class OfMember(History, Protocol):
    """What a recording shows of one member of a group at one broker."""

    @property
    def off(self) -> int:
        """1 if the broker sends no notifications, else 0."""

    @property
    def later(self) -> int:
        """1 if the broker collects notifications, else 0."""

    @property
    def until(self) -> int:
        """Time in ms from which the member uses a newer connection than that of the event."""

    @property
    def opens(self) -> bool:
        """Whether the heartbeat or unregistration is the first one on its connection."""

    @property
    def keeps(self) -> bool:
        """Whether the broker lists an earlier connection for longer than the newest one before this event."""

    @property
    def lasts(self) -> bool:
        """Whether the broker still lists the newest connection before this event."""

    @property
    def belated(self) -> bool:
        """Whether the heartbeat arrived when the member already used a newer connection."""

    @property
    def about(self) -> bool:
        """Whether the heartbeat names the group."""

    @property
    def took(self) -> int:
        """Milliseconds from the earliest time at which the broker can have handled the request, to the event."""

    @property
    def polled(self) -> int:
        """Longest time in ms from the poll of a broker's table to its event."""

    @property
    def unused(self) -> int:
        """Milliseconds since the last request on the connection, or since its opening if that is later."""

    @property
    def named(self) -> bool:
        """Whether the list of ids in the answer contains the member's."""

    @property
    def alike(self) -> bool:
        """Whether the broker may list the same id for another process."""

    def listed(self, now: int) -> tuple[bool, bool]:
        """Return whether the poll lists the connection that is the newest one at a time, and an earlier one."""

    @property
    def left(self) -> bool:
        """Whether the poll lists connections of other members."""

    @property
    def ends(self) -> bool:
        """Whether the end of the newest connection has a cause."""

    @property
    def quiet(self) -> bool:
        """Whether no remaining member was notified of the change, although all would have been."""

    @property
    def lost(self) -> bool:
        """Whether the broker may not learn that the connections of the process have ended."""

    @property
    def stays(self) -> bool:
        """Whether the process has a connection that the broker lists before and after the change."""

    @property
    def told(self) -> bool:
        """Whether the process may have been notified of the change."""

    @property
    def unreachable(self) -> bool:
        """Whether the process has closed the connections that the broker lists."""

    @property
    def own(self) -> bool:
        """Whether the event is one of the process."""

    @property
    def caused(self) -> bool:
        """Whether the group has changed before the notification."""

    @property
    def alone(self) -> bool:
        """Whether the notification is about a change of this member only."""

    @property
    def grown(self) -> bool:
        """Whether the rebalance uses a topic's new queues."""

    def scans_within(self, since: int, limit: int) -> int | None:
        """Return the longest time in ms between two scans since a time, or None if the broker was away."""


def _is_newest(s: Member, h: OfMember) -> bool:
    """Return True if the event's connection is the member's newest one, or will be."""
    return h.until > number(s.now)


def _is_earlier(s: Member, h: OfMember) -> bool:
    return h.until <= number(s.now)


def _broken(s: Member, h: OfMember) -> bool:
    """Return True if the newest connection can have ended: that has a cause, and the others were notified."""
    return _is_newest(s, h) and h.ends and not h.quiet


def _tells(
    action: str,
    *,
    only: Condition[Member] | None = None,
    sees: Condition[Member] | None = None,
    **choices: Choice[Member],
) -> Cause[Member]:
    """Explain an event by an action after which the broker notifies members at once, later or never."""
    return does(action, only=only, sees=sees, off=lambda s, h: h.off, later=lambda s, h: h.later, **choices)


def _scans_within(s: Member, h: Any, since: int) -> int | None:
    """Return the longest time in ms between two scans, or None if the broker was away."""
    found: int | None = h.scans_within(since, number(DEFAULTS.scan))
    return found


def _scanned(*, newest: bool) -> Cause[Member]:
    """Return the removal of an expired connection, which no member is notified of unless its end came first."""
    return _tells(
        "scans",
        only=_is_newest if newest else _is_earlier,
        sees=lambda s, h: Not(s.mine if newest else s.old),
        more=lambda s, h: h.left,
        first=lambda s, h: False if h.quiet else None,
    )


def _is_row(s: Member, h: OfMember) -> Bool:
    """Check that the broker lists the member's connections as polled."""
    mine, old = h.listed(number(s.now))
    return And(s.mine == mine, s.old == old)


def _is_answered(s: Member, h: OfMember) -> Bool:
    """Check that the list of ids in the answer contains the member's if the broker lists it."""
    return Or(is_listed(s), h.alike) if h.named else Not(is_listed(s))


def _is_refreshed(s: Member, h: OfMember) -> Bool:
    """Check that a heartbeat for other groups updates the time of the member, which has left."""
    return And(Not(s.alive), s.running, s.link, Not(s.finding), s.mine)


def _keeps(s: Member, h: OfMember) -> bool:
    """Return whether the observed earlier connection stays: the one that the broker lists for the longest time."""
    return h.keeps if truth(And(s.mine, s.old)) else truth(Not(s.mine))


TABLE: Recorded[Member, Limits] = Recorded(
    each="member",
    begins="",
    ends=(),
    rows=(
        shows("broker-starting", does("restarts")),
        # A heartbeat opens a connection. An earlier one can have ended, which no poll has seen.
        shows(
            "heard",
            does("starts").then("finds"),
            does("reconnects", keeps=_keeps).then("finds"),
            _tells("breaks", only=lambda s, h: not h.lasts).then("reconnects", keeps=_keeps).then("finds"),
            code=BEAT,
            only=lambda h: h.about and h.opens,
            why="no running member has sent a heartbeat on a new connection",
        ),
        shows(
            "heard",
            does("finds", only=_is_newest),
            nothing(lambda s, h: And(_is_newest(s, h), s.running, s.link, Not(s.alive))),
            nothing(lambda s, h: And(_is_newest(s, h), Not(Or(s.link, s.closing, s.finding)))),
            nothing(_is_earlier),
            code=BEAT,
            only=lambda h: h.about and not h.opens,
            why="the broker has seen the end of this connection, or the member has left",
        ),
        shows(
            "answered",
            nothing(lambda s, h: And(_is_newest(s, h), s.mine, Not(s.finding))),
            _tells("straggles", only=_is_newest),
            _tells("trails", only=_is_newest),
            nothing(lambda s, h: _is_earlier(s, h) and not h.belated),
            _tells("lags", only=lambda s, h: And(_is_earlier(s, h), Or(h.belated, Not(s.old)))),
            code=BEAT,
            only=lambda h: h.about,
            why="its heartbeat was answered before it was registered",
        ),
        shows(
            "heard",
            does("refreshes", only=_is_newest),
            nothing(lambda s, h: Or(_is_earlier(s, h), Not(_is_refreshed(s, h)))),
            code=BEAT,
            only=lambda h: not h.about,
        ),
        # An unregistration on a new connection leaves the earlier one listed.
        shows(
            "heard",
            nothing(lambda s, h: Or(s.leaving, Not(s.alive))),
            does("leaves"),
            code=BYE,
            only=lambda h: not h.opens,
            why="no member unregisters",
        ),
        shows(
            "heard",
            does("reconnects", keeps=_keeps).then("leaves"),
            _tells("breaks", only=lambda s, h: not h.lasts).then("reconnects", keeps=_keeps).then("leaves"),
            nothing(lambda s, h: Not(s.alive)),
            code=BYE,
            only=lambda h: h.opens,
            why="no member unregisters",
        ),
        shows(
            "answered",
            nothing(lambda s, h: Not(s.leaving)),
            does("loses", only=lambda s, h: Or(_is_earlier(s, h), Not(s.link))),
            code=BYE,
            why="the broker has not unregistered the member",
        ),
        # The process ends. Its requests may arrive later.
        shows(
            "over",
            does("vanishes", only=lambda s, h: h.lost),
            does("dies"),
            nothing(lambda s, h: Not(s.running)),
            late=lambda h: h.event.late,
            why="its process has ended",
        ),
        shows(
            "replaced",
            nothing(lambda s, h: True),
            _tells("breaks", only=_broken),
            early=lambda h: h.unused,
        ),
        # Polls of the broker's list show which connections have ended, of the member and of others.
        shows(
            "closed",
            nothing(lambda s, h: And(_is_newest(s, h), Not(s.mine))),
            _tells("breaks", only=_broken),
            _scanned(newest=True),
            nothing(lambda s, h: _is_earlier(s, h) and (h.event.more or Not(s.old))),
            _tells("closes_old", only=lambda s, h: _is_earlier(s, h) and not h.quiet),
            _scanned(newest=False),
            early=lambda h: h.polled,
            why="the broker no longer lists a connection, and no event shows that it has ended",
        ),
        shows(
            "others",
            nothing(lambda s, h: And(not h.event.came, s.others == h.event.left)),
            _tells("others_come", only=lambda s, h: And(h.event.left, Or(h.event.came, Not(s.others)))),
            _tells("others_go", only=lambda s, h: not h.event.left and not h.quiet, more=False),
            _tells("scans", only=lambda s, h: And(s.others, not h.event.left), more=False, first=False),
        ),
        shows(
            "table",
            nothing(_is_row),
            what="members",
            early=lambda h: h.polled,
            why="the broker lists other connections of the member",
            looks=True,
        ),
        shows(
            "unchanged",
            nothing(_is_row),
            early=lambda h: h.polled,
            why="no poll has seen the change",
            looks=True,
        ),
        shows(
            "answered",
            nothing(_is_answered),
            code=LIST,
            early=lambda h: h.took,
            why="the broker answers another list",
            looks=True,
        ),
        # Notifications. Those that a poll of the list requires, those without a cause, and those of other members.
        shows(
            "table",
            nothing(lambda s, h: h.told),
            replace(outside(lambda s, h: s), only=lambda s, h: h.unreachable and not h.told),
            what="members",
            only=lambda h: h.stays,
            why="the member is listed before and after, and was not notified",
        ),
        shows(
            "notified",
            nothing(lambda s, h: h.caused),
            only=lambda h: h.own,
            why="nothing has changed in the group",
        ),
        shows(
            "notified",
            nothing(lambda s, h: Not(s.stale)),
            does("copies", only=lambda s, h: h.later, sees=lambda s, h: Not(s.stale)).then("replaces", off=False),
            only=lambda h: h.alone,
            delay=SENT,
            why="a member is notified, but the last change is not announced",
        ),
        # Routes. A rebalance uses the queues that the last poll of the route has returned.
        shows("moved", does("moves"), early=CREATED),
        shows(
            "allocate",
            nothing(lambda s, h: s.seen),
            does("polls", sees=lambda s, h: s.seen),
            only=lambda h: h.grown,
            why="a rebalance has queues that no route poll has returned",
        ),
        shows(
            "allocate",
            nothing(lambda s, h: Not(s.seen)),
            only=lambda h: not h.grown,
            why="a rebalance lacks queues that it had",
        ),
    ),
    hidden=(
        # The broker registers a heartbeat, or handles an unregistration, between its arrival and its answer.
        Unseen(_tells("puts")),
        Unseen(_tells("unregisters")),
    ),
    urgent=(
        Urgent(
            does("scans", more=True, first=False, off=False, later=False),
            within=_scans_within,
            effect=lambda before, after: Or(before.mine != after.mine, before.old != after.old),
        ),
    ),
    kept=frozenset(),
    passing=frozenset(("change", "stale_at", "flushed", "scanned", "polled", "moved_at")),
    late="a scan has changed the list, but no poll has seen that",
)
