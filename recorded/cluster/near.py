"""A recorded event near a rejected one, as text."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Near:
    """An event about the same queue, group or consumer as a rejected event."""

    at: int
    """Milliseconds since the driver's first event."""
    who: str
    row: int
    """Line number in the file of the event's process, from 1."""
    words: str
    """The event's name in the recording format, and its values, as text."""
    other: str = ""
    """For a broker's event: the process that sent the request."""
