"""``rebalance explore``: all states of a small group."""

import json
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from rebalance_proofs.cli.encoded import encoded
from rebalance_proofs.cli.ending import ENDING
from rebalance_proofs.cli.params import File, Folder, Master, Whole
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.report.english import count
from rebalance_proofs.report.explorer.document import document
from rebalance_proofs.report.explorer.itf import trace_of
from rebalance_proofs.report.explorer.page import FIRST, page
from rebalance_proofs.report.explorer.told import disagreeing, told
from rebalance_proofs.report.own.output import make_folder, require_folder, require_own, require_writable, write_whole
from rebalance_proofs.spark_enum.explorer.estimate import estimated, require_room
from rebalance_proofs.spark_enum.explorer.exploration import MEMORY, explored
from rebalance_proofs.spark_enum.explorer.explore import Explored, explore
from rebalance_proofs.spark_enum.explorer.level import Level
from rebalance_proofs.spark_enum.explorer.product import Product
from rebalance_proofs.spark_enum.explorer.subject import RANGES
from rebalance_proofs.spark_enum.explorer.subjects import SUBJECTS

if TYPE_CHECKING:
    from rebalance_proofs.spark_enum.explorer.dataset import Dataset

FILE = File(dir_okay=False)
MB = 1 << 20


@click.command(
    name="explore",
    epilog="Exit status: 0 when what --never names was not found (with --levels: in the states that were gone "
    "through), 1 when it was, or when something was found that a claim says is never so, 2 when the call is wrong.",
)
@click.argument("model", type=click.Choice(list(SUBJECTS)), metavar="MODEL")
@click.option("--consumers", type=Whole(*RANGES["consumers"]), metavar="N", help="How many there are. [default: 2]")
@click.option("--queues", type=Whole(*RANGES["queues"]), metavar="N", help="Of the topic. [default: 2]")
@click.option("--messages", type=Whole(*RANGES["messages"]), metavar="N", help="lock-lite: in each queue. [default: 1]")
@click.option("--client", metavar="VERSION", help="As of the Java client: 5.2, 4.9.8. [default: the last one read]")
@click.option("--strategy", metavar="NAME", help="avg, circle, hash or hash-go. [default: avg]")
@click.option(
    "--fault", "fault", metavar="NAMES", help="What may happen besides, by commas; see above. [default: nothing]"
)
@click.option(
    "--listener",
    type=Whole(*RANGES["listener"]),
    metavar="TICKS",
    help="ordered: a listener's longest call. [default: 1]",
)
@click.option(
    "--lock", type=Whole(*RANGES["lock"]), metavar="TICKS", help="ordered: lockMaxLiveTime of clients. [default: 3]"
)
@click.option(
    "--unlock", type=Whole(*RANGES["unlock"]), metavar="TICKS", help="ordered: unlockDelayTimeMills. [default: 2]"
)
@click.option("--never", metavar="NAMES", help="What must not be found, by the answer's names: two,twice.")
@click.option(
    "--levels", type=Whole(1, 100_000), metavar="N", help="The first N: states fewer than N moves away. [default: all]"
)
@click.option("--settle/--no-settle", default=True, help="Ask whether the group agrees in the end.")
@click.option(
    "--memory",
    type=Whole(16, 1_000_000),
    default=MEMORY // MB,
    show_default=True,
    metavar="MB",
    help="For states, in each process that works on them: with --master, in each of Spark's workers. Where they need "
    "more, they go to a temporary folder. What is expected, which faults it takes and whether the group agrees take "
    "some hundred MB of their own.",
)
@click.option(
    "--states",
    type=Folder("name one that is new or empty"),
    metavar="DIR",
    help="Keep all states there, and not in memory. A run that was ended goes on from its last whole level.",
)
@click.option(
    "--parquet",
    type=Folder("name one that is new or empty"),
    metavar="DIR",
    help="Write all states, and the moves between them, as tables; docs/reference/parquet.md has their columns.",
)
@click.option("--force", is_flag=True, help="Begin even if there is no room for as many states as are expected.")
@click.option("--master", type=Master(), metavar="URL", help="Explore on Spark; its machines share --states.")
@click.option("--report", type=FILE, metavar="FILE", help="Write a page with a picture of each way: HTML.")
@click.option("--itf", type=Folder("name one that is new or empty"), metavar="DIR", help="Write each way as a trace.")
@click.option("--json", "as_json", is_flag=True, help="For tools.")
def explore_(
    model: str,
    fault: str | None,
    never: str | None,
    levels: int | None,
    settle: bool,
    memory: int,
    states: Path | None,
    parquet: Path | None,
    force: bool,
    master: str | None,
    report: Path | None,
    itf: Path | None,
    as_json: bool,
    **chosen: Any,
) -> int:
    """Go through all states of a whole group, and find the shortest way to what must not be.

    \b
    MODEL is one of
      concurrent  concurrent listeners: who reads which queue, offsets, one message in each queue
                  faults: crash, lost-notification, late-commit
      ordered     ordered listeners and the broker's locks, in ticks of ten seconds
                  faults: crash, lost-notification, lost-renewal, late-return, broker-restart,
                  hard-shutdown
      lock-lite   the smallest group with locks, without time
    Consumers join and are shut down at any time. docs/how-to/explore-a-group.md tells what a model leaves out.

    \b
    Example:
      rebalance explore concurrent --consumers 2 --queues 2
      rebalance explore ordered --client 5.2 --unlock 4 --fault crash,lost-notification --never two-listeners
    """
    subject = SUBJECTS[model]
    given = {name: value for name, value in chosen.items() if value is not None}
    if fault is not None:
        given["faults"] = _names(fault)
        if not given["faults"]:
            raise UsageError("--fault names nothing; leave it out where nothing is meant to happen besides")
    settings = subject.settings(**given)
    if report:
        require_writable(report)
        require_own(report, FIRST)
    if itf:
        require_folder(itf, f"{model}.*.itf.json")
    ENDING.keep()
    with ENDING.cuts(), Reporter(as_json) as reporter, ExitStack() as stack:
        built = subject.build(settings)
        _required(never, [watch.name for watch in built.watches])
        product = Product(built)
        expected = estimated(lambda queues: subject.build(replace(settings, queues=queues)), settings.queues)
        if expected:
            reporter.line(f"{expected} are expected, by what there are with one queue and with two.")
        if not (force or levels):
            require_room(expected, 0 if master else memory * MB, states)
        tables = _tables(product, parquet) if parquet else None
        spark = stack.enter_context(_spark(master)) if master else None
        kept = subject.document(settings)
        exploration = stack.enter_context(explored(product, kept, memory * MB, states, spark))
        found = explore(subject, settings, exploration, levels, settle, _progress(reporter))
        if as_json:
            print(encoded(document(found)))
        else:
            for line in told(found):
                reporter.line(line)
        _write(found, report, itf, reporter)
        if tables:
            rows, edges = tables.write(exploration.store, exploration.levels(len(found.levels)))
            reporter.line(f"Written: {parquet}, {count(rows, 'state')} and {count(edges, 'edge')}")
    required = _required(never, [watch.name for watch in built.watches])
    return 1 if disagreeing(found) or any(one.watch.name in required for one in found.found) else 0


