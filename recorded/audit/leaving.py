"""Consumers that left their group: by a shutdown, or because their connection closed."""

from collections.abc import Iterator
from dataclasses import dataclass

from rebalance_proofs.recorded.audit.episodes import events
from rebalance_proofs.recorded.audit.group import Group
from rebalance_proofs.recorded.audit.told import Event, Where
from rebalance_proofs.recorded.logs.fact import Kind

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
