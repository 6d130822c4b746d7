"""Families of claims: what is shown in one table, and in which row and column of it."""

from collections.abc import Iterable, Sequence
from functools import singledispatch

from rebalance_proofs.model.worlds.groups import Groups
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.transition.scenario import Scenario
from rebalance_proofs.report import allocations, transitions
from rebalance_proofs.report.allocations import CLIENTS, MOVEMENT, PREMISES_DROPPED, PROMISES, TOPICS
from rebalance_proofs.report.family import Family
from rebalance_proofs.report.names import short_label
from rebalance_proofs.report.shelf import Cells, Row, Shelf
from rebalance_proofs.report.transitions import TRANSITIONS, VERSIONS

__all__ = [
    "CLIENTS",
    "FAMILIES",
    "MOVEMENT",
    "PREMISES_DROPPED",
    "PROMISES",
    "TOPICS",
    "TRANSITIONS",
    "VERSIONS",
    "Family",
    "about",
    "cells",
    "column",
    "families",
    "family",
    "given",
    "in_order",
    "limits",
    "listed",
    "over",
    "row",
]

FAMILIES = (*allocations.FAMILIES, *transitions.FAMILIES)


@singledispatch
def shelf(world: object) -> Shelf:
    """How claims under such a premise are shown."""
    raise TypeError(f"claims under a premise of type {type(world).__name__} cannot be shown")


@shelf.register
def _(world: Groups) -> Shelf:
    return allocations.SHELF


@shelf.register
def _(world: Scenario) -> Shelf:
    return transitions.SHELF


def family(claim: Claim) -> Family:
    """Where a claim is shown."""
    return shelf(claim.world).family(claim)


def families(claims: Iterable[Claim]) -> tuple[Family, ...]:
    """The families of these claims, in the order of ``FAMILIES``, then others as they come."""
    found = dict.fromkeys(map(family, claims))
    return (*(known for known in FAMILIES if known in found), *(other for other in found if other not in FAMILIES))


def row(claim: Claim) -> Row:
    """The row of a claim: its place in lists, and in its family's table where it has one cell."""
    return shelf(claim.world).row(claim)


def column(claim: Claim) -> str:
    """The column of a claim in its family's table."""
    return shelf(claim.world).column(claim)


def cells(claims: Sequence[Claim]) -> Cells:
    """The cells of a table of claims, which are of one family."""
    return shelf(claims[0].world).cells(claims)


def about(claim: Claim) -> str:
    """What the guarantee of a claim looks at, in a sentence."""
    return shelf(claim.world).about(claim)


def given(claim: Claim) -> str:
    """Under which circumstances the claim is made."""
    return shelf(claim.world).given(claim)


def over(claim: Claim) -> str:
    """What of its subject the claim speaks of, where that is not everything."""
    return shelf(claim.world).limit(claim)


def listed(claims: Sequence[Claim]) -> tuple[str, tuple[str, ...]]:
    """Of claims that share the first name of their row: what is said once above them, and each claim's sentence."""
    return shelf(claims[0].world).listed(claims)


def limits(claims: Iterable[Claim]) -> tuple[str, ...]:
    """Whose claims do not speak of every queue: ``MACHINE_ROOM (Java): over the queues of the rooms in ...``."""
    found = [(one, over(claim)) for claim in claims if over(claim) for one in claim.subjects if one.over]
    return tuple(dict.fromkeys(f"{short_label(one)}: {limit}" for one, limit in found))


def in_order(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """Family by family, row by row, as each first appears; rows that share their first name stand together."""
    found = families(claims)
    firsts = list(dict.fromkeys((family(claim), row(claim)[0]) for claim in claims))
    rows = list(dict.fromkeys((family(claim), row(claim)) for claim in claims))

    def place(claim: Claim) -> tuple[int, int, int]:
        kind, names = family(claim), row(claim)
        return found.index(kind), firsts.index((kind, names[0])), rows.index((kind, names))

    return tuple(sorted(claims, key=place))
