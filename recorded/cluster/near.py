"""An event near one that nothing explains, in words."""

from dataclasses import dataclass

__all__ = ["Near"]


@dataclass(frozen=True)
class Near:
    """An event that is about the same queue, group or member."""

    at: int
    """Milliseconds since the driver's first event."""
    who: str
    row: int
    """The line of the process's file, from 1."""
    words: str
    """Its name in the format, and what it says."""
    other: str = ""
    """The process at the other end, of what a broker hears or answers."""
