"""First and last occurrence of each known log line in a file, and what the lines name."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from rebalance_proofs.model.receiving.releases import ANY, is_sdk
from rebalance_proofs.recorded.logs.fact import Fact
from rebalance_proofs.recorded.logs.lines import CLIENTS, NAMED, Logs, decoded

MOST_NAMES = 50
"""Most names that are kept for each known line."""
LAYOUTS = (
    ("cpp", re.compile(rb"\[\d{4}-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d\.\d{6}\]\(\w+\):")),
    ("go", re.compile(rb'\blevel=\w+ msg=|\{"level":"\w+",|"msg":".*"level":"|\w\.go:\d')),
)
"""Language of a client, and pattern of a line that only its loggers write."""
OTHERS = tuple(CLIENTS.values())
"""Languages that the knowledge files mark in a wording's ``where``; others are Java."""


@dataclass
class Sight:
    """All occurrences of one known line in a file."""

    first: int | None
    """Time in ms of the first line that has a time, or None."""
    last: int | None
    line: int
    """Number of the first line."""
    last_line: int
    many: int = 0
    client: str = ""
    """Language of the client that wrote the first line, if it is not Java: ``cpp``, ``go``, ``node``."""
    names: dict[tuple[str, str], None] = field(default_factory=dict)
    """What the lines name, as (word, name): ("group", "G"), ("queue", "T b0 1")."""

    def add(self, fact: Fact, at: int | None, number: int) -> None:
        """Count one more line."""
        self.many += 1
        if at is not None:
            self.first = at if self.first is None else min(self.first, at)
            self.last = at if self.last is None else max(self.last, at)
        self.last_line = number
        if len(self.names) < MOST_NAMES:
            if fact.queue:
                topic, broker, queue = fact.queue
                self.names["queue", f"{topic} {broker} {queue}"] = None
            elif fact.topic:
                self.names["topic", fact.topic] = None
            if fact.group:
                self.names["group", fact.group] = None
            if fact.client:
                self.names["client", fact.client] = None


def seen(fact: Fact, at: int | None, number: int, line: bytes) -> Sight:
    """Return the first occurrence of a known line."""
    sight = Sight(at, at, number, number, client=writer(fact.name, line))
    sight.add(fact, at, number)
    return sight


def writer(name: str, line: bytes) -> str:
    """Return the client that wrote a known line, in another language than Java, or a gRPC client; else ``""``."""
    known = NAMED[name]
    wordings = [one for one in known.wordings if known.of_sdks and one.begins in decoded(line)]
    clients = {client for one in wordings or known.wordings for client in one.clients}
    if len(clients) == 1:
        return next((one for one in OTHERS if one in clients), "")
    found = next((one for one, layout in LAYOUTS if {one, f"{ANY}-{one}"} & clients and layout.search(line)), "")
    if all(map(is_sdk, clients)):
        return f"{ANY}-{found}" if found else ANY
    return found if found in clients else ""


def merged(sight: Sight | None, other: Sight, before: int) -> Sight:
    """Return the occurrences of two parts of a file; ``before``: number of lines before the second part."""
    moved = replace(other, line=other.line + before, last_line=other.last_line + before)
    if sight is None:
        return moved
    times = [one for one in (sight.first, sight.last, other.first, other.last) if one is not None]
    names = dict(list((sight.names | other.names).items())[:MOST_NAMES])
    return replace(
        sight,
        first=min(times, default=None),
        last=max(times, default=None),
        last_line=moved.last_line,
        many=sight.many + other.many,
        names=names,
    )


def languages(names: Iterable[str], sights: Iterable[Sight]) -> set[str]:
    """Return the languages of the clients that wrote known lines, also ``java``; brokers' lines do not count."""
    found = {one.client for one in sights if one.client}
    for name in names:
        clients = {client for one in NAMED[name].wordings for client in one.clients}
        if len(clients) == 1 and NAMED[name].logs is Logs.CLIENT:
            found |= clients
    return found - {ANY} if any(map(is_sdk, found - {ANY})) else found
