"""Table of strategy names: for every pair of clients that ship one, whether they ship the same function."""

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

Every strategy name, with every pair of clients that ship it. "The same" means that one record of the model stands for
both, and that what was recorded of each agrees with that record (`rebalance conform`); {unrecorded}.
"Another" names the claim, and shows the smallest group on which the two clients disagree.
"""


@dataclass(frozen=True)
class Pairing:
    """Pairs of clients that ship strategies of one name."""

    name: str
    sides: tuple[tuple[Profile, ...], ...]
    """One side: clients with the same function, paired among themselves. Two sides: each of one with each of the other.
    """
    strategies: tuple[Strategy, ...]
    """The function of each side."""

    @property
    def pairs(self) -> int:
        """Number of pairs of clients."""
        return comb(len(self.sides[0]), 2) if len(self.sides) == 1 else len(self.sides[0]) * len(self.sides[1])


def pairings() -> tuple[Pairing, ...]:
    """All pairs of clients, name by name."""
    found = []
    for name in dict.fromkeys(strategy.rocketmq_name for strategy in ALL):
        shipped = [strategy for strategy in ALL if strategy.rocketmq_name == name and shippers(strategy)]
        found += [Pairing(name, (shippers(one),), (one,)) for one in shipped if len(shippers(one)) > 1]
        found += [
            Pairing(name, (shippers(one), shippers(other)), (one, other)) for one, other in combinations(shipped, 2)
        ]
    return tuple(found)


def same_name(claims: Sequence[Claim]) -> str:
    """The section with its table."""
    unrecorded = [client(profile) for profile in PROFILES if profile.recorded_as is None]
    said = "all were recorded"
    if unrecorded:
        said = (
            f"of {listing(unrecorded)} nothing was recorded, it is taken to be as Java 5 "
            "(CONSISTENT_HASH: where UTF-8 is the default charset)"
        )
    rows = [(found.name, _clients(found), str(found.pairs), *_said(found, claims)) for found in pairings()]
    header = ("name", "clients", "pairs", "function", "smallest disagreement")
    return "\n".join([HEAD.format(unrecorded=said), table(header, rows)])


def _clients(found: Pairing) -> str:
    sides = [listing(map(client, side)) for side in found.sides]
    if len(sides) == 1 and found.pairs == 1:
        return " with ".join(map(client, found.sides[0]))
    return f"{sides[0]}, each with each" if len(sides) == 1 else f"{sides[0]} with {sides[1]}"


def _said(found: Pairing, claims: Sequence[Claim]) -> tuple[str, str]:
    if len(found.sides) == 1:
        return "the same", "none"
    names = {strategy.name for strategy in found.strategies}
    claim = next(
        (claim for claim in claims if claim.guarantee.name == "same" and {one.name for one in claim.subjects} == names),
        None,
    )
    if claim is None:
        return "another; not claimed", "not known"
    return f"another: {link(claim, claim.id)}", disagreement(claim)


@cache
def disagreement(claim: Claim) -> str:
    """The smallest counterexample in a few sentences."""
    example = smallest(claim)
    size = group_size((example.consumers, example.queues))
    return f"{size}: {' '.join((*notes(example), told(example)))}"
