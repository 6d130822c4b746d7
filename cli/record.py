"""``rebalance record``: groups of the user's own RocketMQ, on loopback, and what is seen of them."""

import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from rebalance_proofs.cli.ending import ENDING
from rebalance_proofs.cli.options import STATUS, drawn
from rebalance_proofs.cli.params import Folder, Whole
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.model.own.java import jvm
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.recorded.groups.error import RecordingError
from rebalance_proofs.recorded.groups.run import Run
from rebalance_proofs.recorded.live.distribution import CLIENT, DOWNLOAD, SERVERS, distribution
from rebalance_proofs.recorded.live.draw import draw
from rebalance_proofs.recorded.live.error import LiveError
from rebalance_proofs.recorded.live.read import load, names, own
from rebalance_proofs.recorded.live.run import Setup, run
from rebalance_proofs.recorded.live.scenario import Scenario
from rebalance_proofs.recorded.live.write import text
from rebalance_proofs.recorded.seen.all import seen
from rebalance_proofs.recorded.seen.history import History
from rebalance_proofs.report.live import told
from rebalance_proofs.report.live.document import document, of_run
from rebalance_proofs.report.live.explain import explain

OLDEST = 8
"""The oldest Java that runs what is recorded with."""
MOST = 1000
DEFAULT = Path("runs/record")


@click.command(epilog=STATUS)
@click.argument("scenarios", nargs=-1, metavar="[SCENARIO]...")
@click.option("--classpath", metavar="JARS", help="RocketMQ's jars, as java -cp: 'rocketmq/lib/*'; @FILE reads a file.")
@click.option("--broker-classpath", metavar="JARS", help="Those of broker and name server. [default: --classpath]")
@click.option(
    "--scenario", "files", multiple=True, type=click.Path(path_type=Path), metavar="FILE", help="Your own, in TOML."
)
@click.option("--random", "draws", type=Whole(1, MOST), metavar="N", help="N scenarios that are drawn.")
@click.option("--seed", type=Whole(0, 2**32 - 1), metavar="S", help="Draws them. [default: another one in each run]")
@click.option("--read", "folders", multiple=True, type=click.Path(path_type=Path), metavar="DIR", help="A recording.")
@click.option(
    "--never",
    type=click.Choice(list(told.KINDS)),
    multiple=True,
    help="Status 1 also where that is seen with a known cause. Can be given again.",
)
@click.option("--output", type=Folder("name one"), metavar="DIR", help=f"For recordings. [default: {DEFAULT}]")
@click.option("--overwrite", is_flag=True, help="Replace recordings of these scenarios in DIR.")
@click.option("--json", "as_json", is_flag=True, help="For tools; times in ms.")
def record(
    scenarios: tuple[str, ...],
    classpath: str | None,
    broker_classpath: str | None,
    files: tuple[Path, ...],
    draws: int | None,
    seed: int | None,
    folders: tuple[Path, ...],
    never: tuple[str, ...],
    output: Path | None,
    overwrite: bool,
    as_json: bool,
) -> int:
    """Perform scenarios with groups of your own RocketMQ on loopback, record them, and tell what is seen.

    Each has a name server, brokers, and a process for each member, which are gone at the end. What was read twice,
    never, or by two ordered listeners at once, what stood still, and what was set back is told with its known cause,
    or as UNEXPLAINED: then the status is 1. --read tells it of recordings that were made before. Without arguments,
    the scenarios are listed.

    \b
    Example:
      rebalance record join_leave ordered_short --classpath 'rocketmq/lib/*'
      rebalance record --random 3 --seed 7 --classpath 'rocketmq/lib/*'
    """
    if seed is not None and draws is None:
        raise UsageError("--seed draws scenarios: it needs --random N")
    try:
        chosen = [*map(own, scenarios), *map(load, files)]
        if not (chosen or draws or folders):
            return _list(as_json)
        if draws:
            first = drawn(seed)
            chosen += [draw(first, number) for number in range(1, draws + 1)]
        _require_distinct(chosen)
        setup = _setup(classpath, broker_classpath) if chosen else None
    except LiveError as error:
        raise UsageError(str(error)) from None
    into = (output or DEFAULT) / f"java-{setup.client.release}" if setup else DEFAULT
    for scenario in chosen:
        _require_free(into / scenario.name, overwrite)
    with Reporter(as_json) as reporter:
        told_runs, failed = [], []
        for folder in folders:
            told_runs.append(_tell(folder.name, folder, reporter, never))
        for scenario in chosen:
            assert setup is not None
            try:
                _perform(scenario, setup, into / scenario.name, reporter)
                told_runs.append(_tell(scenario.name, into / scenario.name, reporter, never))
            except LiveError as error:
                failed.append((scenario.name, str(error)))
                reporter.line(f"{scenario.name} was not performed: {error}", style="bold red")
        answer = document([one for one, _ in told_runs], failed)
        unwanted = any(bad for _, bad in told_runs)
        if as_json:
            print(json.dumps(answer, indent=2))
        if failed:
            raise UsageError(f"{len(failed)} of {len(chosen)} scenarios could not be performed: {failed[0][1]}")
    return int(unwanted)


