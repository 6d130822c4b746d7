"""``python -m rebalance_proofs.report.released.schedules``: record random schedules on released jars, and judge them.

Schedules take turns between the releases and a mixed group, whose members have different releases. Each finished
schedule is a row of the table in ``--file``. Run the command again to continue after an interruption; with ``--judge``,
it records nothing, and judges the recordings again.
"""

import argparse
import json
import os
import shutil
import signal
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, astuple, dataclass, field, replace
from itertools import zip_longest
from pathlib import Path
from types import FrameType
from typing import Any

from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.recorded import __file__ as _recorded
from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.recorded.groups.run import Run
from rebalance_proofs.recorded.live.draw import draw
from rebalance_proofs.recorded.live.read import text as scenario_text
from rebalance_proofs.recorded.live.scenario import Scenario, every
from rebalance_proofs.report.markdown_tables import table as markdown
from rebalance_proofs.report.reality.monitored import monitored
from rebalance_proofs.report.reality.told import helds
from rebalance_proofs.report.released.commands import Commands, Failed, reasons
from rebalance_proofs.report.released.results import PUBLISHED
from rebalance_proofs.report.text.english import count

FILE = Path(_recorded).parent / "schedules.json"
"""The table of this package."""
RELEASES = ("4.9.8", "5.3.3", "5.5.0")
"""Releases by default: the last of 4.9, and two of 5.x."""
MIXED = "mixed"
"""Name of the group whose members have different releases."""
NEAREST = {"4.9.8": "4.9.7", "5.5.1": "5.5.0"}
"""Release -> release of the servers, where Maven's repository has no servers of the release."""
EACH, MIXED_GROUPS, SEED = 30, 10, 1
ROW = "schedule.json"
"""File of a recording with its row, before it is judged."""
INTERRUPTED = 130


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """One row of the table: a random schedule, and the verdicts on its recording."""

    release: str
    """Release of all clients, or ``mixed``."""
    seed: int
    number: int
    servers: str
    """Release of the name server and the broker."""
    clients: tuple[str, ...] = ()
    """Releases of the members of a mixed group."""
    steps: tuple[str, ...] = ()
    """Names of the scenario's steps."""
    load: tuple[float, float] = (0.0, 0.0)
    """The machine's load (average of one minute) before and after the recording."""
    ms: int = 0
    """Duration of the recording in ms."""
    events: int = 0
    rejected: Mapping[str, int] = field(default_factory=dict)
    """Machine -> number of events that it rejects; empty if all machines accept the recording."""
    unexplained: int = 0
    """Number of observed problems without a known cause."""
    reason: str = ""
    """First rejected event of each machine, and first unexplained problem of each kind."""
    first: Mapping[str, int] | None = None
    """``rejected`` as first judged, by a checker that had not seen the recording; None before that."""
    contradicted: Mapping[str, int] | None = None
    """Proved claim -> number of events by which a monitor saw it contradicted; None if monitors did not examine it."""

    @property
    def name(self) -> str:
        """Name of the schedule's scenario, which also names the recording's folder."""
        return f"random_{self.seed}_{self.number}"

    @property
    def wrong(self) -> bool:
        """Whether the recording is rejected, has an unexplained problem, or contradicts a proved claim."""
        return bool(self.rejected or self.unexplained or self.contradicted)

    @property
    def key(self) -> tuple[str, int, int]:
        """The values that identify the row."""
        return self.release, self.seed, self.number

    @property
    def scenario(self) -> Scenario:
        """The scenario that is run."""
        return draw(self.seed, self.number, self.clients)


def _parsed(row: Mapping[str, Any]) -> Schedule:
    """Return a row of JSON values. Raises ``TypeError`` for unknown fields."""
    made: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
    return Schedule(**made)


def _row(path: Path) -> Schedule:
    return _parsed(json.loads(path.read_text(encoding="utf-8")))


