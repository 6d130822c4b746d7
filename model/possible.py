"""What can be done now, of clients and brokers whose actions are methods."""

__all__ = ["Impossible", "need"]


class Impossible(Exception):
    """The client, or the broker, does not do that now."""


def need(condition: bool) -> None:
    """Raises ``Impossible`` where it does not hold."""
    if not condition:
        raise Impossible
