"""Proving and enumerating as the commands do it: with progress, and keeping what stands when the user interrupts."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cli import words
from cli.progress import Reporter
from evidence.asked import Asked
from evidence.gathered import Evidence, gathered
from model.conformance import Conformance
from proofs.claim import Claim
from proofs.errors import UsageError
from proofs.prove import Options, prove
from proofs.results import ClaimResult
from report import files
from spark_enum.bounds import Bounds
from spark_enum.results import Enumerated


@dataclass(frozen=True)
class Spark:
    """Where and what to enumerate."""

    master: str
    bounds: Bounds
    solver: str
    """Who is asked at every size."""
    output: Path | None
    """The run directory."""
    keep_tables: bool
    """Whether the run directory gets the enumerated tables."""

    @property
    def log(self) -> Path | None:
        """Where the JVM's messages go."""
        return self.output / files.LOG if self.output else None

    @property
    def parquet(self) -> Path | None:
        """Where the enumerated tables go."""
        return self.output / files.TABLES if self.output and self.keep_tables else None


@dataclass
class Work:
    """Gathers results; ``unfinished`` says why there are not more."""

    reporter: Reporter
    claims: tuple[ClaimResult, ...] = ()
    enumerated: Enumerated | None = None
    conformance: Conformance | None = None
    evidence: Evidence = field(default_factory=lambda: Evidence((), ()))
    """Whether the run's own comparers work, and whether all of the work is there."""
    unfinished: str = ""

    def prove(self, claims: Sequence[Claim], options: Options, *, stories: bool = False) -> None:
        """Puts the claims to the solvers; ``stories`` tells how counterexamples come about, where that is long."""
        done: dict[str, ClaimResult] = {}
        step = self.reporter.step("proving", len(claims))

        def keep(result: ClaimResult) -> None:
            done[result.claim.id] = result
            self.reporter.line(words.claim_line(result), style="" if result.green else "bold red")
            for line in words.story_lines(result) if stories else ():
                self.reporter.line(line)
            step.advance()

        try:
            asyncio.run(prove(claims, options, keep))
        except KeyboardInterrupt:
            self.unfinished = f"interrupted after {len(done)} of {len(claims)} claims were judged"
        self.claims = tuple(done[claim.id] for claim in claims if claim.id in done)

    def enumerate(self, claims: Sequence[Claim], spark: Spark) -> None:
        """Enumerates the claims' spaces and compares with what was proved.

        Raises ``UsageError`` when Spark cannot start; not when something was proved before, which is kept.
        """
        # PySpark takes long to load, and not every command needs it.
        from spark_enum.session import spark_session
        from spark_enum.transition.transitions import JOBS
        from spark_enum.witness import about_transitions, checks, compare, enumerate_claims, judge

        jobs = JOBS if about_transitions(claims) else 0
        step = self.reporter.step("enumerating", len(checks(claims)) + 1 + jobs)

        def keep(found: Enumerated) -> None:
            told = len(self.enumerated.enumerations) if self.enumerated else 0
            for sweep in found.enumerations[told:]:
                self.reporter.line(words.sweep_line(sweep))
                step.advance()
            counted = len(self.enumerated.movements) if self.enumerated else 0
            for movement in found.movements[counted:]:
                self.reporter.line(words.movement_line(movement))
            if found.at_size and not (self.enumerated and self.enumerated.at_size):
                step.advance()
            if found.transitions or found.promised:
                step.advance()
            for line in words.transition_lines(found, self.enumerated):
                self.reporter.line(line)
            self.enumerated = found

        try:
            with spark_session(spark.master, spark.log) as session:
                enumerate_claims(session, claims, spark.bounds, spark.solver, spark.parquet, keep)
        except KeyboardInterrupt:
            self.unfinished = "interrupted while enumerating"
        except UsageError as error:
            if not self.claims:
                raise
            self.unfinished = str(error)
        except Exception as error:
            log = f"; see {spark.log}" if spark.log else ""
            said = next((line for line in str(error).splitlines() if line.strip()), type(error).__name__)
            self.unfinished = f"Spark failed: {said.strip()[:300]}{log}"
        if self.enumerated:
            self.enumerated = compare(claims, self.enumerated, self.claims)
            self.claims = judge(self.claims, self.enumerated)

    def gather(self, asked: Asked) -> None:
        """Tries the comparers and reckons the work, unless the run has come to an early end."""
        if self.unfinished:
            return
        try:
            self.evidence = gathered(asked, self.claims, self.enumerated, self.conformance)
        except KeyboardInterrupt:
            self.unfinished = "interrupted while the comparers were tried"

    @property
    def parts(self) -> dict[str, object]:
        """For the record of the run."""
        return {
            "claims": self.claims,
            "enumerated": self.enumerated,
            "conformance": self.conformance,
            "self_tests": self.evidence.self_tests,
            "required": self.evidence.required,
            "unfinished": self.unfinished,
        }
