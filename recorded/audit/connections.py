"""Findings about connections of a group that a broker lost, or registered again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from rebalance_proofs.recorded.audit.finding import (
    Finding,
    Interval,
    Level,
    What,
    episodes,
    events,
    finding_of,
    lines_of,
    times,
)
from rebalance_proofs.recorded.audit.group import Group, both, phrase
from rebalance_proofs.recorded.audit.told import Event, Where
from rebalance_proofs.recorded.logs.fact import Kind
from rebalance_proofs.recorded.logs.named import CLOSE_DROPPED

# Consumers that left their group: by a shutdown, or because their connection closed.

SHUT, UNREGISTERED, CLOSED = "shut down", "unregistered", "closed"
"""How a consumer left, the surest first."""
ORDER = (SHUT, UNREGISTERED, CLOSED)
BY_NAME = {"unregistered": UNREGISTERED, "closed-channel": CLOSED}
"""Name of a broker's line -> how the consumer left."""
SENT, INSTANCE = "unregister-sent", "instance-shut"
ONE = 5_000
"""Longest time in ms between lines about one departure; a consumer unregisters from each broker."""
BACK = 120_000
"""Time in ms within which a consumer that registers again had only lost a connection."""


@dataclass(frozen=True)
class Leaving:
    """One departure of a consumer."""

    client: str
    """Client id, or the address of its connection if no line names the client; "" if neither is known."""
    at: int | None
    how: str
    where: Where


def client_of(group: Group, gone: Event) -> str:
    """Return the client of a broker's line about a connection, or the connection's address."""
    if gone.member[0] or not gone.more:
        return gone.member[0]
    before = [
        one
        for one in events(group, Kind.CONNECTED)
        if (one.more, one.numbers) == (gone.more, gone.numbers) and (one.at or 0) <= (gone.at or 0)
    ]
    return max(before, key=lambda one: one.at or 0).member[0] if before else _address(gone)


def _address(gone: Event) -> str:
    return f"{gone.more}:{gone.numbers[0]}" if gone.numbers else gone.more


def leavings(group: Group) -> tuple[Leaving, ...]:
    """Return all departures of consumers, sorted by time; lines about one departure count once."""
    found: list[Leaving] = []
    for one in sorted(_all(group), key=lambda one: (one.at or 0, ORDER.index(one.how), one.where)):
        place = next(
            (
                place
                for place, before in enumerate(found)
                if before.client == one.client != "" and abs((one.at or 0) - (before.at or 0)) <= ONE
            ),
            None,
        )
        if place is None:
            found.append(one)
        elif ORDER.index(one.how) < ORDER.index(found[place].how):
            found[place] = one
    return tuple(found)


def _all(group: Group) -> Iterator[Leaving]:
    connected: dict[str, list[int]] = {}
    for one in events(group, Kind.CONNECTED):
        connected.setdefault(one.member[0], []).append(one.at or 0)
    for one in events(group, Kind.SHUT, Kind.GONE, Kind.SAID):
        if one.kind is Kind.SHUT:
            yield Leaving(group.told(one.member), one.at, SHUT, one.where)
        elif one.kind is Kind.SAID:
            if one.name == SENT and one.member[0]:
                yield Leaving(group.told(one.member), one.at, UNREGISTERED, one.where)
            elif one.name == INSTANCE and not _said_by_its_consumer(group, one):
                yield from (Leaving(one.member[0], one.at, SHUT, one.where) for _ in range(one.numbers[0]))
        elif how := BY_NAME.get(one.name):
            client, at = client_of(group, one), one.at or 0
            back = any(0 < begin - at <= BACK for begin in connected.get(client, ()))
            if how is not CLOSED or not back:
                yield Leaving(client, one.at, how, one.where)


def _said_by_its_consumer(group: Group, instance: Event) -> bool:
    """Return whether a consumer's own line about the same shutdown is in the log."""
    shuts = group.by_log[instance.member[1]].shuts
    return any(abs(at - (instance.at or 0)) <= ONE for at in shuts)


AT_ONCE = 15
"""Seconds from a registration to a closed connection that are worth a remark."""
SCANNED = 130
"""Seconds from the last heartbeat until a scan removes a connection: 120 s, checked every 10 s."""
MOST_HOSTS = 3
"""Time in ms after which a connection that closed counts as gone for good."""


