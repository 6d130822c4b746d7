"""Functions that build claim ids for several clients from the last part of the ids."""

__all__ = [
    "EACH",
    "PULLING",
    "SURVIVING",
    "UNSUBSCRIBING",
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
UNSUBSCRIBING = (*EACH, "5_5")
"""Generations with own claims about unsubscribing."""


def transition(pattern: str, *generations: str) -> tuple[str, ...]:
    """Return ids of claims about one rebalance of each Java generation (4.9, 5.0, ...); default: all generations.

    Default: all generations. Example: ``transition("returns.push-orderly-as-shipped", "4_9")``.
    """
    return tuple(f"transition.java_v{one}.{pattern}" for one in generations or EACH)


def ordered(pattern: str, *clients: str) -> tuple[str, ...]:
    """Return ids of claims about ordered consumption, such as ``exclusive.without-restart``; default: all clients."""
    return tuple(f"ordered.{one}.{pattern}" for one in clients or (*(f"java_v{each}" for each in EACH), "go"))


def offsets(pattern: str, *generations: str) -> tuple[str, ...]:
    """Return ids of claims about offsets with concurrent listeners; default: both Java generations.

    Example: ``offsets("once")``.
    """
    return tuple(f"offsets.java_v{one}.{pattern}" for one in generations or ("4_9", "5"))


def of_node(pattern: str) -> tuple[str, ...]:
    """Return ids of claims about offsets of the Node client. Example: ``of_node("once")``."""
    return (f"offsets.node.{pattern}",)


def settling(pattern: str) -> tuple[str, ...]:
    """Return ids of claims about the rebalance thread of both modelled clients. Example: ``settling("settles")``."""
    return tuple(f"settling.java_v{one}.{pattern}" for one in ("4_9_to_v5_1", "5_2_to_v5_3"))


def subscriptions(*patterns: str, v2: bool = False) -> tuple[str, ...]:
    """Return ids of claims about subscriptions.

    Example: ``subscriptions("accepted", "posted")``. ``v2`` selects the client with heartbeat V2.
    """
    client = "java_v5_1_3_heartbeat_v2" if v2 else "java_v4_9_to_v5_3"
    return tuple(f"subscriptions.{client}.{pattern}" for pattern in patterns)


def first_pulls(*patterns: str, later: bool = True) -> tuple[str, ...]:
    """Return ids of claims about the first pull of a queue that a consumer has just got.

    Example: ``first_pulls("first-pull")``. ``later`` selects clients that delay first pulls, otherwise 4.9.
    """
    client = "java_v5_0_to_v5_3" if later else "java_v4_9"
    return tuple(f"subscriptions.{client}.{pattern}" for pattern in patterns)


def registry(*patterns: str) -> tuple[str, ...]:
    """Return ids of claims about the registry, for brokers and clients of all releases.

    Example: ``registry("gone", "told.without-close")``.
    """
    return tuple(f"registry.java_v4_9_to_v5_3.{pattern}" for pattern in patterns)


PULLING = ("4_9_to_5_1", "5_2_0", "5_3_0", "5_3_3", "5_4_0")
"""Clients that have claims about pulls."""
SURVIVING = PULLING[3:]
"""Those clients whose thread that takes pull requests survives an ``Error``."""


def pulls(pattern: str, *clients: str) -> tuple[str, ...]:
    """Return ids of claims about pull requests; default: all clients. Example: ``pulls("healed")``."""
    return tuple(f"pulls.java_v{one}.{pattern}" for one in clients or PULLING)


def in_order(pattern: str, *generations: str) -> tuple[str, ...]:
    """Return ids of claims about offsets with ordered listeners; for all generations by default.

    Example: ``in_order("one-batch")``.
    """
    return tuple(f"offsets.java_v{one}-orderly.{pattern}" for one in generations or EACH)
