"""``node-offset.tsv``: from where the Node client pulls a queue that is new to it."""

from collections.abc import Mapping

from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.files import Line, VectorFile
from rebalance_proofs.recorded.format import Format
from rebalance_proofs.recorded.records import FileReport
from rebalance_proofs.recorded.tally import Tally, check_rows
from rebalance_proofs.recorded.transition.node_call import Call, check_call, check_version
from rebalance_proofs.recorded.transition.node_notation import answers
from rebalance_proofs.recorded.tsv import cells, choice

__all__ = ["FORMAT"]

FILE = "transition/node-offset.tsv"
OUTPUTS = ("post", "changed", "exc", "effects")
COLUMNS = ("ver", "table", "consumeFromWhere", "topic", "queryRPC", "max", *OUTPUTS)

WHERES = {where.value: where for where in ConsumeFromWhere}
TABLES = {"offset": True}
"""The file is one part of a recording with more of them."""


def check_row(tally: Tally, line: Line) -> None:
    """The table is empty, and the queue is in the set."""
    row = dict(zip(COLUMNS, cells(line.text, COLUMNS), strict=True))
    check_version(row["ver"])
    choice(row["table"], TABLES, "table")
    call = Call(
        topic=row["topic"],
        queue=MessageQueue(row["topic"], "b0", 0),
        in_set=True,
        entry=None,
        memory=None,
        answers=answers({key: row[key] for key in ("queryRPC", "max")}),
        settings=Settings(consume_from_where=choice(row["consumeFromWhere"], WHERES, "consumeFromWhere")),
        race=False,
    )
    check_call(tally, line, row, call, OUTPUTS)


def check(found: Mapping[str, VectorFile]) -> tuple[FileReport, ...]:
    """One file."""
    return (check_rows(found[FILE], check_row, "\t".join(COLUMNS)),)


FORMAT = Format(files=(FILE,), check=check)
