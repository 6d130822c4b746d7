"""Sources of nondeterminism, such as clocks, that a child process can fix."""

from enum import Enum


class Held(Enum):
    """A source of nondeterminism; every process that fixes it gets the same values."""

    HASHES = "hashes"
    """Hash values of objects.

    Python's ``hash()`` of strings and of tuples of them; Java's identity ``hashCode`` of objects.
    """
    SEED = "seed"
    """The seed of Python's hashes (PYTHONHASHSEED), which determines the order of a set."""
    RANDOM = "random"
    """Random numbers.

    Python's ``random``, and the system's (``os.urandom``, ``uuid4``, ``secrets``).
    """
    TIME = "time"
    """Python's clocks.

    ``time``, and the methods of ``datetime`` and ``date`` for the current time.
    """
    LATER = "later"
    """The same clocks, at another second, minute, hour and day."""
