"""``rebalance explore``: visit all states of a small group."""

import json
from collections.abc import Iterable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from rebalance_proofs.cli.encoded import encoded
from rebalance_proofs.cli.ending import ENDING
from rebalance_proofs.cli.epilogs import statuses
from rebalance_proofs.cli.params import File, Folder, Master, Name, Whole
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.model.releases import LAST
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.report.explorer.document import document, trace_of
from rebalance_proofs.report.explorer.page import FIRST, page
from rebalance_proofs.report.explorer.told import disagreeing, told
from rebalance_proofs.report.own.output import make_folder, require_folder, require_own, require_writable, write_whole
from rebalance_proofs.report.text.english import count
from rebalance_proofs.spark_enum.explorer.exploration import MEMORY, explored
from rebalance_proofs.spark_enum.explorer.explore import Explored, estimated, explore, require_room
from rebalance_proofs.spark_enum.explorer.product import Product
from rebalance_proofs.spark_enum.explorer.standard import SUBJECTS
from rebalance_proofs.spark_enum.explorer.store import Level
from rebalance_proofs.spark_enum.explorer.subject import RANGES

if TYPE_CHECKING:
    from rebalance_proofs.spark_enum.explorer.dataset import Dataset

FILE = File(dir_okay=False)
MB = 1 << 20


@click.command(
    name="explore",
    epilog=statuses(
        "no bad state of --never was found (with --levels: in these levels)",
        "a bad state of --never was found, or a state contradicts a claim",
    ),
)
@click.argument("model", type=click.Choice(list(SUBJECTS)), metavar="MODEL")
@click.option(
    "--consumers", type=Whole(*RANGES["consumers"]), metavar="N", show_default="2", help="Number of consumers."
)
@click.option("--queues", type=Whole(*RANGES["queues"]), metavar="N", show_default="2", help="Number of queues.")
@click.option(
    "--messages",
    type=Whole(*RANGES["messages"]),
    metavar="N",
    show_default="1",
    help="lock-lite: number of messages in each queue.",
)
@click.option(
    "--client",
    type=Name(),
    metavar="VERSION",
    show_default=LAST,
    help="concurrent, ordered: Java client version such as 5.2 or 4.9.8.",
)
@click.option(
    "--strategy", metavar="NAME", show_default="avg", help="Allocation strategy: avg, circle, hash or hash-go."
)
@click.option(
    "--fault",
    "fault",
    metavar="NAMES",
    show_default="none",
    help="Faults that can happen, separated by commas, from the list of the model above.",
)
@click.option(
    "--listener",
    type=Whole(*RANGES["listener"]),
    metavar="TICKS",
    show_default="1",
    help="ordered: longest call of a listener, in ticks of ten seconds.",
)
@click.option(
    "--lock",
    type=Whole(*RANGES["lock"]),
    metavar="TICKS",
    show_default="3",
    help="ordered: time for which a client relies on a lock after its last renewal (lockMaxLiveTime), in ticks of ten "
    "seconds.",
)
@click.option(
    "--unlock",
    type=Whole(*RANGES["unlock"]),
    metavar="TICKS",
    show_default="2",
    help="ordered: unlockDelayTimeMills of clients, in ticks of ten seconds. Up to 5.1.4: delay of the unlock request. "
    "From 5.2 on: age at which a lock without a renewal is released.",
)
@click.option(
    "--never",
    metavar="NAMES",
    help="Bad states that fail the command, by their names in the answer, separated by commas: two,twice.",
)
@click.option(
    "--levels",
    type=Whole(1, 100_000),
    metavar="N",
    show_default="all",
    help="Visit the first N levels only: states that fewer than N steps reach.",
)
@click.option(
    "--settle/--no-settle",
    default=True,
    show_default=True,
    help="Check whether the group settles: each queue has one owner in the end.",
)
@click.option(
    "--memory",
    type=Whole(16, 1_000_000),
    default=MEMORY // MB,
    show_default=True,
    metavar="MB",
    help="Memory limit for the states in each process, in MB. With --master, it is the limit of each Spark worker. "
    "Further states go to a temporary folder. The estimate, the search for faults and the check of settling need some "
    "hundred MB more.",
)
@click.option(
    "--states",
    type=Folder("name a new or empty folder"),
    metavar="DIR",
    help="Store all states in DIR instead of memory. An interrupted run continues from its last complete level.",
)
@click.option(
    "--parquet",
    type=Folder("name a new or empty folder"),
    metavar="DIR",
    help="Write all states and the steps between them to DIR, as Parquet. The columns are in "
    "docs/reference/parquet.md.",
)
@click.option("--force", is_flag=True, help="Start even if there is not enough room for the estimated states.")
@click.option(
    "--master",
    type=Master(),
    metavar="URL",
    help="Spark master URL. Spark's machines must share the folder of --states.",
)
@click.option("--report", type=FILE, metavar="FILE", help="Write an HTML page to FILE.")
@click.option(
    "--itf",
    type=Folder("name a new or empty folder"),
    metavar="DIR",
    help="Write the trace to each bad state to DIR, for `rebalance replay`.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
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
    """Visit all states of a small consumer group.

    The answer lists each bad state, such as two consumers that read one queue. It shows the shortest trace to each bad
    state, or says that the group never reaches it. Consumers can join and shut down at any time.

    \b
    MODEL is one of
      concurrent  concurrent listeners: owners, offsets, one message per queue
                  faults: crash, lost-notification, late-commit
      ordered     ordered listeners and the broker's locks, in ticks of ten seconds
                  faults: crash, lost-notification, lost-renewal, late-return,
                  broker-restart, hard-shutdown
      lock-lite   the smallest group with locks, without time

    docs/how-to/explore-a-group.md explains the faults, and what each model leaves out.

    \b
    Examples:
      rebalance explore concurrent --consumers 2 --queues 2
      rebalance explore ordered --client 5.2 --unlock 4 --never two-listeners
      rebalance explore ordered --fault crash,lost-notification --report page.html
    """
    subject = SUBJECTS[model]
    given = {name: value for name, value in chosen.items() if value is not None}
    if fault is not None:
        given["faults"] = _names(fault)
        if not given["faults"]:
            raise UsageError(
                f"--fault {fault!r} names no fault; leave out --fault, or name some of {_listed(subject.faults)}"
            )
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
            reporter.line(f"{expected} are expected, estimated from the states with one queue and with two.")
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
    # Imported here because PyArrow takes long to load, and few explorations need it.
    from rebalance_proofs.spark_enum.explorer.dataset import Dataset

    return Dataset(product, folder)


def _spark(master: str) -> AbstractContextManager[Any]:
    # Imported here because PySpark takes long to load, and few explorations need it.
    from rebalance_proofs.spark_enum.session import spark_session

    return spark_session(master)


def _names(words: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in words.split(",") if name.strip())


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"


def _required(never: str | None, known: list[str]) -> tuple[str, ...]:
    names = _names(never or "")
    for name in names:
        if name not in known:
            raise UsageError(f"--never: unknown bad state {name!r}; the bad states of this model are {_listed(known)}")
    if never is not None and not names:
        raise UsageError(f"--never {never!r} names no bad state; the bad states of this model are {_listed(known)}")
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
