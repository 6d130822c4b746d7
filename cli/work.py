"""The parts of a run: prove, enumerate, compare with recordings.

Each part shows its progress. If a run ends early, the results so far stay.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, NotRequired, Self, TypedDict

from rebalance_proofs.cli import worded
from rebalance_proofs.cli.awaited import awaited
from rebalance_proofs.cli.certified import lines
from rebalance_proofs.cli.ending import ENDING
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.evidence.asked import Asked
from rebalance_proofs.proofs.certified.found import Certificate, Certified, to_certify
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.prove import Options, prove
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.recorded.files import Conformance
from rebalance_proofs.report.failures import Required, SelfTest, failures
from rebalance_proofs.report.kinds import family
from rebalance_proofs.report.results import files
from rebalance_proofs.report.results.baseline import Baseline, known
from rebalance_proofs.report.text.english import count
from rebalance_proofs.spark_enum.results import Enumerated

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from rebalance_proofs.spark_enum.bounds import Bounds

# Start Spark early, in a thread, while the last claims are judged and a core is idle.


class Early:
    """Context manager for a Spark session that ``begin`` starts in a thread.

    At the end of the block, the session is stopped. After ``begin``, this process must not fork.
    """

    def __init__(self, master: str, log: Path | None) -> None:
        self._master, self._log = master, log
        self._thread = ThreadPoolExecutor(1)
        self._begun: Future[SparkSession] | None = None
        self._held = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._thread.shutdown()
        with suppress(Exception):  # the JVM ends with the process, or has ended with it
            self._held.close()

    def begin(self) -> None:
        """Start the session in a thread, unless it is already started."""
        self._begun = self._begun or self._thread.submit(self._start)

    def _start(self) -> "SparkSession":
        return self._held.enter_context(self._new())

    def _new(self) -> AbstractContextManager["SparkSession"]:
        # Imported here because PySpark takes long to load, and not every command needs it.
        from rebalance_proofs.spark_enum.session import spark_session

        return spark_session(self._master, self._log)

    @contextmanager
    def session(self) -> Iterator["SparkSession"]:
        """Wait for the session and yield it. The session is stopped at the end of the block.

        Without an earlier ``begin``, the session is started now, in this thread. Then a signal interrupts the start,
        and the JVM ends with this process. Raises the errors of ``spark_session``.
        """
        if self._begun:
            with self._held:
                yield self._begun.result()
        else:
            with self._new() as session:
                yield session


# Expected costs of the steps of a run, in CPU seconds, as measured once on one core.
# They are used to estimate the time left. Only the proportions matter, because ``Remaining`` corrects the speed.
# Measure again when a kind of claims has become much cheaper or more expensive than the others.

COSTS = Path(__file__).with_name("costs.json")
UNKNOWN_COST = 0.3
"""Cost of a claim without a measured cost, in CPU seconds."""


@cache
def _measured() -> Any:
    return json.loads(COSTS.read_text(encoding="utf-8"))


def claim_cost(claim: Claim) -> float:
    """Return the cost of proving or refuting a claim, in CPU seconds.

    An expensive claim has its own cost; other claims have the mean cost of their group. A group has the claims of one
    sort with the same expected verdict, such as ``offsets.proved``.
    """
    return cost(claim.id) or cost(f"{claim.id.partition('.')[0]}.{claim.expected.lower()}") or UNKNOWN_COST


def cost(name: str) -> float:
    """Return the measured cost of a claim or group in CPU seconds; 0 if it was not measured."""
    found: float = _measured()["claims"].get(name) or _measured()["groups"].get(name, 0.0)
    return found


def job_costs(claims: Sequence[Claim], bounds: "Bounds") -> Iterator[float]:
    """Yield the cost of each Spark job of the enumeration in CPU seconds, in order.

    The costs were measured for all claims of a kind. With other bounds or fewer claims, a kind can have another number
    of jobs. Then each job gets the mean of the kind.
    """
    from rebalance_proofs.spark_enum.kinds import KINDS  # loads PySpark

    for name, kind in KINDS.items():
        some = [claim for claim in claims if claim.kind == name]
        if some:
            costs = _measured()["jobs"].get(name, [UNKNOWN_COST])
            mean = sum(costs) / len(costs)
            jobs = kind.jobs(some, bounds)
            yield from (costs[number] if jobs == len(costs) else mean for number in range(jobs))


@dataclass(frozen=True)
class Spark:
    """Settings of the enumeration on Spark."""

    master: str
    bounds: "Bounds"
    solver: str
    """Name of the solver that is compared with the enumeration at every size."""
    output: Path | None
    """The run directory; None if the run has none."""
    keep_tables: bool
    """True to write the enumerated tables to the run directory."""

    @property
    def log(self) -> Path | None:
        """The file for the JVM's messages; None if the run has no directory."""
        return self.output / files.LOG if self.output else None

    @property
    def parquet(self) -> Path | None:
        """The folder for the enumerated tables; None if the tables are not written."""
        return self.output / files.TABLES if self.output and self.keep_tables else None


