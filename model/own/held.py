"""What differs from process to process, or from call to call, and can be held still."""

from enum import Enum

__all__ = ["Held"]


class Held(Enum):
    """Something that is the same in every process that holds it."""

    HASHES = "hashes"
    """Python's ``hash()`` of texts and of tuples of them; Java's ``hashCode`` of objects without one of their own."""
    SEED = "seed"
    """The seed of Python's hashes (PYTHONHASHSEED), and by it the order of a set."""
    RANDOM = "random"
    """Random numbers: Python's ``random``, and what the system gives (``os.urandom``, ``uuid4``, ``secrets``)."""
    TIME = "time"
    """Python's clocks: ``time``, and ``datetime``'s and ``date``'s methods for now."""
    LATER = "later"
    """The same, at another second, minute, hour and day."""
