"""Group claims of all kinds by family; a family's claims share one table."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.report.family import Family, arranged
from rebalance_proofs.report.kinds import KINDS, shown

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
