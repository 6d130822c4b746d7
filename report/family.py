"""A family: claims that are shown in one table."""

from dataclasses import dataclass

__all__ = ["BY_CLIENT", "Family"]

BY_CLIENT = "Clients in columns, what is given in rows."


@dataclass(frozen=True)
class Family:
    """Claims that belong together."""

    name: str
    """Part of addresses on the page: ``promises``."""
    title: str
    sentence: str
    """What its claims are about."""
    corner: tuple[str, ...]
    """What the names of its rows are."""
    spelled_out: bool = False
    """Its rows say in words what is promised."""
    premised: bool = False
    """All of its claims have the same premises, which are said once, above them."""
    table: str = ""
    """How the table of its verdicts is arranged, where that has to be said."""