@dataclass(frozen=True)
class Score:
    """Verdicts on some schedules, together."""

    schedules: int
    minutes: int
    events: int
    first: int
    """Number of schedules that all machines accepted when they were first judged."""
    accepted: int
    """Number of schedules that all machines accept."""
    unexplained: int
    examined: int
    """Number of schedules that monitors have examined."""
    contradicted: int
    """Number of events by which monitors saw a proved claim contradicted."""

    @classmethod
    def of(cls, rows: Sequence[Schedule]) -> "Score":
        """Count the verdicts of some rows."""
        first = (row.rejected if row.first is None else row.first for row in rows)
        return cls(
            len(rows),
            round(sum(row.ms for row in rows) / 60_000),
            sum(row.events for row in rows),
            sum(not rejected for rejected in first),
            sum(not row.rejected for row in rows),
            sum(row.unexplained for row in rows),
            sum(row.contradicted is not None for row in rows),
            sum(sum((row.contradicted or {}).values()) for row in rows),
        )


@dataclass
class Table:
    """The file with the rows of all finished schedules."""

    file: Path
    rows: dict[tuple[str, int, int], Schedule] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Read the file, if there is one. Raises ``UsageError``."""
        try:
            found = json.loads(self.file.read_text(encoding="utf-8")) if self.file.exists() else []
            for row in found:
                one = _parsed(row)
                self.rows[one.key] = one
        except OSError as error:
            raise UsageError(f"cannot read {str(self.file)!r}: {error.strerror}") from error
        except (ValueError, TypeError, AttributeError) as error:
            raise UsageError(f"{str(self.file)!r} is not a table of schedules: {error}") from None

    def keep(self, row: Schedule) -> None:
        """Add or replace a row, and write the file as a whole."""
        self.rows[row.key] = row
        self.file.parent.mkdir(parents=True, exist_ok=True)
        lines = ",\n".join(json.dumps(asdict(each)) for each in self.rows.values())
        whole = self.file.with_name(f".{self.file.name}.new")
        whole.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
        whole.replace(self.file)

    def summary(self) -> Iterator[str]:
        """Yield one line for each release: schedules, accepted ones, and unexplained problems."""
        for release in dict.fromkeys(row.release for row in self.rows.values()):
            mine = [row for row in self.rows.values() if row.release == release]
            one = Score.of(mine)
            yield f"{release}: {count(len(mine), 'schedule')}, {one.accepted} accepted, {one.unexplained} UNEXPLAINED"


HEAD = """\
# Random schedules

Each schedule is a random scenario of joins, crashes, pauses, partitions, resets and restarts. It runs on released jars
of RocketMQ. The trace checker judges the recording, and `rebalance record --read` names the cause of each observed
problem. `python -m rebalance_proofs.report.released.schedules` records and judges schedules; with `--page`, it
generates this page.

- **first accepted**: schedules that all machines accepted when they were first judged. The checker had not seen them.
- **accepted**: schedules that all machines accept now, after repairs of the checker.
- **UNEXPLAINED**: observed problems without a known cause.
- **examined**: schedules whose recordings were kept, so that the [monitors](reality.md) of claims could examine them.
- **contradictions**: events in these recordings by which a monitor sees a proved claim contradicted now.

"""
SEEDS = """\
Schedules with one seed were recorded one after another. Repairs of the checker for one seed come before the first
judgement of the next, unless both were recorded at the same time.

"""
COLUMNS = (
    *("schedules", "minutes", "events", "first accepted", "accepted", "UNEXPLAINED", "examined", "contradictions"),
)


def page(of: Table) -> str:
    """Return the page about the schedules of a table."""
    rows = list(of.rows.values())
    releases = sorted({row.release for row in rows})
    by_release = {release: [row for row in rows if row.release == release] for release in releases}
    by_seed = {str(seed): [row for row in rows if row.seed == seed] for seed in sorted({row.seed for row in rows})}
    text = f"{HEAD}{_scores('clients', {**by_release, 'all': rows})}\n\n{SEEDS}{_scores('seed', by_seed)}\n"
    wrong = [row for row in rows if row.wrong]
    reasons_ = (f"- {row.release}, {row.name}: {row.reason}\n" for row in wrong)
    return text + ("\n## Not accepted, unexplained, or contradicting a claim\n\n" + "".join(reasons_) if wrong else "")


def _scores(name: str, of: Mapping[str, Sequence[Schedule]]) -> str:
    """Return a table with the scores of several sets of schedules."""
    cells = ((one, *(f"{value:,}" for value in astuple(Score.of(rows)))) for one, rows in of.items())
    return markdown((name, *COLUMNS), cells)


def planned(releases: Sequence[str], seed: int, each: int, mixed: int) -> Iterator[Schedule]:
    """Yield all schedules; releases and mixed groups take turns, so that an interrupted plan has some of each."""
    of_releases = [
        [Schedule(release=release, seed=seed, number=number, servers=servers_of(release)) for number in numbers]
        for place, release in enumerate(releases)
        for numbers in [range(place * each + 1, (place + 1) * each + 1)]
    ]
    first = len(releases) * each + 1
    of_mixed = [
        Schedule(
            release=MIXED,
            seed=seed,
            number=number,
            servers=servers_of(releases[number % len(releases)]),
            clients=tuple(releases),
        )
        for number in range(first, first + mixed)
    ]
    for turn in zip_longest(*of_releases, of_mixed):
        yield from (one for one in turn if one)


def servers_of(release: str) -> str:
    """Return the release of the servers for a client's release."""
    return NEAREST.get(release, release)


