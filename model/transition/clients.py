"""The clients whose transitions claims are about, each with its modes. To add one: a line in ``CLIENTS``."""

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from rebalance_proofs.model.client.environment import THROW_SECOND
from rebalance_proofs.model.client.node import Node
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
"""See ``Client.alike``: shipped parts throw nothing unexpected; a store of the user's own has its own memory."""


def _java(name: str, rocketmq_name: str, generation: Generation, *others: Mode) -> Client:
    """A Java client; ``others`` are modes besides those that all have."""
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
    "Java 5.2 and later",
    generations.V5_2,
    ORDERLY_BROADCAST_FROM_5_3_2,
    ORDERLY_BROADCAST_BEFORE_5_3_2,
)
"""Two modes of ordered broadcasting: for releases from 5.3.2 on and up to 5.3.1, which do not differ otherwise here."""

V4_9_5 = _java("java_v4_9_5", "Java 4.9.5 to 4.9.7", generations.V4_9_5, ORDERLY_BROADCAST)
V4_9_1 = _java("java_v4_9_1", "Java 4.9.1 to 4.9.4", generations.V4_9_1, ORDERLY_BROADCAST)
V4_9_0 = _java("java_v4_9_0", "Java 4.9.0", generations.V4_9_0, ORDERLY_BROADCAST)

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
"""Clients of which every guarantee is claimed, as proved or as refuted."""

VARIANTS: tuple[Client, ...] = (V4_9_5, V4_9_1, V4_9_0)
"""Older versions, of which is claimed in what they differ from ``V4_9``. Read from their sources, not recorded."""


class Differing(NamedTuple):
    """Where an older version runs other code than its neighbour."""

    neighbour: Client
    modes: tuple[Mode, ...]
    """Ways to use it in which something else comes of it; in all others the neighbour's code runs, to the same end."""


_ASKING = tuple(mode.with_own_store() for mode in PULLS)

DIFFERING: Mapping[str, Differing] = {
    V4_9_5.name: Differing(V4_9, tuple(mode for mode in V4_9_5.modes if mode.broadcasting and not mode.own_store)),
    V4_9_1.name: Differing(V4_9_5, V4_9_1.modes),
    V4_9_0.name: Differing(V4_9_1, tuple(mode for mode in V4_9_0.modes if mode.own_store and mode not in _ASKING)),
}
"""By the version's name: 4.9.5 has another store of its own; 4.9.0 expects less of a store of the user's, when it reads
an offset, which a pull consumer does not.
"""


def told_apart(client: Client) -> tuple[Mode, ...]:
    """The ways to use a client in which its code is compared with its terms: where it is another version's, once."""
    return DIFFERING[client.name].modes if client in VARIANTS else client.modes
