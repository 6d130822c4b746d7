"""What is known about a part of a space: counts, digest, the first mismatch, the smallest violations."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rebalance_proofs.spark_enum.check import Checked
from rebalance_proofs.spark_enum.places import Places
from rebalance_proofs.spark_enum.results import Violation

MODULUS = 2**64


@dataclass
class Totals:
    """Of the groups that have been added so far. Adding up parts in any order gives the same."""

    guarantees: int
    """How many guarantees are checked."""
    codes: int = 0
    """Numbers that were looked up, whether they name a group or none."""
    code_sum: int = 0
    """The sum of these numbers."""
    at_place: int = 0
    """Groups that have the number that they ought to have."""
    groups: int = 0
    results: int = 0
    positions: int = 0
    digest: int = 0
    mismatches: int = 0
    first_mismatch: Violation | None = None
    """Its sentence is the mismatch."""
    violations: list[int] = field(default_factory=list)
    """For each guarantee."""
    smallest: list[Violation | None] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not self.violations:
            self.violations = [0] * self.guarantees
            self.smallest = [None] * self.guarantees

    def add(self, checked: Iterable[Checked]) -> None:
        """Counts these groups in."""
        for found in checked:
            self.groups += 1
            self.results += found.configuration.consumers
            self.positions += found.positions
            self.digest = (self.digest + found.digest) % MODULUS
            if found.mismatch:
                self.mismatches += 1
                self.first_mismatch = _least(self.first_mismatch, _violation(found, found.mismatch))
            for place, said in enumerate(found.violations):
                if said:
                    self.violations[place] += 1
                    self.smallest[place] = _least(self.smallest[place], _violation(found, said))

    def place(self, codes: Sequence[int], checked: Sequence[Checked | None], places: Places) -> None:
        """Counts in which numbers were looked up, and which of the groups found there have that number."""
        self.codes += len(codes)
        self.code_sum += sum(codes)
        self.at_place += sum(
            found is not None and places.number(found.configuration) == code
            for code, found in zip(codes, checked, strict=True)
        )

    def merge(self, other: "Totals") -> None:
        """Counts another part in."""
        self.codes += other.codes
        self.code_sum += other.code_sum
        self.at_place += other.at_place
        self.groups += other.groups
        self.results += other.results
        self.positions += other.positions
        self.digest = (self.digest + other.digest) % MODULUS
        self.mismatches += other.mismatches
        self.first_mismatch = _least(self.first_mismatch, other.first_mismatch)
        self.violations = [mine + theirs for mine, theirs in zip(self.violations, other.violations, strict=True)]
        self.smallest = [_least(mine, theirs) for mine, theirs in zip(self.smallest, other.smallest, strict=True)]


def _violation(found: Checked, sentence: str) -> Violation:
    configuration = found.configuration
    return Violation(configuration.consumers, configuration.queues, configuration.values, sentence)


def _least(one: Violation | None, other: Violation | None) -> Violation | None:
    found = [violation for violation in (one, other) if violation]
    return min(found, default=None)
