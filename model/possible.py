"""Enabling conditions of clients and brokers whose actions are methods."""

__all__ = ["Impossible", "need"]


class Impossible(Exception):
    """The action is not enabled in the present state of the client or the broker."""


def need(condition: bool) -> None:
    """Raise ``Impossible`` unless the condition holds."""
    if not condition:
        raise Impossible