def _list(as_json: bool) -> int:
    with Reporter(as_json) as reporter:
        for name in names():
            reporter.line(f"{name:20} {own(name).about}")
        reporter.line("")
        reporter.line("rebalance record SCENARIO... --classpath 'rocketmq/lib/*' performs them.")
    if as_json:
        print(json.dumps({"scenarios": [{"name": name, "about": own(name).about} for name in names()]}, indent=2))
    return 0


def _setup(classpath: str | None, broker_classpath: str | None) -> Setup:
    """Java and the distributions. Raises ``LiveError``."""
    if classpath is None:
        raise LiveError(f"--classpath has to name RocketMQ's jars: {DOWNLOAD}")
    try:
        java = jvm.find(OLDEST)
    except jvm.NoJava as error:
        raise LiveError(f"record {error}") from None
    needs = CLIENT if broker_classpath is not None else CLIENT + SERVERS
    client = distribution(classpath, java, needs, "--classpath")
    if broker_classpath is None:
        return Setup(java.path, client, client)
    return Setup(java.path, client, distribution(broker_classpath, java, SERVERS, "--broker-classpath"))


def _require_distinct(chosen: Sequence[Scenario]) -> None:
    every = [scenario.name for scenario in chosen]
    again = next((name for name in every if every.count(name) > 1), None)
    if again:
        raise LiveError(f"two scenarios are called {again}: their recordings would have one folder")


def _require_free(folder: Path, overwrite: bool) -> None:
    if not folder.exists() and not folder.is_symlink():
        return
    if not overwrite:
        raise UsageError(f"{str(folder)!r} is there already: name another folder with --output, or add --overwrite")
    if folder.is_symlink() or not folder.is_dir() or not (_is_recording(folder) or not any(folder.iterdir())):
        raise UsageError(f"{str(folder)!r} is no recording, and is not replaced: name another folder with --output")


def _is_recording(folder: Path) -> bool:
    return any((folder / name).is_file() for name in ("driver.jsonl", "driver.jsonl.gz"))


def _perform(scenario: Scenario, setup: Setup, folder: Path, reporter: Reporter) -> None:
    """Perform and record it. Raises ``LiveError``; a signal ends it in order."""
    reporter.line(f"{scenario.name}: {scenario.about}")
    if folder.exists():
        shutil.rmtree(folder)
    ENDING.keep()  # otherwise a signal would end this process at once, and the recording would not be packed
    with ENDING.cuts():
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            run(scenario, setup, folder, lambda line: reporter.line(f"  {line}"))
            (folder / "scenario.toml").write_text(text(scenario), encoding="utf-8")
        except OSError as error:
            raise UsageError(f"cannot write the recording to {str(folder)!r}: {error.strerror or error}") from error


def _tell(name: str, folder: Path, reporter: Reporter, never: Sequence[str]) -> tuple[dict[str, Any], bool]:
    """What was seen in a recording, as JSON, and whether something is unexplained, or is not to be seen."""
    try:
        history = History(Run(folder))
    except RecordingError as error:
        raise UsageError(str(error)) from None
    every = explain(history, seen(history))
    for line in _styled(told.lines(name, history, every)):
        reporter.line(*line)
    bad = sorted({told.kind_of(one.fact) for one in every} & set(never))
    for kind in bad:
        reporter.line(f"  --never {kind}: it was seen", style="bold red")
    verdict = told.verdict(every)
    reporter.line(f"  {verdict}", style="bold red" if verdict.startswith("UNEXPLAINED") else "bold green")
    return of_run(name, history, every), bool(bad) or any(one.unexplained for one in every)


def _styled(lines: Iterator[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        yield line, "bold red" if line.endswith("UNEXPLAINED") else ""
