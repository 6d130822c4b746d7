"""Comparison of client code with its compiled formulas for one action, in many states."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from rebalance_proofs.model.terms.kernel import Kernel
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.check import Check, Keep, Run, added, digest_of, digests_of
from rebalance_proofs.spark_enum.jobs import findings
from rebalance_proofs.spark_enum.kinds import Found
from rebalance_proofs.spark_enum.results import Finding, Totals, Wrong

After = tuple[int, ...] | None
"""The numbers of the state after an action; None if the action is not possible."""
Columns = Mapping[str, np.ndarray]
"""States as arrays: variable name -> its value in each state."""


def said_by_terms(
    kernel: Kernel, names: Sequence[str], given: Mapping[str, np.ndarray | int], size: int
) -> list[After]:
    """Return the state after the action according to the formulas, for each of ``size`` states.

    ``kernel`` is the compiled function with arguments ``names``, whose values are in ``given``. Its first result is
    true if the action is possible.
    """
    can, *after = kernel(*(given[one] for one in names))
    possible = np.flatnonzero(np.broadcast_to(can, size))  # In most states an action is impossible.
    columns = [np.broadcast_to(column, size)[possible].astype(np.int64).tolist() for column in after]
    found: list[After] = [None] * size
    for place, row in zip(possible.tolist(), zip(*columns, strict=True), strict=True):
        found[place] = row
    return found


class OfClient(Protocol):
    """All comparisons of code with formulas for one client."""

    def check(self) -> Check:
        """Return the check that makes the comparisons."""


def compared(
    of: Callable[[str, int], OfClient],
    beside: Callable[[Sequence[Claim], Bounds], Sequence[Check]] = lambda claims, bounds: (),
) -> Found:
    """Return a function ``Kind.found`` that compares code with formulas for every client.

    ``of(name, every)`` returns the comparisons for the client of that name, in one of ``every`` states.
    ``beside(claims, bounds)`` returns further checks for the same job; they take long and are started first.
    """

    def found(run: Run, claims: Sequence[Claim], bounds: Bounds, solver: str) -> Iterator[tuple[Finding, ...]]:
        names = dict.fromkeys(client.name for claim in claims for client in claim.subjects)
        checks = [*beside(claims, bounds), *(of(name, bounds.every).check() for name in names)]
        yield findings(checks, run(checks))

    return found


@dataclass(frozen=True)
class Compared:
    """The comparison of one action of a client, in many states."""

    title: str
    """The action with its choices, for messages."""
    columns: Columns
    names: Sequence[str]
    """Names of the numbers in ``After``."""

    def totals(
        self,
        codes: np.ndarray,
        wanted: Sequence[After],
        does: Callable[[int], After],
        keep: Keep | None,
    ) -> Totals:
        """Compare the code's result ``does(i)`` with the formulas' ``wanted[i]`` in each state i.

        ``codes`` are the numbers of the states. Returned are the totals; ``keep``, if given, receives a row for each
        state.
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
