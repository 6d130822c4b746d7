"""The record of one run: options, and results of solvers, enumerator and recorded results."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from rebalance_proofs.proofs.certified.found import Certified, Share
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.recorded.compared import Compared
from rebalance_proofs.recorded.files import Conformance
from rebalance_proofs.report.failures import Required, SelfTest, failures
from rebalance_proofs.report.results.baseline import Baseline, Changes, changes
from rebalance_proofs.spark_enum.results import Enumerated


@dataclass(frozen=True)
class Run:
    """One run of ``prove``, ``enumerate``, ``verify`` or ``conform``.

    Reports contain no other data.
    """

    command: str
    """The command as the user typed it."""
    started: str
    """Start time, ISO 8601, UTC."""
    seconds: float
    versions: Mapping[str, str]
    """Versions by program: rebalance-proofs, python, z3, cvc5, spark, java."""
    options: Mapping[str, str | int | float | bool]
    """Options by name: bounds, solvers, timeout, seeds."""
    claims: tuple[ClaimResult, ...] = ()
    enumerated: Enumerated | None = None
    conformance: Conformance | None = None
    self_tests: tuple[SelfTest, ...] = ()
    """Results of the self-tests: wrong input that the run's own comparison code must notice."""
    required: tuple[Required, ...] = ()
    """Required and found amounts of each kind of work."""
    left_out: tuple[str, ...] = ()
    """Parts that the user excluded, one sentence each; every report lists them."""
    certified: Certified | None = None
    """Certificates of the proved claims; None if the run made none."""
    unfinished: str = ""
    """Why the run ended early; empty if it is complete. An incomplete run is never green."""
    baseline: Baseline | None = None
    """An earlier run; failures that it also has do not count for the exit status."""
    excused: tuple[str, ...] = ()
    """Names of work that is missing only because of claims that also fail in the baseline."""

    @property
    def complete(self) -> bool:
        """True if the run did not end early."""
        return not self.unfinished

    @property
    def failures(self) -> tuple[str, ...]:
        """All failures, with one sentence for each."""
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
        """Differences from the baseline; None if the run has no baseline."""
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
        """Numbers of recorded results that equal the model's; None if the run compared none."""
        return self.conformance.of if self.conformance else None

    def share(self, result: ClaimResult) -> Share | None:
        """Return how many of a claim's obligations are certified.

        None if the claim is not proved, or if the run made no certificates.
        """
        return self.certified.share(result.claim.id) if self.certified else None

    @property
    def judged_wrong(self) -> tuple[str, ...]:
        """The failures that the solvers and the enumerator found."""
        records = (*self.claims, *(self.enumerated.findings if self.enumerated else ()))
        found = [sentence for record in records for sentence in failures(record)]
        if self.enumerated:
            told = {f"{result.claim.id}: {said}" for result in self.claims for said in result.contradictions}
            found += [sentence for sentence in self.enumerated.unexpected if sentence not in told]
        return tuple(found)

    @property
    def unfounded(self) -> tuple[str, ...]:
        """Failures of the run itself: failed self-tests, required work that was not done, missing certificates.

        In an incomplete run, missing work is no failure.
        """
        found = [sentence for record in self.self_tests for sentence in failures(record)]
        if not self.complete:
            return tuple(found)
        found += [sentence for record in self.required for sentence in failures(record)]
        found += failures(self.certified) if self.certified else ()
        if (self.claims or self.enumerated) and not self.required:
            found.append("the required amount of work was not computed")
        if (self.enumerated or self.conformance) and not self.self_tests:
            found.append("no self-test was run")
        return tuple(found)

    @property
    def green(self) -> bool:
        """True if the run is complete and has no failures."""
        return not self.failures

    @property
    def exit_status(self) -> int:
        """Exit status: 0 green, 1 failures, 2 undecided.

        1: an unexpected verdict or recorded result, a failed self-test, or missing work, including missing pinned
        recorded results. 2: the run is incomplete, or its only failures are recorded results that cannot be read. With
        a baseline, a complete run has 0 if nothing is worse than in the baseline. It has 1 if it has no failure, but a
        claim of the baseline is no longer in the ledger.
        """
        if self.changes and self.complete and not self.changes.worse:
            return 0
        if self.green:
            return int(bool(self.changes and self.changes.worse))
        recorded = self.conformance and (self.conformance.contradicted or self.conformance.lacking)
        contradicted = self.judged_wrong or self.unfounded or recorded
        return 1 if self.complete and contradicted else 2