def contradicted(folder: Path, release: str) -> dict[str, int]:
    """Return the proved claims that monitors see contradicted in a recording, with the number of events.

    ``release``: the release of members whose files do not name it.
    """
    found = Counter[str]()
    for one in helds(monitored(Trace.read(Run(folder), release))):
        found[one.claim] += one.against
    return {claim: times for claim, times in sorted(found.items()) if times}


@dataclass
class Runner:
    """Records and judges schedules, one at a time."""

    table: Table
    recordings: Path
    """Folder for the recordings: ``RELEASE/random_SEED_NUMBER``."""
    commands: Commands
    judge: bool = False
    """True if recordings are judged again, and none is made."""

    def folder(self, of: Schedule) -> Path:
        """Return the folder of the schedule's recording."""
        return self.recordings / of.release / of.name

    def is_recorded(self, of: Schedule) -> bool:
        """Return True if there is a complete recording of the same scenario."""
        try:
            found = (self.folder(of) / "scenario.toml").read_text(encoding="utf-8")
        except OSError:
            return False
        complete = (self.folder(of) / ROW).is_file()
        return complete and (self.judge or found == scenario_text(of.scenario))

    def record(self, of: Schedule) -> Schedule | None:
        """Record a schedule, and return it to be judged; None if there is nothing to do. Raises ``Failed``."""
        known = self.table.rows.get(of.key)
        if self.judge:
            return known if known and self.is_recorded(known) else None
        if known:
            return None
        return _row(self.folder(of) / ROW) if self.is_recorded(of) else self._recorded(of)

    def _recorded(self, of: Schedule) -> Schedule:
        into = self.recordings / "new"
        scenario = of.scenario
        file = into / f"{scenario.name}.toml"
        into.mkdir(parents=True, exist_ok=True)
        file.write_text(scenario_text(scenario), encoding="utf-8")
        before = os.getloadavg()[0]
        client = of.clients[0] if of.clients else of.release
        jars = ["--release", client, "--broker-release", of.servers]
        self.commands.answer("record", "--scenario", str(file), "--output", str(into), "--overwrite", *jars)
        made = next(into.glob(f"java-*/{scenario.name}"), None)
        if made is None:
            raise Failed("there is no complete recording")
        shutil.rmtree(self.folder(of), ignore_errors=True)
        self.folder(of).parent.mkdir(parents=True, exist_ok=True)
        made.rename(self.folder(of))
        file.unlink()
        done = tuple(dict.fromkeys(step.do for step in every(scenario.steps)))
        row = replace(of, steps=done, load=(round(before, 1), round(os.getloadavg()[0], 1)))
        (self.folder(of) / ROW).write_text(json.dumps(asdict(row)), encoding="utf-8")
        return row

    def judged(self, of: Schedule) -> Schedule:
        """Judge the recording of a schedule, and write its row. Raises ``Failed``."""
        folder = str(self.folder(of))
        trace = self.commands.answer("conform", "--cluster", folder, "--jobs", "1")["traces"][0]
        run = self.commands.answer("record", "--read", folder)["runs"][0]
        rejected = {each["machine"]: len(each["rejected"]) for each in trace["machines"] if each["rejected"]}
        known = self.table.rows.get(of.key)
        first = rejected if known is None else known.rejected if known.first is None else known.first
        against = contradicted(self.folder(of), of.clients[0] if of.clients else of.release)
        told = (f"{claim} is contradicted {count(times, 'time')}" for claim, times in against.items())
        row = replace(
            of,
            first=first,
            ms=run["ms"],
            events=trace["events"],
            rejected=rejected,
            unexplained=run["unexplained"],
            contradicted=against,
            reason="; ".join((*reasons(trace, run), *told)),
        )
        self.table.keep(row)
        return row


