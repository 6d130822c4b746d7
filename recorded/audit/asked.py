"""What the user says of the logs, and how each file's times are read by it."""

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
    """What the user says of the logs."""

    zone: int | None = None
    """ms by which clocks on lines are ahead of UTC, where their form does not tell."""
    zones: tuple[tuple[str, int], ...] = ()
    """The same for files by name."""
    clocks: tuple[tuple[str, int], ...] = ()
    """(file, ms by which its clock is ahead of the others')."""
    tolerate: int = 1_000
    """ms by which clocks can be apart."""
    group: str = ""
    topic: str = ""
    begin: int | None = None
    """ms; what ended before is left out."""
    end: int | None = None
    strategy: str = ""
    """RocketMQ's name of the strategy of results that do not say it."""
    model: bool = False
    """Whether each member's lines are held against the model."""


def shown_zone(found: Iterable[Source], asked: Asked) -> int:
    """ms ahead of UTC: as the user says; as brokers and newer clients log, if one of the logs is theirs; else as is."""
    if asked.zone is not None:
        return asked.zone
    return GMT8 if any(one.zone == GMT8 for one in found) else 0


def clocks(found: Sequence[Source], asked: Asked) -> dict[str, tuple[Clock, bool]]:
    """Each file's clock, and whether its zone is known. Raises ``NotThere`` for a name that no file has."""
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
