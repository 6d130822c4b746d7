"""Base class of all recorded events, with their common fields."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One event that one process recorded."""

    at: int
    """Milliseconds since the driver's first event; all processes of a run share one clock."""
    who: str
    """Name of the process: ``driver``, ``p`` (the producer), a broker, or a consumer."""
    n: int | None = None
    """Number of events that this process wrote before; it restarts at 0 with the process.

    The driver's events have no number. The time is taken before the line is written, so of two threads the later one
    may write first.
    """
    row: int = field(default=0, compare=False, repr=False)
    """Line number in the process's file, from 1; 0 for an event that was not read from a file."""
