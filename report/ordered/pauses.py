"""Table of the longest pause of an ordered queue that changes owners, for every client."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from rebalance_proofs.model.machines.ordered.actions import CLIENTS
from rebalance_proofs.proofs.ordered.passing import NEVER_ENDS, TICK, Way
from rebalance_proofs.proofs.ordered.pauses import Pause, longest
from rebalance_proofs.report.claims.mark import BRIEFLY
from rebalance_proofs.report.index.entries import word_of
from rebalance_proofs.report.machine import declared
from rebalance_proofs.report.ordered.two_events import ONE_EVENT, PAUSE, Composed, composed
from rebalance_proofs.report.text.english import seconds
from rebalance_proofs.report.text.wrapping import aligned

HEAD = ("Case", *(client.rocketmq_name for client in CLIENTS))
EVENTS_HEAD = ("Event alone; with another", *HEAD[1:])
AFTER_LAST = "after the last of many"
"""Row of the longest time after the last of any number of joins, shutdowns and crashes."""
NOTE = (
    "Longest pauses with default settings, in steps of ten seconds; explored, not proved. In the first table, a pause",
    "starts when the new owner knows that it owns the queue. In the second table, no member can consume the queue in a",
    "pause: around the event alone; around it and another join, shutdown or crash at any time before or after it. A",
    "third event can prolong it.",
    "The exploration assumes that rebalances and renewals come at least every 20 s, that listeners return and messages",
    "arrive within a step, and that no consumer requests the lock of a queue that it lost. From 5.0 on, a consumer",
    "that was denied a lock asks again within a step. A consumer with a marked entry of a lost queue waits for its",
    "timer. The last row counts from the last of any number of joins, shutdowns and crashes, however close together,",
    "until the owner consumes the queue; two members at a time can own it. The second table covers every strategy. The",
    "time in which a broker is down or frozen comes in addition; around it, at most two members own the queue.",
)


@cache
def rows() -> tuple[tuple[str, ...], ...]:
    """Return the table: a row for each way to change owners, and a row of conformance marks."""
    every = tuple((way.value, *(_told(longest(client, way)) for client in CLIENTS)) for way in Way)
    return (*every, ("(real clients)", *(word_of(f"ordered.{client.name}.exclusive") for client in CLIENTS)))


def event_rows() -> tuple[tuple[str, ...], ...]:
    """Return the table of events: the longest pause for the event alone, and with a second one."""
    every = [composed(client.name) for client in CLIENTS]
    events = tuple((event, *(_both(of, event) for of in every)) for event in every[0].single)
    return (*events, (AFTER_LAST, *(_time(of.after_last) for of in every)))


def _both(of: Composed, event: str) -> str:
    alone, twice = of.single[event][PAUSE], of.planned(event, PAUSE)
    return f"{_time(alone)}; {'not explored' if twice is None else _time(twice)}"


def indexed() -> list[dict[str, Any]]:
    """Return the clients with their longest pauses in ticks of ten seconds, for the index."""
    return [
        {
            "name": client.name,
            "rocketmq_name": client.rocketmq_name,
            "releases": [release for one in client.generations for release in one.releases],
            "pauses": {way.name: longest(client, way).ticks for way in Way},
        }
        for client in CLIENTS
    ]


def told() -> Iterator[str]:
    """Yield the table as lines for a terminal."""
    yield from aligned([HEAD, *rows()])
    yield f"Each bound of this table holds {ONE_EVENT}"
    yield ""
    yield from aligned([EVENTS_HEAD, *event_rows()])
    yield from NOTE
    yield BRIEFLY


def _told(pause: Pause) -> str:
    return _time(pause.ticks)


def _time(ticks: int) -> str:
    return "forever" if ticks == NEVER_ENDS else seconds(ticks * TICK)


ORDERED = declared.kind("ordered", indexed=indexed)
"""How reports show claims about ordered consumption."""
