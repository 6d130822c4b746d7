"""Check ``offset.tsv`` and ``node-offset.tsv``: the start offset of a new queue."""

from collections.abc import Callable

from rebalance_proofs.model.client.effects import MQClientException, RuntimeException
from rebalance_proofs.model.client.node import Node
from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.client.rebalance import RebalanceImpl
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.rows import Row, anything, one_of, words
from rebalance_proofs.recorded.transition import java, node
from rebalance_proofs.recorded.transition.calls import CallRows, call
from rebalance_proofs.recorded.transition.notation import OF_JAVA, OF_NODE, Dialect, if_asked, of_version

FILE, NODE_FILE = "transition/offset.tsv", "transition/node-offset.tsv"
OUTPUTS = ("withException", "computePullFromWhere", "post", "changed", "exc", "old", "effects", "later")
NODE_OUTPUTS = ("post", "changed", "exc", "effects")
TABLE = words("offset")
"""Only value of the column ``table``: both files are one part of a larger recording."""
WHERE = one_of({where.value: where for where in ConsumeFromWhere})


def compute(dialect: Dialect[RebalanceImpl], row: Row) -> dict[str, str]:
    """Return the model's outputs: two computed start offsets, and the effect of a call.

    Two methods of the client compute the offset. The call starts with an empty process queue table.
    """
    row.read("table")
    queue = MessageQueue(row["topic"], "b0", 0)
    answers = {queue: dialect.answers(row, "off")}
    settings = Settings(kind=row["kind"], consume_from_where=row["consumeFromWhere"])

    def client() -> RebalanceImpl:
        return dialect.client(dialect.environment(answers), settings)

    return {
        "withException": offset_text(dialect, client().compute_pull_from_where_with_exception, queue),
        "computePullFromWhere": offset_text(dialect, client().compute_pull_from_where, queue),
        **call(dialect, client(), queue.topic, (queue,), {}, False).cells(queue, *OUTPUTS),
    }


def offset_text(
    dialect: Dialect[RebalanceImpl], compute_offset: Callable[[MessageQueue], int], queue: MessageQueue
) -> str:
    """Return the computed start offset as text, or the type of the exception."""
    try:
        return str(compute_offset(queue))
    except MQClientException:
        return "MQClientException"
    except RuntimeException as error:
        return dialect.thrown(error).partition(":")[0]


def compute_node(dialect: Dialect[Node], row: Row) -> dict[str, str]:
    """Return the model's outputs for Node: the effect of a call with an empty table."""
    row.read("table")
    queue = MessageQueue(row["topic"], "b0", 0)
    answers = dialect.answers(row, "queryRPC", "max")
    settings = Settings(consume_from_where=row["consumeFromWhere"])
    client = dialect.client(dialect.environment({queue: answers}), settings)
    return call(dialect, client, queue.topic, (queue,), {}).cells(queue, *NODE_OUTPUTS)


ROWS = CallRows(
    {
        "ver": of_version(java.JAVA),
        "table": TABLE,
        "kind": one_of(java.KIND),
        "consumeFromWhere": WHERE,
        "topic": anything,
        **if_asked(OF_JAVA, "off"),
        **{name: java.OUTPUTS[name] for name in OUTPUTS},
    },
    OUTPUTS,
    compute,
)
NODE_ROWS = CallRows(
    {
        "ver": of_version(node.NODE),
        "table": TABLE,
        "consumeFromWhere": WHERE,
        "topic": anything,
        **if_asked(OF_NODE, "queryRPC", "max"),
        **{name: node.OUTPUTS[name] for name in NODE_OUTPUTS},
    },
    NODE_OUTPUTS,
    compute_node,
    outputs_first=False,
)

FORMAT, NODE_FORMAT = ROWS.format(FILE), NODE_ROWS.format(NODE_FILE)
