"""Registry of the kinds of claims, with how reports show each kind."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import TypeVar

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.kinds import Table
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.family import Family, arranged
from rebalance_proofs.report.shown import Shown

KINDS: Mapping[str, Shown] = Table(
    {
        "allocation": "rebalance_proofs.report.allocation.kind.ALLOCATION",
        "transition": "rebalance_proofs.report.transition.kind.TRANSITION",
        "ordered": "rebalance_proofs.report.ordered.pauses.ORDERED",
        "offsets": "rebalance_proofs.report.machine.declared.kind:offsets",
        "pulls": "rebalance_proofs.report.machine.declared.kind:pulls",
        "settling": "rebalance_proofs.report.machine.declared.kind:settling",
        "subscriptions": "rebalance_proofs.report.machine.declared.kind:subscriptions",
        "registry": "rebalance_proofs.report.machine.declared.kind:registry",
        "receiving": "rebalance_proofs.report.machine.declared.kind:receiving",
    }
)
"""Name of a kind of claims -> how reports show its claims; in display order."""


def shown(claim: Claim) -> Shown:
    """Return how reports show the claims of this claim's kind.

    Raises ``TypeError`` for an unregistered kind.
    """
    kind = str(getattr(claim.world, "kind", None))
    if kind not in KINDS:
        raise TypeError(f"claims in a world of type {type(claim.world).__name__} cannot be shown")
    return KINDS[kind]


def in_words(names: str) -> str:
    """Replace short names of strategies or clients, such as ``hash+hash-go``, by display names."""
    known = {one.name: (shown(claim), one) for claim in LEDGER for one in claim.subjects}
    found = ((name, *known.get(name, (None, None))) for name in names.split("+"))
    return " + ".join(kind.label(one) if kind else name for name, kind, one in found)


# Group claims of all kinds by family; a family's claims share one table.

T = TypeVar("T")


def family(claim: Claim) -> Family:
    """Return the family whose table shows the claim."""
    return shown(claim).family(claim)


def families(claims: Iterable[Claim]) -> tuple[Family, ...]:
    """Return the families of the claims: first declared families, kind by kind, then others."""
    found = dict.fromkeys(map(family, claims))
    known = [one for kind in KINDS.values() for one in kind.families]
    return (*(one for one in known if one in found), *(other for other in found if other not in known))


def by_family(things: Sequence[T], claim_of: Callable[[T], Claim]) -> dict[Family, list[T]]:
    """Group items by the family of their claim, and sort each group by table row."""

    def row(thing: T) -> tuple[str, ...]:
        claim = claim_of(thing)
        return shown(claim).row(claim)

    order = families(map(claim_of, things))
    return arranged(things, lambda thing: family(claim_of(thing)), row, order)


def limits(claims: Iterable[Claim]) -> tuple[str, ...]:
    """Return remarks on claims about only some queues, such as those of some rooms."""
    return tuple(dict.fromkeys(limit for claim in claims for limit in shown(claim).limits(claim)))


# Smallest counterexample of a claim, by trying every case from the smallest on, without a solver.


@cache
def smallest(claim: Claim) -> Counterexample:
    """Return the claim's smallest counterexample, cached.

    Raises ``LookupError`` if none is found.
    """
    return shown(claim).smallest(claim)