class Parts(TypedDict):
    """The results of a run, as fields of ``report.run.Run``."""

    claims: tuple[ClaimResult, ...]
    enumerated: Enumerated | None
    conformance: Conformance | None
    self_tests: tuple[SelfTest, ...]
    required: tuple[Required, ...]
    left_out: NotRequired[tuple[str, ...]]
    unfinished: str
    baseline: Baseline | None
    excused: tuple[str, ...]
    certified: Certified | None


@dataclass
class Work:
    """Runs the parts of a run and collects their results.

    If some results are missing, ``unfinished`` is the reason.
    """

    reporter: Reporter
    verbose: bool = True
    """True to print a line for each claim and enumeration, False for each family of claims."""
    baseline: Baseline | None = None
    """An earlier run for comparison; failures that it also has are reported as known."""
    claims: tuple[ClaimResult, ...] = ()
    enumerated: Enumerated | None = None
    conformance: Conformance | None = None
    self_tests: tuple[SelfTest, ...] = ()
    """Results of self-tests.

    The code that compares results gets wrong input, and must report it.
    """
    required: tuple[Required, ...] = ()
    """For each kind of work: the required and the found amount."""
    excused: tuple[str, ...] = ()
    """Names of missing work that is required only for claims that also fail in the baseline."""
    certified: Certified | None = None
    unfinished: str = ""
    told: set[str] = field(default_factory=set)
    """The failures that were already printed."""

    def __post_init__(self) -> None:
        ENDING.keep()

    def conform(self, vectors: Path) -> None:
        """Compare the model with the recorded results of real clients in the folder ``vectors``."""
        from rebalance_proofs.recorded.conform import conform  # loads the clients' code

        try:
            with ENDING.cuts():
                self.conformance = conform(vectors)
        except KeyboardInterrupt:
            self.unfinished = f"{ENDING.how} while comparing recorded results"
            return
        for line in worded.conformance_lines(self.conformance):
            self.reporter.line(line)

    def prove(
        self,
        claims: Sequence[Claim],
        options: Options,
        *,
        stories: bool = False,
        spare: Callable[[], None] = lambda: None,
    ) -> None:
        """Prove or refute the claims with the solvers, and print each result.

        With ``stories``, counterexamples are also printed step by step. ``spare`` is called when a core becomes idle.
        """
        done: dict[str, ClaimResult] = {}
        step = self.reporter.step("proving", len(claims), sum(map(claim_cost, claims)))
        waiting = Counter(map(family, claims))
        self.reporter.begins(f"proving {count(len(claims), 'claim')}")

        def keep(result: ClaimResult) -> None:
            done[result.claim.id] = result
            if self.verbose and result.green:
                self.reporter.line(worded.claim_line(result))
            excused = self.baseline is not None and known(self.baseline, result)
            for failure in failures(result):
                if excused:
                    self.reporter.line(worded.known_line(failure))
                else:
                    self.reporter.judged(worded.bad_line(failure), wrong=True)
                self.told.add(failure)
            for line in worded.story_lines(result) if self.verbose and stories else ():
                self.reporter.line(line)
            kind = family(result.claim)
            waiting[kind] -= 1
            if not (self.verbose or waiting[kind]):
                of_kind = [known for known in done.values() if family(known.claim) == kind]
                self.reporter.line(worded.family_line(kind, of_kind))
            step.advance(claim_cost(result.claim))

        try:
            awaited(lambda: prove(claims, options, keep, spare))
        except KeyboardInterrupt:
            self.unfinished = f"{ENDING.how} after {len(done)} of {len(claims)} claims"
        self.claims = tuple(done[claim.id] for claim in claims if claim.id in done)

    def certify(self, options: Options, folder: Path | None = None, most: int | None = None) -> None:
        """Produce and check a certificate of each formula of the proved claims, and print their number.

        With ``most``, only of as many formulas, drawn at random. With ``folder``, the certificates are written there.
        """
        if self.unfinished:
            return
        found = to_certify(self.claims, most, options.seed)
        if not found.drawn and not folder:
            return
        from rebalance_proofs.proofs.certified import folder as folders
        from rebalance_proofs.proofs.certified.produce import certificates

        self.reporter.begins(f"certifying {count(len(found.drawn), 'formula')}")
        step = self.reporter.step("certifying", len(found.drawn))

        def keep(name: str, certificate: Certificate) -> None:
            found.add(name, certificate)
            if folder and certificate.text:
                folders.write(folder, found.drawn[name], certificate.text)
            step.advance()

        try:
            awaited(lambda: certificates(found.drawn.items(), options, keep))
        except KeyboardInterrupt:
            self.unfinished = f"{ENDING.how} while certifying"
            return
        if folder:
            folders.write_index(folder, found)
        self.certified = found
        for line in lines(found):
            self.reporter.line(line)

    def enumerate(self, claims: Sequence[Claim], spark: Spark, early: Early | None = None) -> None:
        """Enumerate the groups and cases of the claims on Spark, and compare them with the proofs.

        ``early`` is the Spark session if it was started early. Raises ``UsageError`` if Spark cannot start and no claim
        was proved before; otherwise the run is unfinished and keeps the results of the proofs.
        """
        # PySpark takes long to load, and not every command needs it.
        from rebalance_proofs.spark_enum.session import said
        from rebalance_proofs.spark_enum.witness import compare, enumerate_claims, judge

        expected = list(job_costs(claims, spark.bounds))
        left = iter(expected)
        step = self.reporter.step("enumerating", len(expected), sum(expected))

        def keep(found: Enumerated) -> None:
            known = len(self.enumerated.findings) if self.enumerated else 0
            for line in worded.enumerated_lines(found.findings[known:], self.verbose):
                self.reporter.line(line)
            step.advance(next(left))
            self.enumerated = found

        self.reporter.begins(f"enumerating on {spark.master}")
        try:
            with ENDING.cuts(), (early or Early(spark.master, spark.log)).session() as session:
                enumerate_claims(session, claims, spark.bounds, spark.solver, spark.parquet, keep)
        except KeyboardInterrupt:
            self.unfinished = f"{ENDING.how} while enumerating"
        except Exception as error:
            if ENDING.by:  # a hangup also ends the JVM, and stopping the session then fails
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
        """Run the self-tests, and count the work that ``asked`` requires; not after an early end."""
        if self.unfinished:
            return
        try:
            with ENDING.cuts():
                from rebalance_proofs.evidence.gathered import gathered  # loads PySpark
                from rebalance_proofs.evidence.required import lacked_by

                found = gathered(asked, self.claims, self.enumerated, self.conformance)
                self.self_tests, self.required = found
                if self.baseline:
                    those = [result.claim.id for result in self.claims if known(self.baseline, result)]
                    self.excused = lacked_by(asked, self.claims, those)
        except KeyboardInterrupt:
            self.unfinished = f"{ENDING.how} during the self-tests"

    @property
    def parts(self) -> Parts:
        """The results of the run so far, as fields of its record."""
        return {
            "claims": self.claims,
            "enumerated": self.enumerated,
            "conformance": self.conformance,
            "self_tests": self.self_tests,
            "required": self.required,
            "unfinished": self.unfinished,
            "baseline": self.baseline,
            "excused": self.excused,
            "certified": self.certified,
        }
