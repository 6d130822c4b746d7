"""Family of claims: the claims that share one table."""

from dataclasses import dataclass

__all__ = ["BY_CLIENT", "Family"]

BY_CLIENT = "Clients in columns, what is given in rows."


@dataclass(frozen=True)
class Family:
    """Claims that share one table."""

    name: str
    """Used in addresses on the page: ``promises``."""
    title: str
    sentence: str
    """The subject of its claims, in a sentence."""
    corner: tuple[str, ...]
    """Headings above the names of its rows."""
    spelled_out: bool = False
    """Whether its rows say in words what is promised."""
    premised: bool = False
    """Whether all of its claims have the same premises, which are then stated once, above them."""
    table: str = ""
    """A sentence about the layout of its table; empty if the layout needs none."""
