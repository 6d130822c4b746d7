"""The enumeration of transitions for every form of the results: what was compared, how often, and what differs."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from rebalance_proofs.report.english import case_size, count
from rebalance_proofs.report.failures import failures
from rebalance_proofs.spark_enum.results import Enumerated
from rebalance_proofs.spark_enum.transition.results import (
    CALLS,
    MODELS,
    SINGLES,
    TABLES,
    Comparison,
    Promised,
    TransitionEnumerated,
)

MEANT: Mapping[str, str] = {
    SINGLES: "the client's code with the compiled terms, in every state of one queue",
    CALLS: "the client's code on several queues with the same code on each alone",
    TABLES: "the compiled terms of several queues with the client's code on each alone",
    MODELS: "every model of the solver with the client's code",
}


@dataclass(frozen=True)
class Compared:
    """Comparisons of one kind, of tables with so many queues, over all clients and modes."""

    kind: str
    queues: int
    rows: tuple[Comparison, ...]

    @property
    def meant(self) -> str:
        """What is compared with what."""
        return MEANT.get(self.kind, self.kind)

    @property
    def cases(self) -> int:
        """How many were compared."""
        return sum(row.cases for row in self.rows)

    @property
    def expected_cases(self) -> int:
        """The same number by its closed form."""
        return sum(row.expected_cases for row in self.rows)

    @property
    def mismatches(self) -> int:
        """Cases in which both sides differ."""
        return sum(row.mismatches for row in self.rows)

    @property
    def seconds(self) -> float:
        """How long it took."""
        return sum(row.seconds for row in self.rows)

    @property
    def wrong(self) -> tuple[str, ...]:
        """What is not as expected."""
        return tuple(said for row in self.rows for said in failures(row))


def cases_of(found: Enumerated) -> TransitionEnumerated:
    """What a run found about transitions; nothing where it did not look."""
    return found.transitions or TransitionEnumerated()


def compared(found: TransitionEnumerated) -> tuple[Compared, ...]:
    """Kind by kind."""
    kinds: dict[tuple[str, int], list[Comparison]] = {}
    for row in found.comparisons:
        kinds.setdefault((row.kind, row.queues), []).append(row)
    return tuple(Compared(kind, queues, tuple(rows)) for (kind, queues), rows in kinds.items())


def found_smallest(row: Promised) -> str:
    """How large the smallest case is that breaks a promise: ``1 queue, 2 values out of the ordinary``."""
    return case_size(*row.smallest) if row.smallest else "none"


def depths(row: Promised) -> str:
    """How far from a benign round was looked: ``up to 3 values, 2 with 2 queues``."""
    first, *more = row.depths
    further = "".join(f", {depth} with {count(queues, 'queue')}" for queues, depth in enumerate(more, 2))
    return f"up to {count(first, 'value')}{further}"


def as_json(found: Enumerated) -> dict[str, Any]:
    """For results.json."""
    return _cases(cases_of(found)) | {"promised": [_promised(row) for row in found.promised]}


def _promised(row: Promised) -> dict[str, Any]:
    smallest = {"queues": row.smallest[0], "departures": row.smallest[1]} if row.smallest else None
    told = {
        "depths": list(row.depths),
        "violations": dict(row.violations),
        "smallest": smallest,
        "farther": list(row.farther),
    }
    return asdict(row) | told | {"green": not failures(row)}


def _cases(found: TransitionEnumerated) -> dict[str, Any]:
    return {
        "letters": [asdict(row) for row in found.letters],
        "comparisons": [
            asdict(row) | {"name": row.name, "complete": row.complete, "green": not failures(row)}
            for row in found.comparisons
        ],
    }
