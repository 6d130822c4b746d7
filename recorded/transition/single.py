"""``single.tsv``: one queue, and everything that bears on what a Java client does with it."""

from collections.abc import Mapping

from rebalance_proofs.model.client.environment import Answers, Environment
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.files import Line, VectorFile
from rebalance_proofs.recorded.format import Format
from rebalance_proofs.recorded.records import FileReport
from rebalance_proofs.recorded.tally import Tally, check_rows
from rebalance_proofs.recorded.transition.java_call import call, compare_cells, java_client, named_cells
from rebalance_proofs.recorded.transition.java_notation import (
    ABSENT,
    KIND,
    NOW,
    cell,
    effects_text,
    entry,
    former_text,
    lock_answer,
    offset_answer,
    optional,
    persist_answer,
    post_text,
)
from rebalance_proofs.recorded.tsv import choice, flag
from rebalance_proofs.recorded.values import TOPIC

__all__ = ["FORMAT"]

FILE = "transition/single.tsv"
INPUTS = ("ver", "kind", "topic", "pre", "inSet", "argOrder", "consumeOrderly", "model", "lock", "off", "persist")
OUTPUTS = ("post", "changed", "exc", "old", "effects", "later")
COLUMNS = INPUTS + OUTPUTS

QUEUES = {"S": MessageQueue(TOPIC, "b0", 0), "O": MessageQueue("other", "b0", 0)}
"""By whether the queue is of the topic that is rebalanced."""
BROADCASTING = {"C": False, "B": True}


def check_row(tally: Tally, line: Line) -> None:
    """What becomes of the queue's entry, what the call says, and all that it does."""
    row = named_cells(line.text, COLUMNS, OUTPUTS)
    queue = choice(row["topic"], QUEUES, "topic")
    answers = Answers(
        **optional(lock_answer, row["lock"], "lock"),
        **optional(offset_answer, row["off"], "off"),
        **optional(persist_answer, row["persist"], "persist"),
    )
    settings = Settings(
        kind=choice(row["kind"], KIND, "kind"),
        orderly=flag(row["consumeOrderly"], "consumeOrderly"),
        broadcasting=choice(row["model"], BROADCASTING, "model"),
    )
    client = java_client(row["ver"], Environment({queue: answers}, NOW), settings)
    former = None if row["pre"] == ABSENT else entry(row["pre"], "pre")
    mq_set = (queue,) if flag(row["inSet"], "inSet") else ()
    called = call(client, TOPIC, mq_set, flag(row["argOrder"], "argOrder"), {queue: former} if former else {})
    computed = {
        "post": post_text(client.process_queue_table.get(queue), former),
        "changed": called.changed,
        "exc": called.thrown,
        "old": former_text(former),
        "effects": cell(effects_text(called.effects)),
        "later": called.later_cell(),
    }
    compare_cells(tally, line, row, computed)


def check(found: Mapping[str, VectorFile]) -> tuple[FileReport, ...]:
    """One file."""
    return (check_rows(found[FILE], check_row, "\t".join(COLUMNS)),)


FORMAT = Format(files=(FILE,), check=check)
