"""Enabling conditions of client and broker actions that are written as methods."""

__all__ = ["Impossible", "need"]


class Impossible(Exception):
    """Raised when an action is not enabled in the current state of the client or the broker."""


def need(condition: bool) -> None:
    """Raise ``Impossible`` unless the condition holds."""
    if not condition:
        raise Impossible
