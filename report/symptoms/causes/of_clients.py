"""Builders of claim ids for several clients."""

__all__ = [
    "EACH",
    "PULLING",
    "first_pulls",
    "in_order",
    "of_node",
    "offsets",
    "ordered",
    "pulls",
    "registry",
    "settling",
    "subscriptions",
    "transition",
]

EACH = ("4_9", "5_0", "5_2")
"""Generations of the Java client for which every guarantee is claimed."""


def transition(pattern: str, *generations: str) -> tuple[str, ...]:
    """Return ids of claims about a rebalance's transition; for all generations by default.

    Example: ``transition("returns.push-orderly-as-shipped", "4_9")``.
    """
    return tuple(f"transition.java_v{one}.{pattern}" for one in generations or EACH)


def ordered(pattern: str, *clients: str) -> tuple[str, ...]:
    """Return ids like ``ordered("exclusive.without-restart")``; for all clients by default."""
    return tuple(f"ordered.{one}.{pattern}" for one in clients or (*(f"java_v{each}" for each in EACH), "go"))


def offsets(pattern: str, *generations: str) -> tuple[str, ...]:
    """Return ids like ``offsets("once")``, with concurrent listeners.

    For both generations by default.
    """
    return tuple(f"offsets.java_v{one}.{pattern}" for one in generations or ("4_9", "5"))


def of_node(pattern: str) -> tuple[str, ...]:
    """Return ids of claims about offsets of the Node client, like ``of_node("once")``."""
    return (f"offsets.node.{pattern}",)


def settling(pattern: str) -> tuple[str, ...]:
    """Return ids like ``settling("settles")``, for both clients."""
    return tuple(f"settling.java_v{one}.{pattern}" for one in ("4_9_to_v5_1", "5_2_to_v5_3"))


def subscriptions(*patterns: str, v2: bool = False) -> tuple[str, ...]:
    """Return ids of claims about subscriptions.

    Example: ``subscriptions("accepted", "posted")``. ``v2`` selects the client with heartbeat V2.
    """
    client = "java_v5_1_3_heartbeat_v2" if v2 else "java_v4_9_to_v5_3"
    return tuple(f"subscriptions.{client}.{pattern}" for pattern in patterns)


def first_pulls(*patterns: str, later: bool = True) -> tuple[str, ...]:
    """Return ids of claims about the first pull of an added queue.

    Example: ``first_pulls("first-pull")``. ``later`` selects clients that delay first pulls, otherwise 4.9.
    """
    client = "java_v5_0_to_v5_3" if later else "java_v4_9"
    return tuple(f"subscriptions.{client}.{pattern}" for pattern in patterns)


def registry(*patterns: str) -> tuple[str, ...]:
    """Return ids of claims about the registry, for brokers and clients of all releases.

    Example: ``registry("gone", "told.without-close")``.
    """
    return tuple(f"registry.java_v4_9_to_v5_3.{pattern}" for pattern in patterns)


PULLING = ("4_9_to_5_1", "5_2_0", "5_3_0", "5_3_3")
"""Clients that have claims about pulls."""


def pulls(pattern: str, *clients: str) -> tuple[str, ...]:
    """Return ids like ``pulls("healed")``; for all clients by default."""
    return tuple(f"pulls.java_v{one}.{pattern}" for one in clients or PULLING)


def in_order(pattern: str, *generations: str) -> tuple[str, ...]:
    """Return ids of claims about offsets with ordered listeners; for all generations by default.

    Example: ``in_order("one-batch")``.
    """
    return tuple(f"offsets.java_v{one}-orderly.{pattern}" for one in generations or EACH)
