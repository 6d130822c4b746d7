"""``rebalance record``: run scenarios with the user's RocketMQ, and check what happens."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from rebalance_proofs import ranges
from rebalance_proofs.cli import grpc
from rebalance_proofs.cli.encoded import encoded
from rebalance_proofs.cli.ending import ENDING
from rebalance_proofs.cli.epilogs import STATUS
from rebalance_proofs.cli.options import drawn
from rebalance_proofs.cli.params import File, Folder, Whole
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.model.own.java.classpath import Java, NoJava, find_java
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.recorded.groups.record import RecordingError
from rebalance_proofs.recorded.groups.run import Run, is_recording
from rebalance_proofs.recorded.grpc.scenarios import SCENARIOS
from rebalance_proofs.recorded.live.distribution import (
    CLIENT,
    DOWNLOAD,
    SERVERS,
    Distribution,
    distribution,
    of_release,
)
from rebalance_proofs.recorded.live.draw import draw
from rebalance_proofs.recorded.live.error import LiveError
from rebalance_proofs.recorded.live.read import load, names, own, text
from rebalance_proofs.recorded.live.run import Setup, run, shrunk
from rebalance_proofs.recorded.live.scenario import Scenario
from rebalance_proofs.recorded.seen.all import seen
from rebalance_proofs.recorded.seen.history import History
from rebalance_proofs.report.live import told
from rebalance_proofs.report.live.explain import explain
from rebalance_proofs.report.live.told import document, of_run
from rebalance_proofs.report.text.english import count

# Run and record one scenario, report what was observed, and find a smaller failing scenario.

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
        if grpc.concerns(folder):
            if self.never:
                raise UsageError(f"--never does not concern gRPC members, which {str(folder)!r} has; leave it out")
            document, wrong = grpc.tell(self.reporter, name, folder)
            return Told(document, frozenset({"excluded"} if wrong else ()))
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


OLDEST = 8
"""Oldest Java version that can run the recorder."""
MOST = 1000
"""Largest number of random scenarios, and of attempts to find a smaller failing scenario."""
DEFAULT = Path("runs/record")
"""Default folder for recordings."""


@click.command(epilog=STATUS)
@click.argument("scenarios", nargs=-1, metavar="[SCENARIO]...")
@click.option(
    "--classpath",
    metavar="JARS",
    help="RocketMQ's lib folder, or jars in the form of java -cp. @FILE reads the classpath from a file.",
)
@click.option(
    "--broker-classpath",
    metavar="JARS",
    show_default="--classpath",
    help="Jars of another RocketMQ version for the broker and the name server.",
)
@click.option(
    "--release",
    metavar="VERSION",
    help="A RocketMQ release, such as 5.5.0, instead of --classpath. Maven downloads its jars into a cache folder.",
)
@click.option(
    "--broker-release",
    metavar="VERSION",
    show_default="--release",
    help="Another release for the broker and the name server.",
)
@click.option(
    "--member-release",
    "of_members",
    multiple=True,
    metavar="NAME=VERSION",
    help="Another client release for one member of the scenario: c1=4.9.8. Repeat the option for more members.",
)
@click.option(
    "--scenario",
    "files",
    multiple=True,
    type=File(),
    metavar="FILE",
    help="Run your own scenario from a TOML file. Repeat the option for more files.",
)
@click.option("--random", "draws", type=Whole(1, MOST), metavar="N", help="Run N random scenarios.")
@click.option("--seed", type=Whole(*ranges.SEED), metavar="N", show_default="random", help="Random seed for --random.")
@click.option(
    "--read",
    "folders",
    multiple=True,
    type=Folder("name the folder of a recording"),
    metavar="DIR",
    help="Check an earlier recording in DIR. Repeat the option for more recordings.",
)
@click.option(
    "--never",
    type=click.Choice(list(told.KINDS)),
    multiple=True,
    help="Fail (status 1) if this is observed, even with a known cause. Repeat the option for more kinds.",
)
@click.option(
    "--shrink",
    type=Whole(1, MOST),
    metavar="N",
    help="Run a failed scenario again up to N times, each time with fewer steps, and keep the smallest one that still "
    "fails.",
)
@click.option(
    "--output",
    type=Folder("name a folder for the recordings"),
    metavar="DIR",
    show_default=str(DEFAULT),
    help="Write the recordings to DIR.",
)
@click.option("--overwrite", is_flag=True, help="Replace recordings of the same scenarios in DIR.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
def record(
    scenarios: tuple[str, ...],
    classpath: str | None,
    broker_classpath: str | None,
    release: str | None,
    broker_release: str | None,
    of_members: tuple[str, ...],
    files: tuple[Path, ...],
    draws: int | None,
    seed: int | None,
    folders: tuple[Path, ...],
    never: tuple[str, ...],
    shrink: int | None,
    output: Path | None,
    overwrite: bool,
    as_json: bool,
) -> int:
    """Run scenarios on your own RocketMQ, and check what happens.

    A scenario starts a name server, brokers and one process for each consumer on the loopback interface, and ends all
    of them. The answer lists messages that were redelivered or never delivered, overlapping calls of ordered
    listeners, pauses and offset rollbacks. Each has its known cause, or is UNEXPLAINED, which fails the command. In
    JSON, times are in milliseconds.

    Scenarios whose names begin with grpc_ run gRPC clients behind a proxy, and need --release. The answer lists their
    receive loops, and events that the model of the client excludes.

    Without arguments, the command lists the scenarios. With --read, it checks earlier recordings.

    \b
    Examples:
      rebalance record join_leave --release 5.5.0
      rebalance record join_leave ordered_short --classpath rocketmq/lib
      rebalance record --random 3 --seed 7 --classpath rocketmq/lib
      rebalance record --read runs/record/java-5.3.3/join_leave
    """
    if seed is not None and draws is None:
        raise UsageError("--seed needs --random N, the number of random scenarios")
    with_grpc, plain = grpc.taken(scenarios)
    try:
        chosen = [*map(own, plain), *map(load, files)]
        if not (chosen or with_grpc or draws or folders):
            return _list(as_json)
        if draws:
            first = drawn(seed)
            chosen += [draw(first, number) for number in range(1, draws + 1)]
        _require_distinct([*(one.name for one in chosen), *(one.name for one in with_grpc)])
        used = Jars(classpath, broker_classpath, release, broker_release, of_members)
        setup = _setup(used, chosen) if chosen else None
    except LiveError as error:
        raise UsageError(str(error)) from None
    others = {"--classpath": classpath, "--broker-classpath": broker_classpath, "--broker-release": broker_release}
    unused = others | {"--member-release": of_members, "--shrink": shrink, "--never": never}
    using = grpc.ready(with_grpc, release, unused) if with_grpc else None
    into = (output or DEFAULT) / f"java-{setup.client.release}" if setup else DEFAULT
    beside = (output or DEFAULT) / f"proxy-{release}"
    for folder in (*(into / one.name for one in chosen), *(beside / one.name for one in with_grpc)):
        require_free(folder, overwrite)
    with Reporter(as_json) as reporter:
        recorder = Recorder(reporter, never)
        answers = [recorder.tell(folder.name, folder) for folder in folders]
        failed: list[tuple[str, str]] = []
        for scenario in chosen:
            assert setup is not None
            try:
                answers.append(recorder.perform(scenario, setup, into / scenario.name))
            except LiveError as error:
                failed.append((scenario.name, str(error)))
                reporter.judged(f"{scenario.name} could not be run: {error}", wrong=True)
                continue
            if answers[-1].wrong and shrink:
                recorder.shrink(scenario, setup, into, answers[-1].wrong, shrink)
        for one in with_grpc:
            assert using is not None
            try:
                document_of, wrong = grpc.perform(reporter, one, using, beside / one.name)
                answers.append(Told(document_of, frozenset({"excluded"} if wrong else ())))
            except LiveError as error:
                failed.append((one.name, str(error)))
                reporter.judged(f"{one.name} could not be run: {error}", wrong=True)
        if as_json:
            print(encoded(document([one.document for one in answers], failed)))
        if failed:
            raise UsageError(
                f"could not run {len(failed)} of {count(len(chosen) + len(with_grpc), 'scenario')}: {failed[0][1]}"
            )
    return int(any(one.wrong for one in answers))


def _list(as_json: bool) -> int:
    every = {one.name: one.about for one in map(own, names())} | {one.name: one.about for one in SCENARIOS.values()}
    with Reporter(as_json) as reporter:
        for name, about in every.items():
            reporter.line(f"{name:20} {about}")
        reporter.line("")
        reporter.line("To run one: rebalance record SCENARIO --classpath rocketmq/lib")
    if as_json:
        print(encoded({"scenarios": [{"name": name, "about": about} for name, about in every.items()]}))
    return 0


@dataclass(frozen=True)
class Jars:
    """The options that name RocketMQ's jars."""

    classpath: str | None
    broker_classpath: str | None
    release: str | None
    broker_release: str | None
    of_members: tuple[str, ...]
    """``NAME=VERSION`` of members."""

    @property
    def broker(self) -> tuple[str | None, str | None]:
        """Classpath and release of the servers; (None, None) for those of the clients."""
        return self.broker_classpath, self.broker_release


