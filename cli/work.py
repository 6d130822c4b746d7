"""Parts of a run as commands do them: with progress, and keeping the results so far if the run ends early."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NotRequired, TypedDict

from rebalance_proofs.cli import words
from rebalance_proofs.cli.awaited import awaited
from rebalance_proofs.cli.early import Early
from rebalance_proofs.cli.ending import ENDING
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.evidence.asked import Asked
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.prove import Options, prove
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.recorded.conform import conform
from rebalance_proofs.recorded.records import Conformance
from rebalance_proofs.report import files
from rebalance_proofs.report.baseline import Baseline
from rebalance_proofs.report.changes import known
from rebalance_proofs.report.english import count
from rebalance_proofs.report.evidence import Required, SelfTest
from rebalance_proofs.report.failures import failures
from rebalance_proofs.report.families import family
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.results import Enumerated


@dataclass(frozen=True)
class Spark:
    """Settings of the enumeration on Spark."""

    master: str
    bounds: Bounds
    solver: str
    """Solver that is asked at every size."""
    output: Path | None
    """The run directory; None without one."""
    keep_tables: bool
    """Whether the enumerated tables are kept in the run directory."""

    @property
    def log(self) -> Path | None:
        """File for the JVM's messages; None without a run directory."""
        return self.output / files.LOG if self.output else None

    @property
    def parquet(self) -> Path | None:
        """Folder for the enumerated tables; None if they are not kept."""
        return self.output / files.TABLES if self.output and self.keep_tables else None


class Parts(TypedDict):
    """Results of a run, as fields of ``report.run.Run``."""

    claims: tuple[ClaimResult, ...]
    enumerated: Enumerated | None
    conformance: Conformance | None
    self_tests: tuple[SelfTest, ...]
    required: tuple[Required, ...]
    left_out: NotRequired[tuple[str, ...]]
    unfinished: str
    baseline: Baseline | None
    excused: tuple[str, ...]


@dataclass
class Work:
    """Collects results; ``unfinished`` says why some are missing."""

    reporter: Reporter
    verbose: bool = True
    """Whether each claim and sweep gets a line, instead of each family."""
    baseline: Baseline | None = None
    """An earlier run; failures that it has too are reported as known."""
    claims: tuple[ClaimResult, ...] = ()
    enumerated: Enumerated | None = None
    conformance: Conformance | None = None
    self_tests: tuple[SelfTest, ...] = ()
    """Self-tests of the run's comparers."""
    required: tuple[Required, ...] = ()
    """Required and found amounts of work."""
    excused: tuple[str, ...] = ()
    """Names in ``required`` that fall short only because of claims that the baseline knows as failing."""
    unfinished: str = ""
    told: set[str] = field(default_factory=set)
    """Failures that were already printed."""

    def __post_init__(self) -> None:
        ENDING.keep()

    def conform(self, vectors: Path) -> None:
        """Compare the model with recorded results."""
        try:
            with ENDING.cuts():
                self.conformance = conform(vectors)
        except KeyboardInterrupt:
            self.unfinished = f"{ENDING.how} while recorded results were compared"
            return
        for line in words.conformance_lines(self.conformance):
            self.reporter.line(line)

    def prove(
        self,
        claims: Sequence[Claim],
        options: Options,
        *,
        stories: bool = False,
        spare: Callable[[], None] = lambda: None,
    ) -> None:
        """Prove or refute the claims with the solvers; ``stories``: whether to print long counterexamples stepwise.

        ``spare`` is called when there is a core to spare; see ``prove``.
        """
        done: dict[str, ClaimResult] = {}
        step = self.reporter.step("proving", len(claims))
        waiting = Counter(map(family, claims))
        self.reporter.begins(f"proving {count(len(claims), 'claim')}")

        def keep(result: ClaimResult) -> None:
            done[result.claim.id] = result
            if self.verbose and result.green:
                self.reporter.line(words.claim_line(result))
            excused = self.baseline is not None and known(self.baseline, result)
            for failure in failures(result):
                if excused:
                    self.reporter.line(words.known_line(failure))
                else:
                    self.reporter.judged(words.bad_line(failure), wrong=True)
                self.told.add(failure)
            for line in words.story_lines(result) if self.verbose and stories else ():
                self.reporter.line(line)
            kind = family(result.claim)
            waiting[kind] -= 1
            if not (self.verbose or waiting[kind]):
                of_kind = [known for known in done.values() if family(known.claim) == kind]
                self.reporter.line(words.family_line(kind, of_kind))
            step.advance()

        try:
            awaited(lambda: prove(claims, options, keep, spare))
        except KeyboardInterrupt:
            self.unfinished = f"{ENDING.how} after {len(done)} of {len(claims)} claims were judged"
        self.claims = tuple(done[claim.id] for claim in claims if claim.id in done)

    def enumerate(self, claims: Sequence[Claim], spark: Spark, early: Early | None = None) -> None:
        """Enumerate the claims' spaces, and compare with the proofs; ``early``: the session, if it may have begun.

        Raises ``UsageError`` if Spark cannot start and no claims were proved before; otherwise their results are kept.
        """
        # PySpark takes long to load, and not every command needs it.
        from rebalance_proofs.spark_enum.failure import said
        from rebalance_proofs.spark_enum.witness import compare, enumerate_claims, jobs, judge

        step = self.reporter.step("enumerating", jobs(claims, spark.bounds))

        def keep(found: Enumerated) -> None:
            known = len(self.enumerated.findings) if self.enumerated else 0
            for line in words.enumerated_lines(found.findings[known:], self.verbose):
                self.reporter.line(line)
            step.advance()
            self.enumerated = found

        self.reporter.begins(f"enumerating on {spark.master}")
        try:
            with ENDING.cuts(), (early or Early(spark.master, spark.log)).session() as session:
                enumerate_claims(session, claims, spark.bounds, spark.solver, spark.parquet, keep)
        except KeyboardInterrupt:
            self.unfinished = f"{ENDING.how} while enumerating"
        except Exception as error:
            if ENDING.by:  # a hangup ends the JVM too, and stopping the session then fails
                self.unfinished = f"{ENDING.how} while enumerating"
            elif isinstance(error, UsageError) and not self.claims:
                raise
            else:
                where = f"; see {spark.log}" if spark.log else ""
                self.unfinished = str(error) if isinstance(error, UsageError) else f"{said(error)}{where}"
        if self.enumerated:
            self.enumerated = compare(claims, self.enumerated, self.claims)
            self.claims = judge(self.claims, self.enumerated)

    def gather(self, asked: Asked) -> None:
        """Run the self-tests and compute the required work, unless the run has ended early."""
        if self.unfinished:
            return
        try:
            with ENDING.cuts():
                from rebalance_proofs.evidence.gathered import gathered  # loads PySpark, too
                from rebalance_proofs.evidence.required import lacked_by

                found = gathered(asked, self.claims, self.enumerated, self.conformance)
                self.self_tests, self.required = found
                if self.baseline:
                    those = [result.claim.id for result in self.claims if known(self.baseline, result)]
                    self.excused = lacked_by(asked, self.claims, those)
        except KeyboardInterrupt:
            self.unfinished = f"{ENDING.how} while the comparers were tried"

    @property
    def parts(self) -> Parts:
        """Results for the run's record."""
        return {
            "claims": self.claims,
            "enumerated": self.enumerated,
            "conformance": self.conformance,
            "self_tests": self.self_tests,
            "required": self.required,
            "unfinished": self.unfinished,
            "baseline": self.baseline,
            "excused": self.excused,
        }
