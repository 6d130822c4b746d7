"""How the times of a log file are converted, and counts of its lines."""

from dataclasses import dataclass, field

from rebalance_proofs.recorded.logs.sights import Sight


@dataclass(frozen=True)
class Clock:
    """How the times in a log file are converted to ms since 1970."""

    zone: int = 0
    """Offset of the clock from UTC in ms, for lines that name no zone."""
    shift: int = 0
    """Correction in ms that makes the log's clock agree with the other logs' clocks."""
    year: int = 1970
    """Year for dates without a year."""
    day: int = 0
    """Day of lines without a date, as its start in ms since 1970; 0 if no file of the audit has a date."""
    order: str = ""
    """Order of year, month and day in dates that do not begin with four digits, such as ``mdy``; "" if unknown."""


@dataclass
class Tally:
    """Counts of parsed and skipped lines of a log file."""

    lines: int = 0
    dated: int = 0
    told: int = 0
    """Number of lines that contain a fact."""
    named: dict[str, int] = field(default_factory=dict)
    """Name of a known line -> how often it occurs."""
    sights: dict[str, Sight] = field(default_factory=dict)
    """Name of a known line -> its occurrences, without those that belong to a fact about a named group."""
    cut: int = 0
    """Number of lines with a known wording that could not be parsed.

    They are truncated, or come from another version.
    """
    example: str = ""
    """The first line with a known wording that could not be parsed, with its number."""
    back: int = 0
    """Number of times that the log's clock steps back by more than a second."""
    no_year: bool = False
    no_date: bool = False
    dateless: bool = False
    """True if no file of the audit has a date, so that times of day are all that is known."""
    either: str = ""
    """Order of year, month and day that is assumed for ambiguous dates, such as ``dmy``."""
    truncated: bool = False
    """True if the log ends within a line."""
    pop: int = 0
    """Number of lines about pop consumption, which is not modelled."""
    grpc: int = 0
    """Number of lines of the gRPC SDKs or the proxy, which are not modelled."""
    relative: bool = False
    """True if lines about a group have times since the start of the process or the minute instead of a time of day."""
    turned: list[int] = field(default_factory=list)
    """Own number of each line, if the log has its newest line first and was read from its end; otherwise empty."""
    zone_name: str = ""
    """Name of a time zone that lines state without its offset, such as ``CST``."""
    long: int = 0
    """Number of lines that are too long to be parsed wholly."""
