"""Conditions under which a client or broker can perform an action, checked by its method."""


class Impossible(Exception):
    """Raised when an action is not enabled in the current state of the client or the broker."""


def need(condition: bool) -> None:
    """Raise ``Impossible`` unless the condition for the present action holds."""
    if not condition:
        raise Impossible