def main(arguments: Sequence[str] | None = None) -> int:
    """Record and judge the schedules of the command line; return 1 if one is rejected or could not be recorded."""
    parser = argparse.ArgumentParser(
        "python -m rebalance_proofs.report.released.schedules",
        description="Record random schedules on released RocketMQ jars, and judge the recordings.",
    )
    parser.add_argument("--release", action="append", dest="releases", metavar="RELEASE", help="may be repeated")
    parser.add_argument("--each", type=int, default=EACH, metavar="N", help=f"schedules of each release ({EACH})")
    parser.add_argument(
        "--mixed", type=int, default=MIXED_GROUPS, metavar="N", help=f"schedules of mixed groups ({MIXED_GROUPS})"
    )
    parser.add_argument("--seed", type=int, default=SEED, metavar="N", help=f"seed of all schedules ({SEED})")
    parser.add_argument("--recordings", type=Path, default=Path("runs/schedules"), metavar="DIR")
    parser.add_argument("--file", type=Path, metavar="FILE", help="the table (schedules.json in --recordings)")
    parser.add_argument("--judge", action="store_true", help="record nothing, judge the recordings again")
    parser.add_argument("--page", action="store_true", help="print the page of the table in --file")
    asked = parser.parse_args(arguments)
    for word in asked.releases or ():
        if word not in PUBLISHED:
            parser.error(f"{word!r} is not a release of RocketMQ from {PUBLISHED[0]} to {PUBLISHED[-1]}")
    if min(asked.each, asked.mixed, asked.seed) < 0:
        parser.error("--each, --mixed and --seed need numbers from 0 on")
    try:
        table = Table(asked.file or (FILE if asked.page else asked.recordings / FILE.name))
    except UsageError as error:
        parser.error(str(error))
    if asked.page:
        sys.stdout.write(page(table))
        return 0
    runner = Runner(table, asked.recordings, Commands(), asked.judge)
    plan = planned(asked.releases or RELEASES, asked.seed, asked.each, asked.mixed)
    return _run(runner, list(table.rows.values()) if asked.judge else plan)


def _run(runner: Runner, plan: Iterable[Schedule]) -> int:
    """Record one schedule after another; a recording is judged while the next one is made."""
    signal.signal(signal.SIGTERM, _interrupt)
    judges = ThreadPoolExecutor(1)
    wrong = False
    waiting: list[Future[bool]] = []
    try:
        for one in plan:
            try:
                made = runner.record(one)
            except Failed as error:
                print(f"{one.release} {one.name}: could not be recorded: {error}", flush=True)
                wrong = True
                continue
            if made:
                waiting.append(judges.submit(_judge, runner, made))
        right = [each.result() for each in waiting]
        wrong = wrong or not all(right)
    except KeyboardInterrupt:
        runner.commands.end()
        judges.shutdown(cancel_futures=True)  # what is being judged is told first
        print("Interrupted. Run the same command to continue.", flush=True)
        return INTERRUPTED
    finally:
        judges.shutdown(cancel_futures=True)
    for line in runner.table.summary():
        print(line, flush=True)
    return int(wrong)


def _judge(runner: Runner, of: Schedule) -> bool:
    """Return True if the recording is accepted, and every problem is explained."""
    try:
        row = runner.judged(of)
    except Failed as error:
        print(f"{of.release} {of.name}: could not be judged: {error}", flush=True)
        return False
    print(f"{row.release} {row.name}: {_told(row)}", flush=True)
    return not (row.rejected or row.unexplained or row.contradicted)


def _told(of: Schedule) -> str:
    verdict = f"REJECTED by {', '.join(of.rejected)}" if of.rejected else "accepted"
    problems = f"{count(of.unexplained, 'problem')} UNEXPLAINED" if of.unexplained else "every problem explained"
    told = f"{of.ms / 1000:.0f} s, {count(of.events, 'event')}, {verdict}, {problems}"
    return told + (f" ({of.reason})" if of.reason else "")


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    raise SystemExit(main())
