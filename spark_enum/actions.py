"""Comparison of a client's code with the compiled terms of one action, in many states."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from rebalance_proofs.model.terms.kernel import Kernel
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.check import Check, Run
from rebalance_proofs.spark_enum.distinct import added, digest_of, digests_of
from rebalance_proofs.spark_enum.jobs import findings
from rebalance_proofs.spark_enum.kind import Found
from rebalance_proofs.spark_enum.results import Finding, Wrong
from rebalance_proofs.spark_enum.rows import Keep
from rebalance_proofs.spark_enum.totals import Totals

__all__ = ["After", "Columns", "Compared", "compared", "said_by_terms"]

After = tuple[int, ...] | None
"""The state after the action, as numbers; None if the action is not enabled."""
Columns = Mapping[str, np.ndarray]
"""Columns of states by the names of unknowns, with one state per row."""


def said_by_terms(
    kernel: Kernel, names: Sequence[str], given: Mapping[str, np.ndarray | int], size: int
) -> list[After]:
    """Return the outcome in each state according to the terms.

    ``kernel`` takes the values of ``names``. Its first result is true if the action is enabled.
    """
    can, *after = kernel(*(given[one] for one in names))
    columns = [np.broadcast_to(column, size).astype(np.int64).tolist() for column in after]
    rows = zip(*columns, strict=True)
    return [row if possible else None for possible, row in zip(np.broadcast_to(can, size), rows, strict=True)]


class OfClient(Protocol):
    """All comparisons for one client."""

    def check(self) -> Check:
        """The check that makes the comparisons."""


def compared(
    of: Callable[[str, int], OfClient],
    beside: Callable[[Sequence[Claim], Bounds], Sequence[Check]] = lambda claims, bounds: (),
) -> Found:
    """Build a job that compares code and terms of every client with a claim.

    ``of(name, every)`` returns the comparisons for a client, in one of ``every`` states. ``beside(claims, bounds)``
    returns further checks for the same job; their pieces take long and are started first.
    """

    def found(run: Run, claims: Sequence[Claim], bounds: Bounds, solver: str) -> Iterator[tuple[Finding, ...]]:
        names = dict.fromkeys(client.name for claim in claims for client in claim.subjects)
        checks = [*beside(claims, bounds), *(of(name, bounds.every).check() for name in names)]
        yield findings(checks, run(checks))

    return found


@dataclass(frozen=True)
class Compared:
    """The comparison of one action in many states."""

    title: str
    """The action with its choices, for display."""
    columns: Columns
    names: Sequence[str]
    """The names of the numbers in ``After``."""

    def totals(
        self,
        codes: np.ndarray,
        wanted: Sequence[After],
        does: Callable[[int], After],
        keep: Keep | None,
    ) -> Totals:
        """Compare the code's result with the terms' result in each state.

        They are ``does(place)`` and ``wanted[place]``. ``codes`` are the numbers of the cases.
        """
        size = len(wanted)
        found = [does(place) for place in range(size)]
        totals = Totals(counted=size)
        differs: dict[int, str] = {}
        for place, (done, said) in enumerate(zip(found, wanted, strict=True)):
            if done != said:
                state = {column: int(values[place]) for column, values in self.columns.items() if values[place]}
                words = f"{self.title} in {state}: code: {self._named(done)}. Terms: {self._named(said)}"
                differs[place] = words
                totals.differs(Wrong((int(codes[place]),), (), words))
        outcomes = {after: digest_of(after) for after in set(found)}
        digests = digests_of(codes, np.array([outcomes[after] for after in found], dtype=np.uint64))
        totals.adds(added(digests))
        if keep:
            digits = np.stack(list(self.columns.values()), axis=1)
            keep(
                digits=digits,
                found=[str(self._named(after)) for after in found],
                digest=digests,
                differs=[differs.get(place) for place in range(size)],
            )
        return totals

    def _named(self, after: After) -> dict[str, int] | str:
        if after is None:
            return "nothing"
        return {name: value for name, value in zip(self.names, after, strict=True) if value}
