"""Check ``store.tsv``: rebalances of a Java client whose offset store queries a broker.

The client is modelled together with its offset store.
"""

from rebalance_proofs.model.client.environment import MEMORY
from rebalance_proofs.model.client.offset_stores import RemoteBrokerOffsetStore
from rebalance_proofs.model.client.rebalance import RebalanceImpl
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.rows import TOPIC, Row, flag, number, unless, words
from rebalance_proofs.recorded.transition import java
from rebalance_proofs.recorded.transition.calls import CallRows, call, put
from rebalance_proofs.recorded.transition.notation import ABSENT, NOW, OF_JAVA_STORE, Dialect, if_asked, of_version

FILE = "transition/store.tsv"
OUTPUTS = ("post", "changed", "exc", "memPost", "effects")
QUEUE = MessageQueue(TOPIC, "b0", 0)


def compute(dialect: Dialect[RebalanceImpl], row: Row) -> dict[str, str]:
    """Return the model's outputs: effects on one queue, and its offset in memory afterwards."""
    row.read("table")
    answers = {QUEUE: dialect.answers(row, *OF_JAVA_STORE)}
    understood = dialect.client(dialect.environment({}), Settings()).broker_exception_is_not_found
    store = RemoteBrokerOffsetStore(answers, NOW, broker_exception_is_not_found=understood)
    memory, order = row["mem"], row["order"]
    if memory is not None:
        store.offset_table[QUEUE] = memory
    client = dialect.client(store, Settings(orderly=order))
    former, mq_set = row["pre"], (QUEUE,) if row["inSet"] else ()
    entries = put(client.process_queue_table, {QUEUE: former})
    cells = call(dialect, client, TOPIC, mq_set, entries, order).cells(QUEUE, *OUTPUTS)
    return {**cells, "memPost": str(store.read_offset(QUEUE, MEMORY))}


ROWS = CallRows(
    {
        "ver": of_version(java.JAVA),
        "table": words("store"),  # the file is one part of a larger recording
        "pre": unless(ABSENT, java.ENTRY),
        "mem": unless(ABSENT, number),
        "inSet": flag,
        "order": flag,
        **if_asked(OF_JAVA_STORE, *OF_JAVA_STORE),
        **{name: java.OUTPUTS[name] for name in OUTPUTS},
    },
    OUTPUTS,
    compute,
)

FORMAT = ROWS.format(FILE)
