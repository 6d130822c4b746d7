"""Check ``single.tsv`` and ``node-single.tsv``: calls with one queue and all its inputs."""

from rebalance_proofs.model.client.effects import IN
from rebalance_proofs.model.client.node import Node, NodeProcessQueue
from rebalance_proofs.model.client.rebalance import RebalanceImpl
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.rows import TOPIC, Row, flag, number, one_of, unless
from rebalance_proofs.recorded.transition import java, node
from rebalance_proofs.recorded.transition.calls import BROADCASTING, CallRows, call, put
from rebalance_proofs.recorded.transition.notation import ABSENT, NOW, OF_JAVA, OF_NODE, Dialect, if_asked, of_version

FILE, NODE_FILE = "transition/single.tsv", "transition/node-single.tsv"
OUTPUTS = ("post", "changed", "exc", "old", "effects", "later")
NODE_OUTPUTS = ("post", "changed", "exc", "old", "memPost", "effects")
QUEUES = {"S": MessageQueue(TOPIC, "b0", 0), "O": MessageQueue("other", "b0", 0)}
"""Letter in the file -> a queue: ``S`` of the rebalanced topic, ``O`` of another topic."""
RACING_OFFSET = 1
"""Next offset of the process queue that a concurrent call has added."""


def compute(dialect: Dialect[RebalanceImpl], row: Row) -> dict[str, str]:
    """Return the model's outputs: process queues after the call, its result, and its effects."""
    queue = row["topic"]
    answers = dialect.answers(row, "lock", "off", "persist")
    settings = Settings(kind=row["kind"], orderly=row["consumeOrderly"], broadcasting=row["model"])
    client = dialect.client(dialect.environment({queue: answers}), settings)
    former, mq_set = row["pre"], (queue,) if row["inSet"] else ()
    entries = put(client.process_queue_table, {queue: former})
    return call(dialect, client, TOPIC, mq_set, entries, row["argOrder"]).cells(queue, *OUTPUTS)


def compute_node(dialect: Dialect[Node], row: Row) -> dict[str, str]:
    """Return the model's outputs for Node, with the offset in memory.

    With ``race``, another call adds a process queue during the offset query.
    """
    queue = row["topic"]
    mq_set, former, memory = (queue,) if row["inSet"] else (), row["pre"], row["mem"]
    answers = dialect.answers(row, "rpc", "max", "upd")
    settings, race = Settings(broadcasting=row["model"]), row["race"]
    client = dialect.client(dialect.environment({queue: answers}), settings)
    table, offset_table = client.process_queue_table, client.offset_store.offset_table
    if memory is not None:
        offset_table[queue] = memory
    racing = NodeProcessQueue(RACING_OFFSET, last_pull_timestamp=NOW, last_lock_timestamp=NOW)

    def insert(queue: MessageQueue) -> None:
        table[queue] = racing
        client.environment.effects.append((IN, queue))

    if race:
        client.environment.meanwhile = insert
    entries = put(table, {queue: former})
    called = call(dialect, client, TOPIC, mq_set, entries)
    post, memory_after = dialect.post(table.get(queue), former, racing), str(offset_table.get(queue, ABSENT))
    return {**called.cells(queue, *NODE_OUTPUTS), "post": post, "memPost": memory_after}


ROWS = CallRows(
    {
        "ver": of_version(java.JAVA),
        "kind": one_of(java.KIND),
        "topic": one_of(QUEUES),
        "pre": unless(ABSENT, java.ENTRY),
        "inSet": flag,
        "argOrder": flag,
        "consumeOrderly": flag,
        "model": one_of(BROADCASTING),
        **if_asked(OF_JAVA, "lock", "off", "persist"),
        **{name: java.OUTPUTS[name] for name in OUTPUTS},
    },
    OUTPUTS,
    compute,
)
NODE_ROWS = CallRows(
    {
        "ver": of_version(node.NODE),
        "topic": one_of(QUEUES),
        "pre": unless(ABSENT, node.ENTRY),
        "inSet": flag,
        "model": one_of(BROADCASTING),
        "mem": unless(ABSENT, number),
        **if_asked(OF_NODE, "rpc", "max", "upd"),
        "race": unless(ABSENT, flag),
        **{name: node.OUTPUTS[name] for name in NODE_OUTPUTS},
    },
    NODE_OUTPUTS,
    compute_node,
    outputs_first=False,
)

FORMAT, NODE_FORMAT = ROWS.format(FILE), NODE_ROWS.format(NODE_FILE)