def _setup(jars: Jars, chosen: Sequence[Scenario]) -> Setup:
    """Find Java and the distributions of clients, servers and members. Raises ``LiveError``."""
    for option, other, both in (
        ("--release", "--classpath", (jars.release, jars.classpath)),
        ("--broker-release", "--broker-classpath", jars.broker),
    ):
        if all(both):
            raise LiveError(f"{option} and {other} both name RocketMQ's jars; use one of them")
    if jars.classpath is None and jars.release is None:
        raise LiveError(f"name RocketMQ's jars with --release VERSION, such as 5.5.0, or with --classpath: {DOWNLOAD}")
    members = _members(jars.of_members, chosen)
    try:
        java = find_java(OLDEST)
    except NoJava as error:
        raise LiveError(f"record {error}") from None
    needs = CLIENT if any(jars.broker) else CLIENT + SERVERS
    client = _distribution(jars.classpath, jars.release, java, needs, "")
    server = _distribution(*jars.broker, java, SERVERS, "broker-") if any(jars.broker) else client
    named = dict.fromkeys(one.release for scenario in chosen for one in scenario.members.values() if one.release)
    releases = {one: of_release(one, "release of a member", java, CLIENT) for one in named}
    others = {
        who: releases.get(version) or of_release(version, "--member-release", java, CLIENT)
        for who, version in members.items()
    }
    return Setup(java.path, client, server, others, releases)


def _distribution(path: str | None, release: str | None, java: Java, needs: Sequence[str], which: str) -> Distribution:
    if release is not None:
        return of_release(release, f"--{which}release", java, needs)
    assert path is not None
    return distribution(path, java, needs, f"--{which}classpath")


def _members(typed: Sequence[str], chosen: Sequence[Scenario]) -> dict[str, str]:
    """Return member -> release. Raises ``LiveError`` for a member that no scenario has."""
    found: dict[str, str] = {}
    for one in typed:
        who, equals, version = one.partition("=")
        if not (who and equals and version):
            raise LiveError(f"--member-release {one!r} is not NAME=VERSION, such as c1=4.9.8")
        known = dict.fromkeys(name for scenario in chosen for name in scenario.members)
        if who not in known:
            raise LiveError(f"--member-release {one!r}: no scenario has a member {who!r}; there are {', '.join(known)}")
        if found.setdefault(who, version) != version:
            raise LiveError(f"--member-release names two releases for {who!r}: {found[who]} and {version}")
    return found


def _require_distinct(every: Sequence[str]) -> None:
    again = next((name for name in every if every.count(name) > 1), None)
    if again:
        raise LiveError(f"two scenarios are called {again!r}; rename one, because each needs its own folder")
