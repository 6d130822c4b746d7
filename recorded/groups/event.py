"""What every event says."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that happened in one process."""

    at: int
    """When, in milliseconds since the driver's first event. All processes of a run have one clock."""
    who: str
    """The process: ``driver``, ``p`` (the producer), a broker, or a consumer."""
    n: int | None = None
    """How many events this process had written before; one that is started again begins at 0. The driver has none.

    The time is taken before the line is written: of two threads the later may have written first.
    """
