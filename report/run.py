"""One run of the command: what was asked, with what, and what all witnesses said."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.recorded import Conformance
from rebalance_proofs.recorded.compared import Compared
from rebalance_proofs.report.baseline import Baseline
from rebalance_proofs.report.changes import Changes, changes
from rebalance_proofs.report.evidence import Required, SelfTest
from rebalance_proofs.report.failures import failures
from rebalance_proofs.spark_enum.results import Enumerated


@dataclass(frozen=True)
class Run:
    """Everything that a report is made of."""

    command: str
    """As the user typed it."""
    started: str
    """ISO 8601, UTC."""
    seconds: float
    versions: Mapping[str, str]
    """Program -> version: rebalance-proofs, python, z3, cvc5, spark, java."""
    options: Mapping[str, str | int | float | bool]
    """Bounds, solvers, timeout, seeds."""
    claims: tuple[ClaimResult, ...] = ()
    enumerated: Enumerated | None = None
    conformance: Conformance | None = None
    self_tests: tuple[SelfTest, ...] = ()
    """What was given to the run's own comparers, to see whether they notice."""
    required: tuple[Required, ...] = ()
    """How much of everything there has to be, and how much there is."""
    left_out: tuple[str, ...] = ()
    """What the user asked the run not to look at, a sentence each; every report says so."""
    unfinished: str = ""
    """Why the run ended before its end; empty when it is complete. An incomplete run is never green."""
    baseline: Baseline | None = None
    """An earlier run: what was not as expected there either does not count for the exit status."""
    excused: tuple[str, ...] = ()
    """Names of ``required`` where nothing is lacking but what claims lack that the baseline knows."""

    @property
    def complete(self) -> bool:
        """It came to its end."""
        return not self.unfinished

    @property
    def failures(self) -> tuple[str, ...]:
        """Everything that is not as expected, one sentence each."""
        found = [*self.judged_wrong, *self.unfounded]
        if self.conformance:
            found += self.conformance.failures
        elif self.complete and not (self.claims or self.enumerated):
            found.append("nothing was checked")
        if self.unfinished:
            found.append(f"incomplete: {self.unfinished}")
        return tuple(found)

    @cached_property
    def changes(self) -> Changes | None:
        """What is different from the baseline; None without one."""
        if not self.baseline:
            return None
        counts = [sentence for record in self.required for sentence in failures(record)]
        claims = {sentence for result in self.claims for sentence in failures(result)}
        others = (*self.judged_wrong, *(self.conformance.failures if self.conformance else ()))
        others = tuple(sentence for sentence in others if sentence not in claims)
        never = [sentence for sentence in self.failures if sentence not in {*claims, *others, *counts}]
        required = self.required if self.complete else ()
        conformed = bool(self.conformance)
        return changes(self.baseline, self.claims, required, self.excused, others, never, conformed)

    @property
    def compared(self) -> Compared | None:
        """What recorded results it compared alike; None where it looked at none, and what is pinned has to do."""
        return self.conformance.of if self.conformance else None

    @property
    def judged_wrong(self) -> tuple[str, ...]:
        """What solvers and enumerator found that is not as expected."""
        records = (*self.claims, *(self.enumerated.findings if self.enumerated else ()))
        found = [sentence for record in records for sentence in failures(record)]
        if self.enumerated:
            told = {f"{result.claim.id}: {said}" for result in self.claims for said in result.contradictions}
            found += [sentence for sentence in self.enumerated.unexpected if sentence not in told]
        return tuple(found)

    @property
    def unfounded(self) -> tuple[str, ...]:
        """What of the run itself does not work: comparers that notice nothing, and work that was not done.

        How much there is of the work of a run that was interrupted says nothing.
        """
        found = [sentence for record in self.self_tests for sentence in failures(record)]
        if not self.complete:
            return tuple(found)
        found += [sentence for record in self.required for sentence in failures(record)]
        if (self.claims or self.enumerated) and not self.required:
            found.append("it was not reckoned how much work is required")
        if (self.enumerated or self.conformance) and not self.self_tests:
            found.append("no comparer was tried on anything wrong")
        return tuple(found)

    @property
    def green(self) -> bool:
        """Complete, and everything as expected."""
        return not self.failures

    @property
    def exit_status(self) -> int:
        """0 when green; 1 when a verdict or a recorded result is not as expected, a self-test is not noticed, or
        required work was not done, recorded results that are pinned among it; 2 when it could not be found out.

        That is when the run is incomplete, or its only failures are vectors that cannot be read. With a baseline, a
        complete run comes to 0 when nothing is worse than there, and to 1 when only a claim of it is there no more.
        """
        if self.changes and self.complete and not self.changes.worse:
            return 0
        if self.green:
            return int(bool(self.changes and self.changes.worse))
        recorded = self.conformance and (self.conformance.contradicted or self.conformance.lacking)
        contradicted = self.judged_wrong or self.unfounded or recorded
        return 1 if self.complete and contradicted else 2
