"""Measure releases: resolve their jars, compare their classes, record and judge scenarios; keep what is done."""

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from rebalance_proofs.recorded.groups.names import numbers
from rebalance_proofs.recorded.live.artifacts import PARTS, NotServed, jars, released
from rebalance_proofs.recorded.live.read import own
from rebalance_proofs.recorded.live.read import text as scenario_text
from rebalance_proofs.report.released import commands
from rebalance_proofs.report.released.commands import Commands, Failed
from rebalance_proofs.report.released.results import (
    ARTIFACT,
    NOT_SERVED,
    PUBLISHED,
    Performed,
    Released,
    line_of,
    read,
    text,
)
from rebalance_proofs.report.text.english import count


@dataclass(frozen=True)
class Step:
    """One step of measuring a release; ``do`` returns the line to print and True if all is as the model has it."""

    name: str
    do: Callable[[], tuple[str, bool]]


@dataclass
class Measure:
    """Measures releases, and writes each finished step's result to the file of results."""

    file: Path
    recordings: Path
    """Folder for the recordings: ``java-RELEASE/SCENARIO``."""
    scenarios: Sequence[str]
    again: bool = False
    """True if finished steps are done again."""
    judge: bool = False
    """True if only finished recordings are judged, and none is made."""
    isolated: bool = False
    """True if each scenario has a network namespace of its own."""
    commands: Commands = field(default_factory=Commands)

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self.results = read(self.file) if self.file.exists() else {}

    def _keep(self, release: str, **changes: Any) -> None:
        """Change a release's results, and write the file as a whole."""
        with self._lock:
            self.results[release] = replace(self.results.get(release, Released(release=release)), **changes)
            whole = self.file.with_name(f".{self.file.name}.new")
            whole.write_text(text(self.results.values()), encoding="utf-8")
            whole.replace(self.file)

    def resolve(self, release: str) -> Released:
        """Return what is known of a release after finding, or downloading, its jars.

        What Maven's repository did not have is not asked for again, except with ``again``. Raises ``LiveError``.
        """
        known = self.results.get(release)
        if known and not self.again and known.client == NOT_SERVED:
            return known
        lacks = bool(known and known.servers == NOT_SERVED and not self.again)
        found: dict[str, Any] = {"client": ARTIFACT, "servers": NOT_SERVED if lacks else ARTIFACT}
        try:
            folder = released(release, "--release", servers=not lacks)
        except NotServed as error:
            found |= {"servers": NOT_SERVED, "reason": _missing(error)}
            try:
                folder = released(release, "--release", servers=False)
            except NotServed as of_client:
                self._keep(release, client=NOT_SERVED, servers=NOT_SERVED, reason=_missing(of_client, error))
                return self.results[release]
        self._keep(release, jar=jars(folder, release, PARTS[:1])[0], **found)
        return self.results[release]

    def servers_for(self, release: str) -> str | None:
        """Return the release of the servers: the release itself, or the nearest one of its line that has servers.

        None if no release of the line has servers. Raises ``LiveError``.
        """
        line = [one for one in PUBLISHED if line_of(one) == line_of(release)]
        patch = numbers(release)[-1]
        for one in sorted(line, key=lambda other: (abs(numbers(other)[-1] - patch), -numbers(other)[-1])):
            if self.resolve(one).servers == ARTIFACT:
                return one
        return None

    def steps(self, release: str) -> Iterator[Step]:
        """Yield the steps of a release that are not done yet. Raises ``LiveError``."""
        known = self.resolve(release)
        if known.client == NOT_SERVED:
            return
        folder = released(release, "--release", servers=known.servers == ARTIFACT)
        if self.again or any(getattr(known, field) is None for field in commands.FIELDS):
            yield Step(f"{release} classes", partial(self._compare, release, folder))
        done = {one.name for one in known.scenarios}
        missing = [name for name in self.scenarios if self.again or name not in done]
        servers = self.servers_for(release) if missing else None
        for name in missing if servers else ():
            if self.judge and not self._is_recorded(release, name):
                continue
            yield Step(f"{release} {name}", partial(self._perform, release, str(servers), name))

    def _compare(self, release: str, folder: Path) -> tuple[str, bool]:
        found = commands.classes(self.commands, folder, release)
        self._keep(release, **found)
        differ = sum(each.differ for each in found.values())
        return f"{count(sum(each.calls for each in found.values()), 'call')}, {differ or 'none'} differ", not differ

    def _is_recorded(self, release: str, name: str) -> bool:
        """Return True if there is a complete recording of the same scenario."""
        try:
            found = (self.recordings / f"java-{release}" / name / "scenario.toml").read_text(encoding="utf-8")
        except OSError:
            return False
        return found == scenario_text(own(name))

    def _perform(self, release: str, servers: str, name: str) -> tuple[str, bool]:
        folder = self.recordings / f"java-{release}" / name
        if (self.again and not self.judge) or not self._is_recorded(release, name):
            words = ["record", name, "--release", release, "--output", str(self.recordings), "--overwrite"]
            self.commands.answer(
                *words, *(["--broker-release", servers] if servers != release else []), isolated=self.isolated
            )
            if not self._is_recorded(release, name):
                raise Failed(f"there is no complete recording in {folder}")
        found = commands.judged(self.commands, folder, servers)
        with self._lock:
            others = tuple(one for one in self.results[release].scenarios if one.name != name)
        self._keep(release, scenarios=(*others, found))
        return _told(found), found.accepted and not found.unexplained


def _told(of: Performed) -> str:
    verdict = "accepted" if of.accepted else "NOT ACCEPTED"
    problems = f"{count(of.unexplained, 'problem')} UNEXPLAINED" if of.unexplained else "every problem explained"
    return f"{count(of.steps, 'event')}, {verdict}, {problems}" + (f" ({of.reason})" if of.reason else "")


def _missing(*errors: NotServed) -> str:
    return f"Maven's repository does not have {', '.join(sorted({name for one in errors for name in one.missing}))}"
