"""Chapter that compares clients pair by pair: does one strategy name mean the same implementation?"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb

from rebalance_proofs.model.allocation import ALL
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.profiles import PROFILES, Profile
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.report.allocation.caption import notes, told
from rebalance_proofs.report.allocation.smallest import smallest
from rebalance_proofs.report.english import group_size, listing
from rebalance_proofs.report.markdown_tables import link, table
from rebalance_proofs.report.names import client, shippers

HEAD = """## Same name, same function?

Every strategy name, with all pairs of clients that ship it. "The same": one record of the model computes the recorded
results of both clients (`rebalance conform`). "Another": the linked claim says that the functions differ. {unrecorded}
"""
SMALLEST = """The smallest group on which two functions disagree:
"""


@dataclass(frozen=True)
class Pairing:
    """Pairs of clients that ship a strategy with the same name."""

    name: str
    sides: tuple[tuple[Profile, ...], ...]
    """Clients grouped by implementation.

    With one group, its clients are paired; with two, each client of one is paired with each of the
    other."""
    strategies: tuple[Strategy, ...]
    """The implementation that each group of clients in ``sides`` ships."""

    @property
    def pairs(self) -> int:
        """Number of pairs of clients."""
        return comb(len(self.sides[0]), 2) if len(self.sides) == 1 else len(self.sides[0]) * len(self.sides[1])


def pairings() -> tuple[Pairing, ...]:
    """Return all pairs of clients, name by name."""
    found = []
    for name in dict.fromkeys(strategy.rocketmq_name for strategy in ALL):
        shipped = [strategy for strategy in ALL if strategy.rocketmq_name == name and shippers(strategy)]
        found += [Pairing(name, (shippers(one),), (one,)) for one in shipped if len(shippers(one)) > 1]
        found += [
            Pairing(name, (shippers(one), shippers(other)), (one, other)) for one, other in combinations(shipped, 2)
        ]
    return tuple(found)


def same_name(claims: Sequence[Claim]) -> str:
    """Return the chapter's text: the table, and the smallest group on which two implementations differ."""
    unrecorded = [client(profile) for profile in PROFILES if profile.recorded_as is None]
    said = "All clients were recorded."
    if unrecorded:
        said = (
            f"{listing(unrecorded)} was not recorded and is taken to be the same as Java 5 (for CONSISTENT_HASH, if "
            "UTF-8 is the default charset)."
        )
    every = [(found, _claim(found, claims)) for found in pairings()]
    rows = [(found.name, _clients(found), str(found.pairs), _said(found, claim)) for found, claim in every]
    smallest_groups = [f"- {link(claim, claim.id)}: {disagreement(claim)}" for _, claim in every if claim]
    header = ("name", "clients", "pairs", "function")
    return "\n".join([HEAD.format(unrecorded=said), table(header, rows), "", SMALLEST, *smallest_groups])


def _clients(found: Pairing) -> str:
    sides = [listing(map(client, side)) for side in found.sides]
    if len(sides) == 1 and found.pairs == 1:
        return " with ".join(map(client, found.sides[0]))
    return f"{sides[0]}, each with each" if len(sides) == 1 else f"{sides[0]} with {sides[1]}"


def _claim(found: Pairing, claims: Sequence[Claim]) -> Claim | None:
    """Return the claim that compares the two implementations; None if there is no such claim."""
    names = {strategy.name for strategy in found.strategies}
    same = (claim for claim in claims if claim.guarantee.name == "same")
    return next((one for one in same if len(names) > 1 and {each.name for each in one.subjects} == names), None)


def _said(found: Pairing, claim: Claim | None) -> str:
    if len(found.sides) == 1:
        return "the same"
    return "another; not claimed" if claim is None else f"another: {link(claim, claim.id)}"


@cache
def disagreement(claim: Claim) -> str:
    """Return the smallest counterexample to the claim that two implementations agree, in a few sentences."""
    example = smallest(claim)
    size = group_size((example.consumers, example.queues))
    return f"{size}: {' '.join((*notes(example), told(example)))}"
