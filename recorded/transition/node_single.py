"""``node-single.tsv``: one queue, and everything that bears on what the Node client does with it."""

from collections.abc import Mapping

from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.files import Line, VectorFile
from rebalance_proofs.recorded.format import Format
from rebalance_proofs.recorded.records import FileReport
from rebalance_proofs.recorded.tally import Tally, check_rows
from rebalance_proofs.recorded.transition.node_call import Call, check_call, check_version
from rebalance_proofs.recorded.transition.node_notation import ABSENT, answers, entry
from rebalance_proofs.recorded.tsv import cells, choice, flag, number
from rebalance_proofs.recorded.values import TOPIC

__all__ = ["FORMAT"]

FILE = "transition/node-single.tsv"
OUTPUTS = ("post", "changed", "exc", "old", "memPost", "effects")
COLUMNS = ("ver", "topic", "pre", "inSet", "model", "mem", "rpc", "max", "upd", "race", *OUTPUTS)

QUEUE_TOPICS = {"S": TOPIC, "O": "other"}
BROADCASTING = {"C": False, "B": True}


def check_row(tally: Tally, line: Line) -> None:
    """``topic`` says whether the queue is of the topic that is rebalanced."""
    row = dict(zip(COLUMNS, cells(line.text, COLUMNS), strict=True))
    check_version(row["ver"])
    call = Call(
        topic=TOPIC,
        queue=MessageQueue(choice(row["topic"], QUEUE_TOPICS, "topic"), "b0", 0),
        in_set=flag(row["inSet"], "inSet"),
        entry=None if row["pre"] == ABSENT else entry(row["pre"], "pre"),
        memory=None if row["mem"] == ABSENT else number(row["mem"], "mem"),
        answers=answers({key: row[key] for key in ("rpc", "max", "upd")}),
        settings=Settings(broadcasting=choice(row["model"], BROADCASTING, "model")),
        race=row["race"] != ABSENT and flag(row["race"], "race"),
    )
    check_call(tally, line, row, call, OUTPUTS)


def check(found: Mapping[str, VectorFile]) -> tuple[FileReport, ...]:
    """One file."""
    return (check_rows(found[FILE], check_row, "\t".join(COLUMNS)),)


FORMAT = Format(files=(FILE,), check=check)
