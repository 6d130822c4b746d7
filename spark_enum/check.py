"""Checks: sets of cases in which two sides are compared or something must hold, divided into numbered pieces."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypedDict

from rebalance_proofs.spark_enum.results import Finding
from rebalance_proofs.spark_enum.rows import Keep
from rebalance_proofs.spark_enum.totals import Totals


class Told(TypedDict, total=False):
    """Fields of a ``Finding`` that a check fills in its own way."""

    digest: str
    numbers: Mapping[str, int]
    details: tuple[Mapping[str, int], ...]


@dataclass(frozen=True)
class Check:
    """A check. It is sent to Spark's executors, so that neither it nor its results hold terms."""

    kind: str
    """See ``Finding``."""
    name: str
    pieces: int
    """The number of pieces of work; each takes a small part of the time limit."""
    expected: int
    """The number of cases, by a closed form."""
    do: Callable[[int, Keep | None], Totals]
    """``do(piece, keep)``: the totals of a piece, from 0 on; ``keep``, if any, gets a row for each of its cases."""
    subject: str = ""
    """See ``Finding``; likewise the next two fields."""
    setting: str = ""
    bounds: Mapping[str, int] = field(default_factory=dict)
    record: Callable[[Totals], Told] = lambda totals: Told()
    """Further fields of the finding, computed from the totals."""

    def __call__(self, piece: int, keep: Keep | None = None) -> Totals:
        return self.do(piece, keep)

    def finding(self, totals: Totals) -> Finding:
        """The finding made of the totals of all pieces."""
        told = {name: getattr(self, name) for name in ("kind", "name", "expected", "subject", "setting", "bounds")}
        return replace(Finding(**told | totals.told), **self.record(totals))


Run = Callable[[Sequence[Check]], list[Totals]]
"""Run checks as one job; gives the totals of each check."""
