"""A check: a set of cases, divided into numbered pieces of work for Spark.

In each case two results are compared, or a property must hold.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypedDict

from rebalance_proofs.spark_enum.results import Finding
from rebalance_proofs.spark_enum.rows import Keep
from rebalance_proofs.spark_enum.totals import Totals


class Told(TypedDict, total=False):
    """Fields of a ``Finding`` that a check computes from its totals."""

    digest: str
    numbers: Mapping[str, int]
    details: tuple[Mapping[str, int], ...]


@dataclass(frozen=True)
class Check:
    """A check of many cases.

    It is sent to Spark's executors, so neither the check nor its results contain solver terms.
    """

    kind: str
    """The kind of comparison; see ``Finding.kind``."""
    name: str
    pieces: int
    """The number of pieces of work. Each piece takes a small part of the time limit."""
    expected: int
    """The number of cases, by a closed form."""
    do: Callable[[int, Keep | None], Totals]
    """``do(piece, keep)``: check the cases of a piece, counted from 0, and return the totals.

    ``keep``, if given, receives a row for each case.
    """
    subject: str = ""
    """The checked strategies or client. See ``Finding``, also for the next two fields."""
    setting: str = ""
    bounds: Mapping[str, int] = field(default_factory=dict)
    record: Callable[[Totals], Told] = lambda totals: Told()
    """Function that computes further fields of the finding from the totals."""

    def __call__(self, piece: int, keep: Keep | None = None) -> Totals:
        return self.do(piece, keep)

    def finding(self, totals: Totals) -> Finding:
        """Return the finding of the check from the totals of all pieces."""
        told = {name: getattr(self, name) for name in ("kind", "name", "expected", "subject", "setting", "bounds")}
        return replace(Finding(**told | totals.told), **self.record(totals))


Run = Callable[[Sequence[Check]], list[Totals]]
"""A function that runs checks as one job and returns the totals of each check."""
