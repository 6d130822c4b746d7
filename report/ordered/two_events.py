"""Read the longest times for two events in a row, which are explored once and pinned.

``python -m rebalance_proofs.report.ordered.two_events [CLIENT ...]`` explores and pins them.
"""

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from rebalance_proofs.proofs.ordered.passing import NEVER_ENDS, Way
from rebalance_proofs.report.index.entries import of_kind

# Read the longest pauses of ordered queues from the generated index, where they are precomputed.


@dataclass(frozen=True)
class OrderedEntry:
    """One client whose ordered consumption was explored."""

    name: str
    rocketmq_name: str
    releases: tuple[str, ...]
    pauses: Mapping[str, int]
    """How a queue changes owner (name of a ``Way``) -> longest pause, in ticks of ten seconds."""


@cache
def ordered_clients() -> Mapping[str, OrderedEntry]:
    """Return the clients by name, oldest first."""
    return {
        one["name"]: OrderedEntry(one["name"], one["rocketmq_name"], tuple(one["releases"]), one["pauses"])
        for one in of_kind("ordered")
    }


# Caveat for every bound on the time until each queue has one owner again after a change.

ONE_EVENT = "for one event in a calm group; two events in a row can take longer."
"""End of a sentence that begins with "This bound holds"."""


FILE = "two_events.json"
"""Name of the file with the pinned times, beside this module."""
CONCURRENT = "concurrent"
"""Name of the entry of consumers with concurrent listeners, of any client."""
SETTLED, PAUSE = 0, 1
"""Places of the two times in a pair: until the owner consumes the queue again, and in which no member can."""
PLANNED = ("join", "shutdown", "crash")
"""Events of consumer processes, which deploys combine."""
EVENT_OF = {Way.SHUT: "shutdown", Way.CRASHED: "crash", Way.ALIVE: "join", Way.BACK: "join"}
"""How a queue changes owner -> the event at which it does."""


@dataclass(frozen=True)
class Composed:
    """Longest times of one client around one or two events, in ticks of ten seconds."""

    single: Mapping[str, tuple[int, int]]
    """Event -> (time until the owner consumes the queue again, time in which no member can)."""
    pairs: Mapping[tuple[str, str], tuple[int, int]]
    """(first event, second event) -> the same."""
    apart: int
    """Shortest distance from the end of a member's restart at which the next restart finds a calm group."""
    after_last: int
    """Longest time after the last of any number of joins, shutdowns and crashes, until the queue is consumed again."""
    states: int
    runs: Mapping[str, tuple[tuple[int, str], ...]]
    """Events, such as ``join shutdown`` -> a run with the longest pause, as (tick, sentence)."""

    def planned(self, event: str, measure: int = SETTLED) -> int | None:
        """Return the longest time around the event and a join, shutdown or crash, in either order.

        None if not all of these pairs were explored.
        """
        found = [self.around(event, other, measure) for other in PLANNED]
        known = [time for time in found if time is not None]
        if len(known) < len(found):
            return None
        return NEVER_ENDS if NEVER_ENDS in known else max(known)

    def around(self, event: str, other: str, measure: int = SETTLED) -> int | None:
        """Return the longest time around two events in either order, or None if they were not explored."""
        found = [self.pairs[pair][measure] for pair in ((event, other), (other, event)) if pair in self.pairs]
        if not found:
            return None
        return NEVER_ENDS if NEVER_ENDS in found else max(found)


@cache
def composed(name: str) -> Composed:
    """Return the times of a client of claims about ordered consumption, or of ``CONCURRENT``."""
    one = _document()[name]
    return Composed(
        {event: (two[0], two[1]) for event, two in one["single"].items()},
        {tuple(pair.split()): (two[0], two[1]) for pair, two in one["pairs"].items()},
        one["apart"],
        one["after_last"],
        one["states"],
        {events: tuple((tick, words) for tick, words in run) for events, run in one["runs"].items()},
    )


def paused(name: str, way: Way) -> int:
    """Return the longest pause of a queue that changes owner in that way, in ticks.

    If the exploration covers the way, another consumer can join, shut down or crash at any time before or after.
    """
    alone = ordered_clients()[name].pauses[way.name]
    twice = composed(name).planned(EVENT_OF[way], PAUSE) if way in EVENT_OF else alone
    found = (alone, NEVER_ENDS if twice is None else twice)
    return NEVER_ENDS if NEVER_ENDS in found else max(found)


@cache
def _document() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(files("rebalance_proofs.report.ordered").joinpath(FILE).read_text("utf-8"))
    return found


def pinned(name: str) -> dict[str, Any]:
    """Explore a client, and return its times as JSON."""
    # Exploring needs NumPy and the solvers' terms, which commands do not load.
    from rebalance_proofs.model.machines.ordered.actions import CLIENTS
    from rebalance_proofs.proofs.ordered.composed.bounds import RESTART, bounds, explored
    from rebalance_proofs.proofs.ordered.composed.member import Members
    from rebalance_proofs.proofs.ordered.composed.queue import ConcurrentQueue, OrderedQueue
    from rebalance_proofs.proofs.ordered.composed.witness import run, words

    client = next((one for one in CLIENTS if one.name == name), None)
    queue = OrderedQueue(client) if client else ConcurrentQueue(name)
    found = bounds(queue)
    restart = explored(Members(queue), RESTART)
    idle = restart.told(restart.group.idle)
    runs = {
        f"{one.value} {two.value}": list(words(restart, run(restart, idle, one, two)))
        for one, two in (RESTART.first, RESTART.first[::-1])
    }
    return {
        "single": {event.value: [one.settled, one.pause] for event, one in found.single.items()},
        "pairs": {f"{a.value} {b.value}": [one.settled, one.pause] for (a, b), one in found.pairs.items()},
        "apart": found.apart,
        "after_last": found.after_last,
        "states": found.states,
        "runs": runs,
    }


def _pin(names: list[str]) -> None:
    from rebalance_proofs.model.machines.ordered.actions import CLIENTS

    path = Path(__file__).with_name(FILE)
    every = json.loads(path.read_text("utf-8")) if path.exists() else {}
    for name in names or [*(client.name for client in CLIENTS), CONCURRENT]:
        every[name] = pinned(name)
        path.write_text(_written(every), "utf-8")


def text() -> str:
    """Explore every client, and return the text of the file."""
    from rebalance_proofs.model.machines.ordered.actions import CLIENTS

    return _written({name: pinned(name) for name in (*(client.name for client in CLIENTS), CONCURRENT)})


def _written(every: Mapping[str, Any]) -> str:
    """Return the text of the file, with one line for each entry of a client."""
    parts = []
    for name, one in every.items():
        lines = ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in one.items())
        parts.append(f"{json.dumps(name)}: {{\n{lines}\n}}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    _pin(sys.argv[1:])
