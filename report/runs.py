"""Where claims stand that are broken by runs of consumers: circumstances in rows, clients in columns."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.english import count
from rebalance_proofs.report.family import Family
from rebalance_proofs.report.grouped import grouped
from rebalance_proofs.report.shown import Cells, Row, Shown

__all__ = ["Places", "given", "shown"]

AROUND = "2 consumers, 1 queue"

Found = Callable[[Claim], Counterexample | None]


@dataclass(frozen=True)
class Places:
    """Those of one kind, which has one family."""

    of_all: Family
    when: Callable[[Claim], str]
    """Under which circumstances, to follow the guarantee."""

    def family(self, claim: Claim) -> Family:
        """There is one."""
        return self.of_all

    def row(self, claim: Claim) -> Row:
        """What is claimed, and under which circumstances."""
        return _head(claim), self.when(claim)

    def column(self, claim: Claim) -> str:
        """The client."""
        name: str = claim.subjects[0].rocketmq_name
        return name

    def cells(self, claims: Sequence[Claim]) -> Cells:
        """Each claim fills its own."""
        return grouped(claims, lambda claim: (self.row(claim), self.column(claim)))

    def listed(self, claims: Sequence[Claim]) -> tuple[str, tuple[str, ...]]:
        """The guarantee, once; and of each claim its client and circumstances."""
        return _head(claims[0]), tuple(f"{self.column(claim)}, {self.when(claim)}" for claim in claims)


def shown(
    of: Places, about: Callable[[Claim], str], found: Found, none: str, around: str = AROUND, **drawn: Any
) -> Shown:
    """A kind's record.

    ``found``: a claim's shortest run; ``none``: what is said where there is none; ``around``: whose run it is;
    ``drawn``: how the kind shows one.
    """

    def smallest(claim: Claim) -> Counterexample:
        """Raises ``LookupError`` when there is none."""
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
    """The guarantee."""
    return f"{claim.guarantee.name}: {claim.guarantee.sentence}"


def given(claim: Claim) -> str:
    """The premises; of a world without one, that one."""
    if claim.world.dropped:
        return f"Not given: {claim.world.sentence} Given are the other premises."
    return f"Given: {claim.world.sentence}"
