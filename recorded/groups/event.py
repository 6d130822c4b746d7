"""The fields of every event."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that happened in one process."""

    at: int
    """Milliseconds since the driver's first event. All processes of a run have one clock."""
    who: str
    """The process: ``driver``, ``p`` (the producer), a broker, or a consumer."""
    n: int | None = None
    """The number of events that this process had written before, from 0 again after a restart; the driver has none.

    The time is taken before the line is written: of two threads the later may have written first.
    """
    row: int = field(default=0, compare=False, repr=False)
    """The line of the file, counted from 1; 0 for an event that was not read from one."""
