"""A group as a text grid: a row for each consumer, a column for each queue, and the queue's owner count."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.allocation.assignment import Assignment, Row
from rebalance_proofs.report.allocation.caption import told
from rebalance_proofs.report.allocation.comparison import Comparison, assigned
from rebalance_proofs.report.english import bracketed, capitalized, count, shorten, shortened
from rebalance_proofs.report.shares.ranges import ranges

NARROW = 24
"""Largest number of queues for which columns are separated by spaces."""
NAME = 28
"""Largest number of letters of a consumer's name."""


def grid(example: Counterexample) -> Iterator[str]:
    """Yield the lines of the grid."""
    found, compared = assigned(example.group)
    yield f"{count(len(found.rows), 'consumer')}, {count(found.queues, 'queue')}. {told(example)}"
    names = shortened([row.name for row in found.rows], NAME)
    wide = max(map(len, [*names, "taken by"]))
    for line in _header(found.queues):
        yield f"{'':{wide}}  {line}"
    for place, (row, name) in enumerate(zip(found.rows, names, strict=True)):
        cells = _spaced([_cell(row, queue, compared, place) for queue in range(found.queues)])
        yield f"{name:{wide}}  {cells}{_beside(row, found, compared)}"
    yield f"{'taken by':{wide}}  {_spaced([_number(len(readers)) for readers in found.readers])}"
    yield from _legend(compared)


def placed(queues: Sequence[MessageQueue]) -> str:
    """Return the queues at each position, in words: ``queues of orders: 0-3 = broker-a 0-3, 4 = broker-b 0``."""
    place, found = 0, []
    for broker, some in groupby(queues, lambda queue: queue.broker_name):
        ids = [queue.queue_id for queue in some]
        found.append(f"{ranges(range(place, place + len(ids)))} = {broker} {ranges(ids)}")
        place += len(ids)
    return f"queues of {queues[0].topic}: {', '.join(found)}"


def _header(queues: int) -> Iterator[str]:
    numbers = range(queues)
    if queues > 10:
        yield _spaced([str(number // 10) if number >= 10 else " " for number in numbers])
    yield _spaced([str(number % 10) for number in numbers])


def _spaced(cells: list[str]) -> str:
    return (" " if len(cells) <= NARROW else "").join(cells)


def _cell(row: Row, queue: int, compared: Comparison | None, place: int) -> str:
    takes = queue in row.takes
    if compared:
        had = queue in compared.had(place)
        return "#" if takes and had else "+" if takes else "-" if had else "."
    return "#" if takes else "." if queue in row.sees else " "


def _number(readers: int) -> str:
    return str(readers) if readers < 10 else "*"


def _beside(row: Row, found: Assignment, compared: Comparison | None) -> str:
    """Return remarks about one consumer, such as an error or its own lists."""
    said = []
    if row.instead:
        said.append(row.instead)
    if not found.agreed("cid_all") and not compared:
        said.append(f"cidAll {shorten(bracketed(row.consumer.cid_all), 60)}")
    if not found.agreed("mq_all") and not compared:
        said.append(f"mqAll {shorten(bracketed(row.sees), 60)}")
    if row.index is None:
        said.append("cidAll lacks its id")
    if not row.consumer.subscribes:
        said.append("does not subscribe to the topic")
    if row.elsewhere:
        said.append(f"takes {', '.join(row.elsewhere)}, not in the topic")
    if not found.one_strategy:
        said.append(row.consumer.strategy.rocketmq_name)
    return f"   {'; '.join(said)}" if said else ""


def _legend(compared: Comparison | None) -> Iterator[str]:
    if not compared:
        return
    if compared.earlier:
        rows = compared.earlier.rows
        yield f"At first: {'; '.join(f'{row.name} {bracketed(row.takes)}' for row in rows)}."
    first, second = (capitalized(title) for title in compared.titles)
    yield f"# both; - only {first[:1].lower()}{first[1:]}; + only {second[:1].lower()}{second[1:]}"
