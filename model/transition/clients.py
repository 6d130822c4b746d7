"""The clients of claims about transitions, each with its modes of use.

To add one, add a line to ``CLIENTS``.
"""

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from rebalance_proofs.model.client.environment import THROW_SECOND
from rebalance_proofs.model.client.node import Node
from rebalance_proofs.model.releases import java_from
from rebalance_proofs.model.transition import generations, java, mutants, node
from rebalance_proofs.model.transition.client import (
    BROADCAST,
    LITES,
    ORDERLY,
    ORDERLY_BROADCAST,
    ORDERLY_BROADCAST_BEFORE_5_3_2,
    ORDERLY_BROADCAST_FROM_5_3_2,
    PULLS,
    PUSH,
    Client,
    Mode,
)
from rebalance_proofs.model.transition.drivers import JavaDriver, NodeDriver
from rebalance_proofs.model.transition.generations import Generation
from rebalance_proofs.model.transition.numbers import BROKER_ERROR, NO_OFFSET, PERSISTS, THROWN

_COMMON = (PUSH, ORDERLY, BROADCAST, *PULLS, *LITES)

_SAME = {
    "stored": (frozenset({THROWN}), frozenset({BROKER_ERROR})),
    "queried": (frozenset({THROWN}), frozenset()),
    "memory": (frozenset(), frozenset({NO_OFFSET})),
}
"""Values with the same effect as another value in Java clients; see ``Client.alike``.

The default offset store throws nothing unexpected, and a user-defined store has its own memory.
"""


def _java(name: str, rocketmq_name: str, generation: Generation, *others: Mode) -> Client:
    """Return a Java client; ``others``: modes besides those that all Java clients have."""
    shipped = (*_COMMON, *others)
    return Client(
        name=name,
        rocketmq_name=rocketmq_name,
        observed=generation.recorded,
        driver=partial(JavaDriver, generation.made),
        encoding=java.encoding(generation.rules),
        modes=(*shipped, *(mode.with_own_store() for mode in shipped)),
        ignores=frozenset({"static"}),
        alike=_SAME,
        mutants=mutants.of(generation.rules),
        releases=generation.releases,
    )


V4_9 = _java("java_v4_9", "Java 4.9.8", generations.V4_9_8, ORDERLY_BROADCAST)
V5_0 = _java("java_v5_0", "Java 5.0 to 5.1.4", generations.V5_0, ORDERLY_BROADCAST)
V5_2 = _java(
    "java_v5_2",
    java_from("5.2", generations.V5_2.releases[-1]),
    generations.V5_2,
    ORDERLY_BROADCAST_FROM_5_3_2,
    ORDERLY_BROADCAST_BEFORE_5_3_2,
)
"""Java from 5.2 on; ordered broadcasting is a mode twice: up to 5.3.1 and from 5.3.2 on.

These releases do not differ otherwise here.
"""

V4_9_5 = _java("java_v4_9_5", "Java 4.9.5 to 4.9.7", generations.V4_9_5, ORDERLY_BROADCAST)
V4_9_1 = _java("java_v4_9_1", "Java 4.9.1 to 4.9.4", generations.V4_9_1, ORDERLY_BROADCAST)
V4_9_0 = _java("java_v4_9_0", "Java 4.9.0", generations.V4_9_0, ORDERLY_BROADCAST)

V5_5 = _java("java_v5_5", java_from(generations.V5_5.releases[0]), generations.V5_5, ORDERLY_BROADCAST_FROM_5_3_2)

NODE = Client(
    name="node",
    rocketmq_name="Node (ali-ons)",
    observed="3.12.2",
    driver=partial(NodeDriver, Node),
    encoding=node.ENCODING,
    modes=(PUSH, BROADCAST),
    ignores=frozenset({"locked", "lock_age", "consume_lock", "cached", "lock", "static"}),
    alike={
        "stored": (frozenset({BROKER_ERROR}), frozenset()),
        "persist": (frozenset({PERSISTS.index(THROW_SECOND)}), frozenset()),
    },
    mutants=mutants.everywhere(
        node.ENCODING,
        but=(
            "unmarked",
            "expires-always",
            "lock-after-put",
            "unlocks-when-marked",
            "forgets-when-marked",
            "broadcast-locks",
        ),
    ),
    releases=("node",),
)

CLIENTS: tuple[Client, ...] = (V4_9, V5_0, V5_2, NODE)
"""Clients for which every guarantee is claimed, as proved or as refuted."""

VARIANTS: tuple[Client, ...] = (V4_9_5, V4_9_1, V4_9_0, V5_5)
"""Versions with claims only about their differences from ``V4_9`` or ``V5_2``.

Known from their sources; they were not recorded.
"""


class Differing(NamedTuple):
    """Modes where an older version does not give the results of another version."""

    neighbour: Client
    modes: tuple[Mode, ...]
    """Modes with another result than the neighbour's; in all others, the results are the same."""


_ASKING = tuple(mode.with_own_store() for mode in PULLS)

DIFFERING: Mapping[str, Differing] = {
    V4_9_5.name: Differing(V4_9, tuple(mode for mode in V4_9_5.modes if mode.broadcasting and not mode.own_store)),
    V4_9_1.name: Differing(V4_9_5, V4_9_1.modes),
    V4_9_0.name: Differing(V4_9_1, tuple(mode for mode in V4_9_0.modes if mode.own_store and mode not in _ASKING)),
    V5_5.name: Differing(V5_2, (ORDERLY,)),
}
"""For each version in ``VARIANTS``, its differences from a neighbouring version.

4.9.5 has another default store. 4.9.0 expects fewer exceptions from a user-defined store when it reads an offset, which
a pull consumer does not. 5.5.0 renews locks of static topics; in a rebalance of a topic with queues it does not differ.
"""


def told_apart(client: Client) -> tuple[Mode, ...]:
    """Return the modes where a client's Python code is compared with its SMT encoding.

    A mode is left out if the code gives the same results as that of another version.
    """
    return DIFFERING[client.name].modes if client in VARIANTS else client.modes
