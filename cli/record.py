"""``rebalance record``: groups of the user's own RocketMQ, on loopback, and what is seen of them."""

from collections.abc import Sequence
from pathlib import Path

import click

from rebalance_proofs.cli.encoded import encoded
from rebalance_proofs.cli.epilogs import STATUS
from rebalance_proofs.cli.options import drawn
from rebalance_proofs.cli.params import File, Folder, Whole
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.cli.recording import Recorder, require_free
from rebalance_proofs.model.own.java import jvm
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.recorded.live.distribution import CLIENT, DOWNLOAD, SERVERS, distribution
from rebalance_proofs.recorded.live.draw import draw
from rebalance_proofs.recorded.live.error import LiveError
from rebalance_proofs.recorded.live.read import load, names, own
from rebalance_proofs.recorded.live.run import Setup
from rebalance_proofs.recorded.live.scenario import Scenario
from rebalance_proofs.report.live import told
from rebalance_proofs.report.live.document import document

OLDEST = 8
"""The oldest Java that runs what is recorded with."""
MOST = 1000
DEFAULT = Path("runs/record")


@click.command(epilog=STATUS)
@click.argument("scenarios", nargs=-1, metavar="[SCENARIO]...")
@click.option("--classpath", metavar="JARS", help="RocketMQ's jars, as java -cp: 'rocketmq/lib/*'; @FILE reads a file.")
@click.option("--broker-classpath", metavar="JARS", help="Those of broker and name server. [default: --classpath]")
@click.option("--scenario", "files", multiple=True, type=File(), metavar="FILE", help="Your own, in TOML.")
@click.option("--random", "draws", type=Whole(1, MOST), metavar="N", help="N scenarios that are drawn.")
@click.option("--seed", type=Whole(0, 2**32 - 1), metavar="S", help="Draws them. [default: another one in each run]")
@click.option("--read", "folders", multiple=True, type=Folder("name a recording"), metavar="DIR", help="A recording.")
@click.option(
    "--never",
    type=click.Choice(list(told.KINDS)),
    multiple=True,
    help="Status 1 also where that is seen with a known cause. Can be given again.",
)
@click.option(
    "--shrink",
    type=Whole(1, MOST),
    metavar="N",
    help="Perform what fails up to N times again with fewer steps, and keep the smallest that still does.",
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
    shrink: int | None,
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
        require_free(into / scenario.name, overwrite)
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
                reporter.judged(f"{scenario.name} was not performed: {error}", wrong=True)
                continue
            if answers[-1].wrong and shrink:
                recorder.shrink(scenario, setup, into, answers[-1].wrong, shrink)
        if as_json:
            print(encoded(document([one.document for one in answers], failed)))
        if failed:
            raise UsageError(f"{len(failed)} of {len(chosen)} scenarios could not be performed: {failed[0][1]}")
    return int(any(one.wrong for one in answers))


def _list(as_json: bool) -> int:
    every = [own(name) for name in names()]
    with Reporter(as_json) as reporter:
        for one in every:
            reporter.line(f"{one.name:20} {one.about}")
        reporter.line("")
        reporter.line("rebalance record SCENARIO... --classpath 'rocketmq/lib/*' performs them.")
    if as_json:
        print(encoded({"scenarios": [{"name": one.name, "about": one.about} for one in every]}))
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
