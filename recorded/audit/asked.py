"""The user's options for an audit, and the clock that they give to each log file."""

import fnmatch
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from rebalance_proofs.recorded.logs.error import NotThere
from rebalance_proofs.recorded.logs.reader import Clock
from rebalance_proofs.recorded.logs.sources import GMT8, Source

__all__ = ["Asked", "clocks", "shown_zone"]


@dataclass(frozen=True)
class Asked:
    """The user's options for an audit."""

    zone: int | None = None
    """Offset of the logs' time zone from UTC in ms, for lines that do not state their zone."""
    zones: tuple[tuple[str, int], ...] = ()
    """(file name or pattern, offset from UTC in ms), for single files."""
    clocks: tuple[tuple[str, int], ...] = ()
    """(file name or pattern, ms by which its clock is ahead of the other logs' clocks)."""
    tolerate: int = 1_000
    """Difference in ms between two logs' clocks that is tolerated."""
    group: str = ""
    topic: str = ""
    begin: int | None = None
    """Entries and findings that ended before this time, in ms, are left out."""
    end: int | None = None
    strategy: str = ""
    """RocketMQ's name of the strategy, for rebalance results that do not name one."""
    model: bool = False
    """True if each consumer's lines are also checked against the client model."""


def shown_zone(found: Iterable[Source], asked: Asked) -> int:
    """Return the offset from UTC, in ms, in which times are printed.

    The user's zone comes first. Without one, it is GMT+8 if one log is a broker's or a newer client's, else 0.
    """
    if asked.zone is not None:
        return asked.zone
    return GMT8 if any(one.zone == GMT8 for one in found) else 0


def clocks(found: Sequence[Source], asked: Asked) -> dict[str, tuple[Clock, bool]]:
    """Return each file's clock, and whether its zone is known.

    Raises ``NotThere`` for a name that no file has.
    """
    shown = shown_zone(found, asked)
    zones, shifts = _by_name(found, asked.zones), _by_name(found, asked.clocks)
    made = {}
    for one in found:
        zone = zones.get(one.name, one.zone if one.zone is not None else shown)
        known = one.name in zones or one.zone is not None or asked.zone is not None
        made[one.name] = Clock(zone, -shifts.get(one.name, 0), one.year, one.day, one.month_first), known
    return made


def _by_name(found: Sequence[Source], said: Iterable[tuple[str, int]]) -> Mapping[str, int]:
    values: dict[str, int] = {}
    for name, value in said:
        fits = [one.name for one in found if _fits(one.name, name)]
        if not fits:
            raise NotThere(f"no log file is called {name!r}; use the name of one of the audited files")
        values |= dict.fromkeys(fits, value)
    return values


def _fits(name: str, pattern: str) -> bool:
    path = PurePath(name)
    return pattern in (name, path.name) or fnmatch.fnmatch(name, pattern) or fnmatch.fnmatch(path.name, pattern)
