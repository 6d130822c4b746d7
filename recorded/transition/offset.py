"""``offset.tsv``: from where a Java client pulls a queue that is new to it."""

from collections.abc import Callable, Mapping

from rebalance_proofs.model.client.environment import Answers, Environment
from rebalance_proofs.model.client.errors import MQClientException, RuntimeException
from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.client.rebalance import RebalanceImpl
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
    offset_answer,
    optional,
    post_text,
    thrown_text,
)
from rebalance_proofs.recorded.tsv import choice

__all__ = ["FORMAT"]

FILE = "transition/offset.tsv"
INPUTS = ("ver", "table", "kind", "consumeFromWhere", "topic", "off")
OUTPUTS = ("withException", "computePullFromWhere", "post", "changed", "exc", "old", "effects", "later")
COLUMNS = INPUTS + OUTPUTS

TABLES = {"offset": None}
"""The file is one part of a recording with more of them."""
WHERES = {where.value: where for where in ConsumeFromWhere}


def check_row(tally: Tally, line: Line) -> None:
    """Both methods that compute the offset, and the transition with an empty table."""
    row = named_cells(line.text, COLUMNS, OUTPUTS)
    choice(row["table"], TABLES, "table")
    queue = MessageQueue(row["topic"], "b0", 0)
    answers = Answers(**optional(offset_answer, row["off"], "off"))
    settings = Settings(
        kind=choice(row["kind"], KIND, "kind"),
        consume_from_where=choice(row["consumeFromWhere"], WHERES, "consumeFromWhere"),
    )

    def client() -> RebalanceImpl:
        return java_client(row["ver"], Environment({queue: answers}, NOW), settings)

    called = call(client(), queue.topic, (queue,), False, {})
    computed = {
        "withException": _offset(client().compute_pull_from_where_with_exception, queue),
        "computePullFromWhere": _offset(client().compute_pull_from_where, queue),
        "post": post_text(called.client.process_queue_table.get(queue), None),
        "changed": called.changed,
        "exc": called.thrown,
        "old": ABSENT,
        "effects": cell(effects_text(called.effects)),
        "later": called.later_cell(),
    }
    compare_cells(tally, line, row, computed)


def _offset(compute: Callable[[MessageQueue], int], queue: MessageQueue) -> str:
    """The offset, or the type of what is thrown."""
    try:
        return str(compute(queue))
    except MQClientException:
        return "MQClientException"
    except RuntimeException as error:
        return thrown_text(error).partition(":")[0]


def check(found: Mapping[str, VectorFile]) -> tuple[FileReport, ...]:
    """One file."""
    return (check_rows(found[FILE], check_row, "\t".join(COLUMNS)),)


FORMAT = Format(files=(FILE,), check=check)
