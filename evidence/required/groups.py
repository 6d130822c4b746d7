"""Required explorations: each recorded group of the claims, with its number of states."""

from collections.abc import Iterator

from rebalance_proofs.evidence.asked import Asked
from rebalance_proofs.report.evidence import Required
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.explorer.kinds import EXPLORED
from rebalance_proofs.spark_enum.explorer.recorded import read
from rebalance_proofs.spark_enum.results import Enumerated


def groups(asked: Asked, bounds: Bounds, found: Enumerated) -> Iterator[Required]:
    """Yield the required explorations from the recorded file alone.

    A group that is missing in the tables of groups is therefore noticed.
    """
    ids = {claim.id for claim in asked.claims}
    recorded = {**read("quick"), **(read("larger") if bounds.larger else {})}
    wanted = {name: group for name, group in recorded.items() if ids & {*group.claims}}
    there = {row.name: row for row in found.of(EXPLORED)}
    yield Required("explored groups", len(wanted), len(wanted.keys() & there.keys()))
    for name, group in wanted.items():
        if name in there:
            yield Required(f"{name}: states", group.states, there[name].counted)
