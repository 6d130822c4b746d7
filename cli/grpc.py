"""``rebalance record`` for groups with gRPC members."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rebalance_proofs.cli.ending import ENDING
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.model.machines.receiving import CLIENTS
from rebalance_proofs.model.own.java.classpath import NoJava, find_java
from rebalance_proofs.model.receiving.sdks import PushConsumer
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.recorded.groups.record import RecordingError
from rebalance_proofs.recorded.grpc.check import checked, lines
from rebalance_proofs.recorded.grpc.document import of_run
from rebalance_proofs.recorded.grpc.events import is_grpc, load
from rebalance_proofs.recorded.grpc.run import OLDEST, Setup, run, setup
from rebalance_proofs.recorded.grpc.scenarios import SCENARIOS, Scenario
from rebalance_proofs.recorded.live.error import LiveError
from rebalance_proofs.report.index.entries import entry
from rebalance_proofs.report.text.english import count

MOST = 3
"""Largest number of steps that are printed because the model excludes them."""


def taken(names: Sequence[str]) -> tuple[list[Scenario], list[str]]:
    """Return the scenarios with gRPC members, and the names of other scenarios."""
    return [SCENARIOS[name] for name in names if name in SCENARIOS], [name for name in names if name not in SCENARIOS]


def ready(scenarios: Sequence[Scenario], release: str | None, others: Mapping[str, object]) -> Setup:
    """Find Java, and download the releases. ``others``: options that do not concern gRPC. Raises ``UsageError``."""
    given = [name for name, value in others.items() if value]
    if given:
        raise UsageError(f"{scenarios[0].name} has gRPC members, which {given[0]} does not concern; leave it out")
    if release is None:
        raise UsageError(f"{scenarios[0].name} needs --release VERSION, such as 5.5.0, the release of proxy and broker")
    try:
        return setup(find_java(OLDEST).path, release, "--release", list(scenarios))
    except NoJava as error:
        raise UsageError(f"record {error}") from None
    except LiveError as error:
        raise UsageError(str(error)) from None


def perform(reporter: Reporter, scenario: Scenario, using: Setup, folder: Path) -> tuple[dict[str, Any], bool]:
    """Run, record and check a scenario. Raises ``LiveError``, and ``UsageError`` if it cannot be recorded."""
    reporter.line(f"{scenario.name}: {scenario.about}")
    if folder.exists():
        shutil.rmtree(folder)
    ENDING.keep()  # otherwise a signal would end this process at once, and the recording would not be packed
    with ENDING.cuts():
        try:
            run(scenario, using, folder, lambda line: reporter.line(f"  {line}"))
        except OSError as error:
            raise UsageError(f"cannot write the recording to {str(folder)!r}: {error.strerror or error}") from error
    return tell(reporter, scenario.name, folder)


def concerns(folder: Path) -> bool:
    """Return True for a recording with gRPC members. Raises ``UsageError``."""
    try:
        return is_grpc(folder)
    except RecordingError as error:
        raise UsageError(str(error)) from None


def _faults() -> dict[type[PushConsumer], str]:
    """Return the models whose queues can have two receive loops, each with the id of its refuted claim."""
    found = {one.made: entry(f"receiving.{one.name}.one-loop") for one in CLIENTS}
    return {model: one.id for model, one in found.items() if one.expected == "REFUTED"}


def tell(reporter: Reporter, name: str, folder: Path) -> tuple[dict[str, Any], bool]:
    """Report what a recording shows; return the JSON, and whether the model excludes a step. Raises ``UsageError``."""
    try:
        found = checked(load(folder))
    except RecordingError as error:
        raise UsageError(str(error)) from None
    for line in lines(name, found, _faults()):
        reporter.line(line)
    for problem in found.problems[:MOST]:
        reporter.judged(f"  BAD {problem}", wrong=True)
    wrong = bool(found.problems)
    said = f"{count(len(found.problems), 'event')} that the model excludes" if wrong else "Every step is the model's"
    reporter.verdict(f"  {said}", wrong=wrong)
    return of_run(name, found), wrong
