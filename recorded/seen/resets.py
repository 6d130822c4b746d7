"""Resets of offsets that somebody asked of a broker, as recorded, or as the broker's own log shows."""

import gzip
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

LOGS = "logs"
"""Folder of a recording with the logs of its processes."""
STARTED = re.compile(r"\[reset-offset\] reset offset started by .*?topic=(?P<topic>\S+), group=(?P<group>[^\s,]+)")
STAMP = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)[.,](\d{3}) ")
ZONE = 15 * 60_000
"""Time in ms of which each time zone's difference is a multiple."""


@dataclass(frozen=True, order=True)
class Reset:
    """A request to a broker to reset the offsets of a group."""

    at: int
    """Time in ms since the run's start."""
    broker: str
    group: str
    topic: str


def log_of(folder: Path, broker: str) -> Path:
    """Return the place of a broker's log in a recording, which may lack it."""
    return folder / LOGS / f"{broker}-broker.log.gz"


def logged(path: Path, broker: str, start: int, end: int) -> Iterator[Reset]:
    """Yield the resets in the log of a broker.

    ``start``: the run's start in ms since 1970; ``end``: time in ms since then at which the log ends. It gives the
    log's time zone.
    """
    last, found = None, []
    with suppress(OSError, EOFError), gzip.open(path, "rt", encoding="utf-8", errors="replace") as lines:
        for line in lines:
            stamp = STAMP.match(line)
            if stamp is None:
                continue
            read = datetime.fromisoformat(stamp[1]).replace(tzinfo=UTC)
            last = int(read.timestamp()) * 1000 + int(stamp[2]) - start
            started = STARTED.search(line)
            if started:
                found.append((last, started))
    if last is not None:
        zone = round((last - end) / ZONE) * ZONE
        for at, said in found:
            yield Reset(at - zone, broker, said["group"], said["topic"])
