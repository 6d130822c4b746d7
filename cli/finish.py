"""The end of a run: write the run directory, print the last lines, return the exit status."""

import platform
import shlex
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Unpack

import click

from rebalance_proofs.cli import worded
from rebalance_proofs.cli.encoded import encoded
from rebalance_proofs.cli.ending import ENDING
from rebalance_proofs.cli.params import File
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.cli.work import Parts
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.solvers import SOLVERS
from rebalance_proofs.report.results import directory
from rebalance_proofs.report.results.baseline import Baseline, fitting, read
from rebalance_proofs.report.results.run import Run
from rebalance_proofs.version import version as own_version

Option = str | int | float | bool


@dataclass
class Clock:
    """The start time of the command, and the time since then."""

    started: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    _start: float = field(default_factory=perf_counter)

    @property
    def seconds(self) -> float:
        """Time since the start, in s."""
        return perf_counter() - self._start


def record(clock: Clock, options: Mapping[str, Option], **parts: Unpack[Parts]) -> Run:
    """Return the record of the run: its results, options, program versions and command line."""
    versions = {
        "rebalance-proofs": own_version(),
        "python": platform.python_version(),
        **{name: solver.version() for name, solver in SOLVERS.items()},
        **{name: version(name) for name in ("numpy", "pyarrow", "pyspark")},
    }
    if parts.get("enumerated"):
        from rebalance_proofs.spark_enum.preflight import require_java

        versions["java"] = require_java()
    typed = shlex.join(["rebalance", *click.get_current_context().find_root().obj])
    return Run(typed, clock.started, clock.seconds, versions, dict(options), **parts)


def finish(run: Run, output: Path | None, as_json: bool, reporter: Reporter, told: Container[str] = ()) -> int:
    """Write the run directory, print the last lines, and return the exit status.

    Exit status: 0 as expected, 1 not as expected, 2 incomplete. ``told`` has failures that were printed before; they
    are not repeated.
    """
    if output:
        directory.write(run, output)
    ENDING.release()
    *lines, last = worded.closing_lines(run, told)
    for line in lines:
        reporter.line(line)
    # Checked again here: a run that swallows failures would also swallow this one.
    unnoticed = () if run.exit_status else tuple(test for test in run.self_tests if not test.noticed)
    for test in unnoticed:
        reporter.judged(f"BAD the run ignored its failed self-test {test.name!r}: {test.said}", wrong=True)
    status = run.exit_status or int(bool(unnoticed))
    reporter.verdict(last, wrong=bool(status))
    if output:
        reporter.line(f"report: {output / 'report.html'}")
    if as_json:
        from rebalance_proofs.report.results import json_results  # loads all strategies, for their names

        print(encoded(json_results.to_json(run)))
    return status


# The option ``--baseline``, which compares a run with an earlier run.

baseline_option = click.option(
    "--baseline",
    type=File("name the results.json of an earlier run"),
    metavar="FILE",
    help="Compare with FILE, the results.json of an earlier run with the same bounds and solvers. Only results that "
    "became worse fail (status 1). Failures that FILE has too are reported as known.",
)
"""The option ``--baseline``."""


def opened(path: Path | None, options: Mapping[str, Option], claims: Sequence[Claim]) -> Baseline | None:
    """Return the earlier run that ``--baseline`` names; None without the option.

    Call this before the run directory is emptied, because that directory may contain the file. Raises ``UsageError``
    if the file cannot be read, or cannot be compared with a run with these options and claims.
    """
    if path is None:
        return None
    found = read(path)
    fitting(found, options, [claim.id for claim in claims])
    return found
