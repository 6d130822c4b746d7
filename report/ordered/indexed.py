"""Read the longest pauses of ordered queues from the generated index, where they are precomputed."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from rebalance_proofs.report.index.entries import of_kind


@dataclass(frozen=True)
class OrderedEntry:
    """One client whose ordered consumption was explored."""

    name: str
    rocketmq_name: str
    releases: tuple[str, ...]
    pauses: Mapping[str, int]
    """How a queue changes owner (name of a ``Way``) -> longest pause, in ticks of ten seconds."""


@cache
def ordered_clients() -> Mapping[str, OrderedEntry]:
    """Return the clients by name, oldest first."""
    return {
        one["name"]: OrderedEntry(one["name"], one["rocketmq_name"], tuple(one["releases"]), one["pauses"])
        for one in of_kind("ordered")
    }