def _tables(product: Product, folder: Path) -> "Dataset":
    # PyArrow would be loaded by every command.
    from rebalance_proofs.spark_enum.explorer.dataset import Dataset

    return Dataset(product, folder)


def _spark(master: str) -> AbstractContextManager[Any]:
    # PySpark takes long to load, and few explorations need it.
    from rebalance_proofs.spark_enum.session import spark_session

    return spark_session(master)


def _names(words: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in words.split(",") if name.strip())


def _required(never: str | None, known: list[str]) -> tuple[str, ...]:
    names = _names(never or "")
    for name in names:
        if name not in known:
            raise UsageError(f"--never {name}: this model watches {', '.join(known) or 'nothing'}")
    if never is not None and not names:
        raise UsageError(f"--never names nothing; this model watches {', '.join(known) or 'nothing'}")
    return names


def _progress(reporter: Reporter) -> Any:
    states = 0

    def told(level: Level) -> None:
        nonlocal states
        states += level.states
        if level.number and not level.number % 10 and not reporter.moving:
            reporter.line(f"level {level.number}: {count(states, 'state')} ...")

    return told


def _write(found: Explored, report: Path | None, itf: Path | None, reporter: Reporter) -> None:
    if report:
        write_whole(report, page(found))
        reporter.line(f"Written: {report}")
    if itf and found.found:
        make_folder(itf)
        for one in found.found:
            file = itf / f"{found.subject.name}.{one.watch.name}.itf.json"
            write_whole(file, json.dumps(trace_of(found, one), indent=1) + "\n")
            reporter.line(f"Written: {file}; step by step: rebalance replay {quote(str(file))}")
