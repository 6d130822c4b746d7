"""Per-action comparison of a kind of claims: the client's code against the compiled terms, from every state."""

from dataclasses import dataclass

__all__ = ["Actions"]


@dataclass(frozen=True)
class Actions:
    """Words for reporting such a comparison."""

    finding: str
    """The kind of finding that holds its results."""
    called: str
    """Name of what is compared: ``pull requests``."""
    counted: str
    """Phrase behind the number of actions: ``with pull requests``."""
    state: str
    """The thing whose states are enumerated: ``a queue's pull requests``."""
    code: str = "the client's code"
    """The side that the terms are compared with."""
