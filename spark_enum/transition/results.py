"""What the enumeration of transitions found."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

SINGLES, CALLS, TABLES, MODELS = "singles", "calls", "tables", "models"
"""What is compared: the code of one queue with the compiled terms; the code of several queues with that of each alone;
the compiled terms of several queues with the code of each alone; the solver's models with the code of one queue."""


@dataclass(frozen=True)
class Letters:
    """How many different things one client does to a queue in one mode."""

    client: str
    mode: str
    cases: int
    """States, memberships and answers of one queue."""
    traces: int
    """Different lists of effects and exceptions, whatever other queues throw."""
    behaviours: int
    """The same, told apart also by what is changed in the entry."""
    outcomes: int
    """The same, told apart also by the entry that is left."""


@dataclass(frozen=True)
class Comparison:
    """One client, in one mode or in all: one thing that was compared with another."""

    kind: str
    """``SINGLES``, ``CALLS``, ``TABLES`` or ``MODELS``."""
    client: str
    mode: str
    """Empty for all that there could be."""
    queues: int
    """How many there are in each case."""
    letters: int
    """How many states with answers each queue is tried in; 0 where that is not the same for all."""
    cases: int
    """Cases that were compared: calls of the client, tables of terms, models of the solver."""
    expected_cases: int
    """The same number by its closed form."""
    digest: str
    """Hexadecimal; of all cases and what they came to, whatever their order and partition."""
    mismatches: int
    """Cases in which the two differ, and those that are on one side only."""
    first_mismatch: str
    """The first of them in words; empty when there is none."""
    seconds: float
    """Its share of the Spark job's time."""

    @property
    def complete(self) -> bool:
        """Every case was met once."""
        return self.cases == self.expected_cases

    @property
    def equal(self) -> bool:
        """Every case was met, and both sides say the same."""
        return self.complete and not self.mismatches

    @property
    def name(self) -> str:
        """``java_v4_9 push orderly, 3 queues, calls``."""
        queues = "1 queue" if self.queues == 1 else f"{self.queues} queues"
        return f"{' '.join(part for part in (self.client, self.mode) if part)}, {queues}, {self.kind}"


@dataclass(frozen=True)
class TransitionEnumerated:
    """Everything that was found about transitions in one run."""

    letters: tuple[Letters, ...] = ()
    comparisons: tuple[Comparison, ...] = ()

    def of(self, kind: str, queues: int | None = None) -> tuple[Comparison, ...]:
        """The comparisons of one kind."""
        return tuple(found for found in self.comparisons if found.kind == kind and queues in (None, found.queues))

    def cases(self, kind: str, queues: int | None = None) -> int:
        """How many cases they are."""
        return _sum(found.cases for found in self.of(kind, queues))

    def seconds(self, kind: str, queues: int | None = None) -> float:
        """How long they took."""
        return _sum(found.seconds for found in self.of(kind, queues))

    @property
    def complete(self) -> bool:
        """Every case was met once."""
        return all(found.complete for found in self.comparisons)

    @property
    def equal(self) -> bool:
        """All sides say the same, everywhere."""
        return all(found.equal for found in self.comparisons)

    @property
    def differing(self) -> tuple[str, ...]:
        """What differs, one sentence each."""
        return tuple(f"{found.name}: {_said(found)}" for found in self.comparisons if not found.equal)


def _sum(numbers: Iterable) -> int | float:
    return sum(numbers)


def _said(found: Comparison) -> str:
    if found.mismatches:
        return f"{found.mismatches:,} mismatches, the first: {found.first_mismatch}"
    return f"{found.cases:,} cases instead of {found.expected_cases:,}"


@dataclass(frozen=True)
class Promised:
    """One claim, on the client's code in every case near to a benign round."""

    claim: str
    depths: tuple[int, ...]
    """Up to how many departures from a benign round, of one queue, of two queues, ..."""
    cases: int
    """Cases that the claim's scenario admits, over all its modes."""
    complete: bool
    """As many cases were met as the closed form says."""
    violations: Mapping[str, int]
    """Mode -> in how many cases the promise is broken."""
    smallest: tuple[int, int] | None
    """(queues, departures) of the smallest; None when there is none."""
    sentence: str
    """What is wrong there."""
    seconds: float
    gone: Mapping[str, int] = field(default_factory=dict)
    """Mode -> cases that were gone through, whether the scenario admits them or not."""
    farther: tuple[str, ...] = ()
    """Modes in which the claim was tried farther from a benign round, because nothing near to one breaks it."""
    digest: str = ""
    """Hexadecimal; of all admitted cases and what the client's code did, whatever their order and partition."""
