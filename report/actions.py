"""What a kind of claims compares action by action: the client's code with the compiled terms, from every state."""

from dataclasses import dataclass

__all__ = ["Actions"]


@dataclass(frozen=True)
class Actions:
    """How that is told."""

    finding: str
    """The kind of finding that it is."""
    called: str
    """What is compared: ``pull requests``."""
    counted: str
    """Of which actions their number is: ``with pull requests``."""
    state: str
    """Of what there is every state: ``a queue's pull requests``."""
    code: str = "the client's code"
    """Whose code the terms are compared with."""
