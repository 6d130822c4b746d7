"""A check: cases in which two sides are compared, or something ought to hold, done in pieces that numbers name."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypedDict

from rebalance_proofs.spark_enum.results import Finding
from rebalance_proofs.spark_enum.rows import Keep
from rebalance_proofs.spark_enum.totals import Totals


class Told(TypedDict, total=False):
    """Fields of a ``Finding`` that a check says in its own way."""

    digest: str
    numbers: Mapping[str, int]
    details: tuple[Mapping[str, int], ...]


@dataclass(frozen=True)
class Check:
    """It is sent to Spark's executors, so that it holds no terms; neither does what it finds."""

    kind: str
    """See ``Finding``."""
    name: str
    pieces: int
    """How many pieces of work there are; each takes a small part of the time limit."""
    expected: int
    """How many cases there are, by a closed form."""
    do: Callable[[int, Keep | None], Totals]
    """What is found in the piece 0 .. ``pieces`` - 1; a row for each of its cases is given to the second argument."""
    subject: str = ""
    """See ``Finding``; likewise the next two."""
    setting: str = ""
    bounds: Mapping[str, int] = field(default_factory=dict)
    record: Callable[[Totals], Told] = lambda totals: Told()
    """Fields of the finding that it has of its own, from everything that was found."""

    def __call__(self, piece: int, keep: Keep | None = None) -> Totals:
        return self.do(piece, keep)

    def finding(self, totals: Totals) -> Finding:
        """The record of all pieces together."""
        told = {name: getattr(self, name) for name in ("kind", "name", "expected", "subject", "setting", "bounds")}
        return replace(Finding(**told | totals.told), **self.record(totals))


Run = Callable[[Sequence[Check]], list[Totals]]
"""Does checks as one job: what is found of each."""