def gone(group: Group) -> Iterator[Finding]:
    """Yield findings about connections of the group that a broker lost or registered again."""
    connected = sorted(events(group, Kind.CONNECTED), key=lambda one: (one.at or 0, one.where))
    lost = sorted(events(group, Kind.GONE), key=lambda one: (one.at or 0, one.where))
    refuses = [one for one in events(group, Kind.REFUSES) if "group info not exist" in one.more]
    for one in events(group, Kind.SAID):
        if one.name == "group-gone":
            yield _removed(group, one, connected, lost, refuses)
    yield from _expired(group, lost)
    yield from _dropped(group)
    by_client: dict[tuple[str, str], list[Event]] = {}
    for one in connected:
        if one.member[0]:
            by_client.setdefault(one.member, []).append(one)
    for (client, log), own in sorted(by_client.items()):
        again = [
            (before, one)
            for before, one in pairwise(own)
            if not any(
                gone_.member[0] in (client, "")
                and gone_.member[1] == log
                and (before.at or 0) <= (gone_.at or 0) <= (one.at or 0)
                for gone_ in lost
            )
        ]
        if again:
            hosts = sorted({one.more for one in own if one.more})
            words = phrase(
                "it registered again {often} with a new connection, and no line shows that the broker had removed the "
                "old one: its heartbeats may not arrive",
                often=times(len(again)),
            )
            causes: tuple[str, ...] = ("heartbeats-late", "connections-flap", "second-channel")
            if len(hosts) > 1:
                words = phrase(
                    "it registered from {number} addresses, and no line shows that the broker had removed the old "
                    "connection",
                    number=len(hosts),
                )
                causes = ("same-client-id", "second-channel", "connections-flap")
            found = finding_of(What.GONE, group, (client,), [again[0][0], again[-1][1]], words, causes)
            yield replace(found, level=Level.POSSIBLE)


def _expired(group: Group, lost: Sequence[Event]) -> Iterator[Finding]:
    """Yield findings about consumers that a broker removed because their heartbeats did not arrive."""
    last = [one for one in events(group, Kind.SAID) if one.name == "last-channel-expired"]
    own: dict[str, list[Event]] = {}
    for one in lost:
        if one.name == "expired-channel":
            own.setdefault(client_of(group, one), []).append(one)
    for client, many in own.items():
        words = phrase("the broker got no heartbeat from it for two minutes, and removed it")
        ends = [one for one in last if one.at is not None and 0 <= one.at - (many[-1].at or 0) <= AT_ONCE * 1000]
        if ends:
            words = both(words, phrase("; it was the group's last consumer at that broker"))
        yield finding_of(What.GONE, group, (client,), [*many, *ends[:1]], words, ("host-vanished", "heartbeats-late"))
    if not own and last:
        words = phrase("the broker got no heartbeat from the group's last consumer for two minutes, and removed it")
        yield finding_of(What.GONE, group, (), last, words, ("host-vanished", "heartbeats-late"))


def _dropped(group: Group) -> Iterator[Finding]:
    """Yield findings about closed connections that a broker did not report to its list of consumers."""
    own = [one for one in events(group, Kind.SAID) if one.name == CLOSE_DROPPED]
    for many in episodes(own, lambda one: one.member[1]):
        hosts = list(dict.fromkeys(one.more for one in many if one.more))
        words = phrase(
            "{often}, the broker dropped the event that a connection closed ({addresses}), because more than 10,000 "
            "events waited. If the client was a consumer, its group is not notified that it left, and its queues have "
            "no consumer until the broker's scan removes it, at most {seconds} s after its last heartbeat",
            often=times(lines_of(many)),
            addresses=", ".join(hosts[:MOST_HOSTS]) or "?",
            seconds=SCANNED,
        )
        found = finding_of(What.GONE, group, (), many, words, ("second-channel", "host-vanished"))
        yield replace(found, level=Level.POSSIBLE)


def _removed(
    group: Group, one: Event, connected: Sequence[Event], lost: Sequence[Event], refuses: Sequence[Event]
) -> Finding:
    at = one.at
    closed = [each for each in lost if at is not None and each.at is not None and 0 <= at - each.at <= 2_000]
    left = bool(closed) and closed[-1].name == "unregistered"
    words: list[str] = [
        phrase("the group's last consumer unregistered, so the broker removed the group")
        if left
        else phrase("the group's last connection closed, so the broker removed the group")
    ]
    evidence = [one.where, *(each.where for each in closed[:1])]
    begun = [each for each in connected if at is not None and each.at is not None and 0 <= at - each.at <= BACK]
    if begun and at is not None:
        seconds = (at - (begun[-1].at or at)) // 1000
        if seconds <= AT_ONCE:
            words.append(phrase(" {seconds} s after it was registered", seconds=seconds))
            evidence.append(begun[-1].where)
    after = [each for each in refuses if at is not None and each.at is not None and 0 <= each.at - at <= BACK]
    back = [each for each in connected if at is not None and each.at is not None and 0 < each.at - at <= BACK]
    if after:
        words.append(phrase("; then it refused pulls of the group"))
        evidence.append(after[0].where)
    if not after and not back:
        words.append(phrase("; no line shows whether consumers were to run on"))
    ends = after[-1].at if after else back[0].at if back else at
    return Finding(
        What.GONE,
        Level.SEEN if after or back else Level.POSSIBLE,
        group.name,
        "",
        tuple(dict.fromkeys(each.member[0] for each in closed if each.member[0])),
        (Interval(None, at, ends),),
        both(*words),
        ("consumers-restart",) if left else ("connections-flap", "consumers-restart"),
        tuple(dict.fromkeys(evidence)),
        {"lines": one.numbers[0]},
    )
