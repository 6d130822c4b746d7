"""Run and record one scenario, report what was observed, and find a smaller failing scenario."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rebalance_proofs.cli.ending import ENDING
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.recorded.groups.error import RecordingError
from rebalance_proofs.recorded.groups.run import Run, is_recording
from rebalance_proofs.recorded.live.error import LiveError
from rebalance_proofs.recorded.live.run import Setup, run
from rebalance_proofs.recorded.live.scenario import Scenario
from rebalance_proofs.recorded.live.shrink import shrunk
from rebalance_proofs.recorded.live.write import text
from rebalance_proofs.recorded.seen.all import seen
from rebalance_proofs.recorded.seen.history import History
from rebalance_proofs.report.live import told
from rebalance_proofs.report.live.document import of_run
from rebalance_proofs.report.live.explain import explain

TRIED, SHRUNK = "_tried", "_shrunk"
"""Suffixes of names: a smaller scenario that is being tried, and the smallest that failed."""


@dataclass(frozen=True)
class Told:
    """The answer of ``rebalance record`` about one recording."""

    document: dict[str, Any]
    """The answer as JSON values."""
    wrong: frozenset[str]
    """Kinds of observations that fail the command: unexplained ones, and those of ``--never``."""


@dataclass(frozen=True)
class Recorder:
    """Runs scenarios, and reports the observations in their recordings."""

    reporter: Reporter
    never: Sequence[str]
    """Kinds of observations that fail the command even with a known cause."""

    def tell(self, name: str, folder: Path) -> Told:
        """Report the observations in the recording in ``folder``. Raises ``UsageError``."""
        try:
            history = History(Run(folder))
        except RecordingError as error:
            raise UsageError(str(error)) from None
        every = explain(history, seen(history))
        for line in told.lines(name, history, every):
            self.reporter.judged(line, wrong=line.endswith("UNEXPLAINED"))
        unwanted = {told.kind_of(one.fact) for one in every} & set(self.never)
        for kind in sorted(unwanted):
            self.reporter.judged(f"  --never {kind}: observed", wrong=True)
        unexplained = {told.kind_of(one.fact) for one in every if one.unexplained}
        self.reporter.verdict(f"  {told.verdict(every)}", wrong=bool(unexplained))
        return Told(of_run(name, history, every), frozenset(unwanted | unexplained))

    def perform(self, scenario: Scenario, setup: Setup, folder: Path) -> Told:
        """Run and record a scenario, and report the observations.

        A signal ends the scenario's processes in order. Raises ``LiveError`` if the scenario cannot be run, and
        ``UsageError`` if it cannot be recorded.
        """
        self.reporter.line(f"{scenario.name}: {scenario.about}")
        if folder.exists():
            shutil.rmtree(folder)
        ENDING.keep()  # otherwise a signal would end this process at once, and the recording would not be packed
        with ENDING.cuts():
            try:
                folder.parent.mkdir(parents=True, exist_ok=True)
                run(scenario, setup, folder, lambda line: self.reporter.line(f"  {line}"))
                (folder / "scenario.toml").write_text(text(scenario), encoding="utf-8")
            except OSError as error:
                raise UsageError(f"cannot write the recording to {str(folder)!r}: {error.strerror or error}") from error
        return self.tell(scenario.name, folder)

    def shrink(self, scenario: Scenario, setup: Setup, into: Path, wrong: frozenset[str], tries: int) -> None:
        """Run a failed scenario again with fewer steps, up to ``tries`` times.

        The smallest scenario with one of the same failures stays in the folder ``into``. ``wrong`` has the kinds of
        failures.
        """
        tried, best = into / f"{scenario.name}{TRIED}", into / f"{scenario.name}{SHRUNK}"

        def finds(candidate: Scenario) -> bool:
            try:
                again = self.perform(replace(candidate, name=tried.name), setup, tried)
            except LiveError as error:
                self.reporter.line(f"  could not be run: {error}")
                return False
            if not again.wrong & wrong:
                return False
            shutil.rmtree(best, ignore_errors=True)
            tried.rename(best)
            return True

        smallest = shrunk(scenario, finds, tries)
        shutil.rmtree(tried, ignore_errors=True)
        before, after = len(scenario.steps), len(smallest.steps)
        if smallest is scenario:
            self.reporter.line(f"{scenario.name}: no smaller scenario failed in {tries} tries")
        else:
            self.reporter.line(f"{scenario.name}: fails with {after} of {before} steps: {best / 'scenario.toml'}")


def require_free(folder: Path, overwrite: bool) -> None:
    """Raise ``UsageError`` if the folder contains something that a recording may not overwrite."""
    if not folder.exists() and not folder.is_symlink():
        return
    if not overwrite:
        raise UsageError(f"{str(folder)!r} already exists; name another folder with --output, or add --overwrite")
    if folder.is_symlink() or not folder.is_dir() or not (is_recording(folder) or not any(folder.iterdir())):
        raise UsageError(f"{str(folder)!r} is not a recording, so it stays; name another folder with --output")
