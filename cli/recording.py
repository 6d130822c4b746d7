"""What ``rebalance record`` does with one scenario: performing it, telling what was seen, and making it smaller."""

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
"""Ends of the names of scenarios that were made smaller: the one that is tried, and the smallest."""


@dataclass(frozen=True)
class Told:
    """What was told of one recording."""

    document: dict[str, Any]
    wrong: frozenset[str]
    """The kinds of what is unexplained, or is not to be seen."""


@dataclass(frozen=True)
class Recorder:
    """Performs scenarios, and tells what was seen."""

    reporter: Reporter
    never: Sequence[str]
    """The kinds of what is not to be seen, also with a known cause."""

    def tell(self, name: str, folder: Path) -> Told:
        """Tell what was seen in a recording. Raises ``UsageError``."""
        try:
            history = History(Run(folder))
        except RecordingError as error:
            raise UsageError(str(error)) from None
        every = explain(history, seen(history))
        for line in told.lines(name, history, every):
            self.reporter.judged(line, wrong=line.endswith("UNEXPLAINED"))
        unwanted = {told.kind_of(one.fact) for one in every} & set(self.never)
        for kind in sorted(unwanted):
            self.reporter.judged(f"  --never {kind}: it was seen", wrong=True)
        unexplained = {told.kind_of(one.fact) for one in every if one.unexplained}
        self.reporter.verdict(f"  {told.verdict(every)}", wrong=bool(unexplained))
        return Told(of_run(name, history, every), frozenset(unwanted | unexplained))

    def perform(self, scenario: Scenario, setup: Setup, folder: Path) -> Told:
        """Perform a scenario, record it, and tell what was seen. Raises ``LiveError``; a signal ends it in order."""
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
        """Perform it with fewer steps as long as one of the same kinds is seen; the smallest stays in ``into``."""
        tried, best = into / f"{scenario.name}{TRIED}", into / f"{scenario.name}{SHRUNK}"

        def finds(candidate: Scenario) -> bool:
            try:
                again = self.perform(replace(candidate, name=tried.name), setup, tried)
            except LiveError as error:
                self.reporter.line(f"  not performed: {error}")
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
            self.reporter.line(f"{scenario.name}: nothing smaller showed it in {tries} tries")
        else:
            self.reporter.line(f"{scenario.name}: shown with {after} of {before} steps: {best / 'scenario.toml'}")


def require_free(folder: Path, overwrite: bool) -> None:
    """Raises ``UsageError`` where a recording would replace something that it must not."""
    if not folder.exists() and not folder.is_symlink():
        return
    if not overwrite:
        raise UsageError(f"{str(folder)!r} is there already: name another folder with --output, or add --overwrite")
    if folder.is_symlink() or not folder.is_dir() or not (is_recording(folder) or not any(folder.iterdir())):
        raise UsageError(f"{str(folder)!r} is no recording, and is not replaced: name another folder with --output")
