"""The user's options for an audit, and the clock that they give to each log file."""

import fnmatch
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from rebalance_proofs.recorded.logs.error import NotThere
from rebalance_proofs.recorded.logs.sources import GMT8, Source
from rebalance_proofs.recorded.logs.tally import Clock


@dataclass(frozen=True)
class Asked:
    """The user's options for an audit."""

    zone: int | None = None
    """Offset from UTC in ms of the logs' time zone, for lines that do not state their zone."""
    zones: tuple[tuple[str, int], ...] = ()
    """Offsets from UTC for single files, each as (file name or pattern, ms)."""
    clocks: tuple[tuple[str, int], ...] = ()
    """Clock differences, as (file name or pattern, ms by which its clock is ahead of others)."""
    tolerate: int = 1_000
    """Tolerated difference in ms between the clocks of two logs."""
    group: str = ""
    topic: str = ""
    begin: int | None = None
    """Start of the reported time in ms.

    Ownership intervals and findings that ended before are left out.
    """
    end: int | None = None
    strategy: str = ""
    """RocketMQ's name of the allocation strategy, for rebalance results that do not name one."""
    model: bool = False
    """True if the lines of each consumer are also checked against the client model."""


def shown_zone(found: Iterable[Source], asked: Asked) -> int:
    """Return the time zone in which times are printed, as its offset from UTC in ms.

    The user's zone comes first. Without one, it is the zone that the logs state. If they state several, it is GMT+8 if
    one log is a broker's or a newer client's, else 0.
    """
    if asked.zone is not None:
        return asked.zone
    stated = {one.zone for one in found if one.zone is not None}
    return stated.pop() if len(stated) == 1 else GMT8 if GMT8 in stated else 0


def clocks(found: Sequence[Source], asked: Asked) -> dict[str, tuple[Clock, bool]]:
    """Return file name -> (its clock, whether its time zone is known).

    Raises ``NotThere`` for a name in the user's options that no file has.
    """
    shown = shown_zone(found, asked)
    zones, shifts = _by_name(found, asked.zones), _by_name(found, asked.clocks)
    made = {}
    dated = any(one.first is not None for one in found)
    for one in found:
        zone = zones.get(one.name, one.zone if one.zone is not None else shown)
        known = one.name in zones or one.zone is not None or asked.zone is not None
        made[one.name] = Clock(zone, -shifts.get(one.name, 0), one.year, one.day if dated else 0, one.order), known
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
