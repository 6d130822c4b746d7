"""Check ``pairs.tsv``: calls with two queues of one topic.

Each queue's outcome must be the same as for this queue alone.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rebalance_proofs.model.client.effects import Effect, about
from rebalance_proofs.model.client.environment import Answers
from rebalance_proofs.model.client.rebalance import RebalanceImpl
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.rows import TOPIC, Row, anything, expect, flag, one_of, queues, unless
from rebalance_proofs.recorded.transition import java
from rebalance_proofs.recorded.transition.calls import BROADCASTING, Called, CallRows, call, put, shape
from rebalance_proofs.recorded.transition.notation import ABSENT, OF_JAVA, Dialect, effects_cell, of_version

FILE = "transition/pairs.tsv"
NAMES = ("A", "B")


class Queue(NamedTuple):
    """Inputs about one of the two queues, except its process queue.

    The process queue is created for every call.
    """

    name: str
    queue: MessageQueue
    answers: Answers
    in_set: bool


def compute(dialect: Dialect[RebalanceImpl], row: Row) -> dict[str, str]:
    """Return the model's outputs for a row.

    They are both process queues, the call's result and effects, and the orders of iteration.
    """
    both = [read_queue(dialect, row, name) for name in NAMES]
    names = {each.queue: each.name for each in both}
    expect(len(names) == len(both), "A and B are one queue")
    settings = Settings(orderly=row["consumeOrderly"], broadcasting=row["model"])
    order = row["argOrder"]

    def call_with(*found: Queue) -> Called:
        client = dialect.client(dialect.environment({each.queue: each.answers for each in found}), settings)
        mq_set = dict.fromkeys(each.queue for each in found if each.in_set)
        entries = put(client.process_queue_table, {each.queue: row[f"{each.name}.pre"] for each in found})
        return call(dialect, client, TOPIC, mq_set, entries, order)

    called = call_with(*both)
    independent = all(fate(call_with(each), each.queue) == fate(called, each.queue) for each in both)
    return {
        "tableOrder": order_text("table", list(called.former), names),
        "setOrder": order_text("set", [each.queue for each in both if each.in_set], names),
        **{f"post{each.name}": called.post(each.queue) for each in both},
        "changed": called.changed,
        "exc": called.thrown,
        **{f"old{each.name}": called.old(each.queue) for each in both},
        "effects": effects_cell(called.effects, names.__getitem__),
        "later": called.later_cell(names.__getitem__),
        "independent": f"{independent:d}",
    }


def read_queue(dialect: Dialect[RebalanceImpl], row: Row, name: str) -> Queue:
    """Return the inputs about one queue; their columns begin with the queue's name."""
    queue, _ = row.read(f"{name}.mq", f"{name}.pre")
    answers = dialect.answers(row, *(f"{name}.{column}" for column in OF_JAVA))
    return Queue(name, queue, answers, row[f"{name}.inSet"])


def order_text(table: str, found: Sequence[MessageQueue], names: Mapping[MessageQueue, str]) -> str:
    """Return the order in which Java iterates the queues in the map ``table``, as names."""
    return "".join(names[queue] for queue in java.iterate(table, found, len(found))) or ABSENT


def fate(called: Called, queue: MessageQueue) -> tuple[str, str, Sequence[Effect], Sequence[Effect]]:
    """Return a queue's (new process queue, old one, effects of the call, effects of tasks)."""
    return called.post(queue), called.old(queue), about(called.effects, queue), about(called.later, queue)


OF_A_QUEUE = {
    "mq": lambda text, what: queues(text, 1, what)[0],
    "pre": unless(ABSENT, java.ENTRY),
    "inSet": flag,
    **OF_JAVA,
}
ORDERS = dict.fromkeys(("tableOrder", "setOrder"), shape("-|A|B|AB|BA"))
OUTPUTS = {
    **{f"post{name}": java.OUTPUTS["post"] for name in NAMES},
    "changed": java.OUTPUTS["changed"],
    "exc": java.OUTPUTS["exc"],
    **{f"old{name}": java.OUTPUTS["old"] for name in NAMES},
    "effects": java.OUTPUTS["effects"],
    "later": java.OUTPUTS["later"],
    "independent": shape("[01]"),
}
ROWS = CallRows(
    {
        "ver": of_version(java.JAVA),
        "id": anything,
        "argOrder": flag,
        "consumeOrderly": flag,
        "model": one_of(BROADCASTING),
        **ORDERS,
        **{f"{name}.{column}": read for name in NAMES for column, read in OF_A_QUEUE.items()},
        **OUTPUTS,
    },
    (*ORDERS, *OUTPUTS),
    compute,
)

FORMAT = ROWS.format(FILE)
