"""In what the clients differ, as ordered consumers."""

from dataclasses import dataclass

__all__ = ["OrderedRules"]


@dataclass(frozen=True)
class OrderedRules:
    """Besides their rebalance."""

    returns_dropped: bool
    """At shutdown the locks of entries that are marked are given back too."""
    stamps_denials: bool = False
    """``lastLockTimestamp`` is set by a renewal that was denied, too."""
