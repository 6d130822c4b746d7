"""``store.tsv``: the transition of a Java client with its own offset store, which asks a broker."""

from collections.abc import Mapping
from typing import Any

from rebalance_proofs.model.client.environment import FAILS, MEMORY, OK, THROW, Answers
from rebalance_proofs.model.client.remote_broker_offset_store import (
    BROKER_EXCEPTION,
    OFFSET_NOT_FOUND,
    RemoteBrokerOffsetStore,
)
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.files import Line, VectorFile
from rebalance_proofs.recorded.format import Format
from rebalance_proofs.recorded.records import FileReport
from rebalance_proofs.recorded.tally import RowError, Tally, check_rows
from rebalance_proofs.recorded.text import quoted
from rebalance_proofs.recorded.transition.java_call import VERSIONS, call, compare_cells, java_client, named_cells
from rebalance_proofs.recorded.transition.java_notation import (
    ABSENT,
    NOW,
    cell,
    effects_text,
    entry,
    optional,
    post_text,
)
from rebalance_proofs.recorded.tsv import choice, flag, number
from rebalance_proofs.recorded.values import TOPIC

__all__ = ["FORMAT"]

FILE = "transition/store.tsv"
INPUTS = ("ver", "table", "pre", "mem", "inSet", "order", "queryRPC", "max", "updateRPC")
OUTPUTS = ("post", "changed", "exc", "memPost", "effects")
COLUMNS = INPUTS + OUTPUTS

TABLES = {"store": None}
"""The file is one part of a recording with more of them."""
QUERY_ERRORS = (OFFSET_NOT_FOUND, BROKER_EXCEPTION, "timeout", "interrupted", "rt")


def check_row(tally: Tally, line: Line) -> None:
    """The transition of one queue, and what the store's memory knows of it afterwards."""
    row = named_cells(line.text, COLUMNS, OUTPUTS)
    choice(row["table"], TABLES, "table")
    queue = MessageQueue(TOPIC, "b0", 0)
    answers = Answers(
        **optional(_query, row["queryRPC"], "queryRPC"),
        **optional(_max_offset, row["max"], "max"),
        **optional(_update, row["updateRPC"], "updateRPC"),
    )
    model = VERSIONS[row["ver"]]
    store = RemoteBrokerOffsetStore(
        {queue: answers}, NOW, broker_exception_is_not_found=model.broker_exception_is_not_found
    )
    if row["mem"] != ABSENT:
        store.offset_table[queue] = number(row["mem"], "mem")
    order = flag(row["order"], "order")
    client = java_client(row["ver"], store, Settings(orderly=order))
    former = None if row["pre"] == ABSENT else entry(row["pre"], "pre")
    mq_set = (queue,) if flag(row["inSet"], "inSet") else ()
    called = call(client, TOPIC, mq_set, order, {queue: former} if former else {})
    computed = {
        "post": post_text(client.process_queue_table.get(queue), former),
        "changed": called.changed,
        "exc": called.thrown,
        "memPost": str(store.read_offset(queue, MEMORY)),
        "effects": cell(effects_text(called.effects)),
    }
    compare_cells(tally, line, row, computed)


def _query(text: str, what: str) -> dict[str, Any]:
    if text in QUERY_ERRORS:
        return {"stored": text}
    try:
        return {"stored": number(text, what)}
    except RowError:
        raise RowError(f"{what} is {quoted(text)}, neither a number nor one of {', '.join(QUERY_ERRORS)}") from None


def _max_offset(text: str, what: str) -> dict[str, Any]:
    return {"queried": FAILS if text == FAILS else number(text, what)}


def _update(text: str, what: str) -> dict[str, Any]:
    return {"persist": choice(text, {OK: OK, THROW: THROW}, what)}


def check(found: Mapping[str, VectorFile]) -> tuple[FileReport, ...]:
    """One file."""
    return (check_rows(found[FILE], check_row, "\t".join(COLUMNS)),)


FORMAT = Format(files=(FILE,), check=check)
