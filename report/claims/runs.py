"""The assumptions, definitions and covered cases of a claim, in words."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from rebalance_proofs.proofs.claim import Claim, even_if
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.family import Family
from rebalance_proofs.report.shown import Cells, Row, Shown
from rebalance_proofs.report.text.english import count
from rebalance_proofs.report.text.grouped import grouped

SORTS = ("assumes", "where", "covers")
"""Fields of ``Claim`` that hold phrases: assumptions, definitions, and cases that the claim covers explicitly."""


def joined(phrases: Iterable[str]) -> str:
    """Join phrases for one printed line, without the full stop."""
    return "; ".join(phrases)


def assumed(claim: Claim) -> str:
    """Return a claim's assumptions as a printed line: ``Assumes: no broker restart. ...``

    The line ends with the dropped assumption, if the claim drops one.
    """
    parts = [f"{sort.capitalize()}: {joined(phrases)}." for sort in SORTS if (phrases := getattr(claim, sort))]
    if claim.world.dropped:
        parts.append(f"Does not assume: {claim.world.drops}.")
    return " ".join(parts)


# Tables of claims whose counterexamples are traces of clients and brokers over time.
# Rows are guarantees with the conditions under which they hold, columns are clients.

AROUND = "2 consumers, 1 queue"

Found = Callable[[Claim], Counterexample | None]


def circumstances(words: Mapping[str, str]) -> Callable[[Claim], str]:
    """Return a function from a claim to its conditions in words.

    These are the event that a dropped assumption allows, or else the text in ``words`` for the claim's assumptions.
    """
    return lambda claim: even_if(claim.world).removeprefix(", ") if claim.world.dropped else words[claim.world.name]


@dataclass(frozen=True)
class Places:
    """Table layout of a kind of claims with a single family."""

    of_all: Family
    when: Callable[[Claim], str]
    """Function that returns a claim's conditions, as a phrase that follows the guarantee."""

    def family(self, claim: Claim) -> Family:
        """Return the kind's only family."""
        return self.of_all

    def row(self, claim: Claim) -> Row:
        """Return the claim's row names: (guarantee, conditions)."""
        return _head(claim), self.when(claim)

    def column(self, claim: Claim) -> str:
        """Return the claim's column: the client's name."""
        name: str = claim.subjects[0].rocketmq_name
        return name

    def cells(self, claims: Sequence[Claim]) -> Cells:
        """Return the claims of each cell by (row, column)."""
        return grouped(claims, lambda claim: (self.row(claim), self.column(claim)))

    def listed(self, claims: Sequence[Claim]) -> tuple[str, tuple[str, ...]]:
        """Return the guarantee as a heading, and the client and conditions of each claim."""
        return _head(claims[0]), tuple(f"{self.column(claim)}, {self.when(claim)}" for claim in claims)


def shown(
    of: Places, about: Callable[[Claim], str], found: Found, none: str, around: str = AROUND, **drawn: Any
) -> Shown:
    """Return how reports show a kind of claims with this layout.

    ``found`` searches for a claim's shortest trace, ``none`` is the error message if there is none, ``around`` is the
    size of the group, and ``drawn`` has further fields of ``Shown``.
    """

    def smallest(claim: Claim) -> Counterexample:
        """Return the shortest trace. Raises ``LookupError`` if there is none."""
        example = found(claim)
        if example is None:
            raise LookupError(f"{claim.id}: {none}")
        return example

    return Shown(
        families=(of.of_all,),
        family=of.family,
        row=of.row,
        column=of.column,
        cells=of.cells,
        about=about,
        given=given,
        listed=of.listed,
        label=attrgetter("rocketmq_name"),
        code=attrgetter("made"),
        smallest=smallest,
        size=lambda example: f"{around}, {count(example.departures, 'action')}",
        **drawn,
    )


def _head(claim: Claim) -> str:
    """Return the text of a claim's row: the guarantee's name and sentence."""
    return f"{claim.guarantee.name}: {claim.guarantee.sentence}"


def given(claim: Claim) -> str:
    """Return the claim's assumptions in words, with the one that is dropped."""
    return assumed(claim)
