"""``python -m benchmarks.audits [LINES] [MASTER] [TURN] [OTHERS]``: lines a second of an audit, here and on Spark.

Logs are generated into a folder that is removed afterwards: one process of 16 queues for each million lines, nearly all
of them commits, as real ones are, with a rebalance every ``TURN`` seconds (two minutes). What is kept goes by the
rebalances, which one sees with ten times as many lines and as many rebalances. ``OTHERS``: number of lines of other
loggers after each round of 16 commits (0).
"""

import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from benchmarks.logs import FORMS, Form
from benchmarks.machine import describe
from rebalance_proofs.recorded.audit.audit import audit
from rebalance_proofs.recorded.audit.outcome import Asked, digest
from rebalance_proofs.recorded.logs.sources import sources

QUEUES, START, SPLIT = 16, 1_700_000_000_000, 1_000_000
TURN = 120
"""Seconds between two rebalances of a process."""
OTHERS = (
    "[http-nio-8080-exec-{n}] INFO  c.e.shop.order.OrderServiceImpl - order {big} of {hex} saved in {n} ms",
    "[HikariPool-1 housekeeper] DEBUG c.zaxxer.hikari.pool.HikariPool - pool stats (total={n}, active=3, idle=7)",
    "[scheduling-1] INFO  c.e.shop.stock.Reservation - reserved {n} items of article {big}, trace={hex}",
    "[lettuce-nioEventLoop-4-{n}] WARN  c.e.shop.cache.PriceCache - price of {hex} took {big} us",
)
"""Lines of other loggers, as an application writes them into the same file."""


def written(place: Path, lines: int, form: str = "4", turn: int = TURN, others: int = 0) -> int:
    """Write logs of so many lines, in files of ``SPLIT`` lines at most, and return the bytes."""
    size = 0
    for number in range(-(-lines // SPLIT)):
        path = place / f"host{number}.log"
        with path.open("w", encoding="utf-8", newline="") as opened:
            _process(
                opened.write, f"10.0.{number}.1@4711", min(SPLIT, lines - number * SPLIT), FORMS[form], turn, others
            )
        size += path.stat().st_size
    return size


def _process(write: Callable[[str], object], client: str, lines: int, form: Form, every: int, others: int) -> None:
    queues = [
        f"MessageQueue [topic=ORDERS, brokerName=broker-{client.split('.')[2]}, queueId={n}]" for n in range(QUEUES)
    ]
    done, at, offset = 0, START, 0
    while done < lines:
        if (at - START) % (every * 1000) == 0:
            turn = [f"doRebalance, G, remove unnecessary mq, {queues[0]}"] if at > START else []
            turn += [f"doRebalance, G, add a new mq, {queue}" for queue in (queues if at == START else queues[:1])]
            names = ", ".join(queues)
            turn.append(
                f"{form.result}allocateMessageQueueStrategyName=AVG, group=G, topic=ORDERS, clientId={client}, "
                f"mqAllSize={QUEUES}, cidAllSize=1, rebalanceResultSize={QUEUES}, rebalanceResultSet=[{names}]"
            )
            for text in turn:
                write(form.line(at, text))
            done += len(turn)
        head = form.line(at, "").rstrip("\r\n")
        commit = f"{head}[persistAll] Group: G ClientId: {client} updateConsumeOffsetToBroker "
        write("".join(f"{commit}{queue} {offset + n}{form.end}" for n, queue in enumerate(queues)))
        when = form.line(at + 1_200, "").partition(" INFO")[0]
        for n in range(done, done + others):
            text = OTHERS[n % len(OTHERS)].format(n=n % 97, big=n * 7919 % 1_000_003, hex=f"{n * 2654435761:016x}")
            write(f"{when} {text}{form.end}")
        done, at, offset = done + QUEUES + others, at + 5_000, offset + 37


def main(lines: int = 1_000_000, master: str = "", turn: int = TURN, others: int = 0) -> None:
    """Print the costs as a row of the table "Audits of logs" in benchmarks/history.json."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as spool:
        size = written(Path(folder), lines, turn=turn, others=others)
        # The digest has the logs' names, so it is the same for all folders.
        found = [
            replace(one, name=one.name.removeprefix(folder), series=one.series.removeprefix(folder))
            for one in sources([folder], Path(spool))[0]
        ]
        print(describe())
        print(f"{lines:,} lines, {size / 1e6:,.0f} MB, {len(found)} files")
        if not master:
            began, used = time.perf_counter(), time.process_time()
            audited = audit(found, Asked())
            after = 0.0, 0.0
            wall, cpu = time.perf_counter() - began, time.process_time() - used
        else:
            from rebalance_proofs.spark_enum.audit import audit_on
            from rebalance_proofs.spark_enum.session import spark_session

            with spark_session(master) as session:
                before = _descendants()
                began, used = time.perf_counter(), time.process_time()
                audited = audit_on(session, found, Asked())
                wall, cpu = time.perf_counter() - began, time.process_time() - used
                after = _descendants()
                cpu += after[0] - before[0]
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"digest {digest(audited.groups)}")
        print(
            f"| {lines:,} | {size / 1e6:,.0f} MB | {f'`{master}`' if master else 'one process'} "
            f"| {wall:.1f} s | {cpu:.1f} s | {lines / cpu:,.0f} | {peak:,.0f} MB | {after[1]:,.0f} MB |"
        )


def _descendants() -> tuple[float, float]:
    """Processor's seconds, and the most memory in MB, of all processes below this one."""
    parents: dict[int, int] = {}
    seconds: dict[int, float] = {}
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = place.read_text("utf-8").rpartition(") ")[2].split()
        except OSError:
            continue
        parents[int(place.parent.name)] = int(fields[1])
        seconds[int(place.parent.name)] = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    own, memory = {os.getpid()}, 0.0
    while more := {one for one, parent in parents.items() if parent in own} - own:
        own |= more
    own.discard(os.getpid())
    for one in own:
        with suppress(OSError):
            status = Path(f"/proc/{one}/status").read_text("utf-8")
            memory += next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")), 0) / 1024
    return sum(seconds[one] for one in own), memory


if __name__ == "__main__":
    given = sys.argv[1:]
    main(int(given[0]) if given else 1_000_000, *given[1:2], *map(int, given[2:4]))
