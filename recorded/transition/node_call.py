"""One call of the Node client's ``updateProcessQueueTableInRebalance`` with one queue, and what a row says of it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rebalance_proofs.model.client.effects import IN
from rebalance_proofs.model.client.environment import Answers
from rebalance_proofs.model.client.node import Node, NodeProcessQueue
from rebalance_proofs.model.client.node_environment import NodeEnvironment
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.profiles.node import NODE
from rebalance_proofs.model.profiles.profile import ClientError
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.files import Line
from rebalance_proofs.recorded.tally import RowError, Tally, Unmodelled
from rebalance_proofs.recorded.text import quoted
from rebalance_proofs.recorded.transition.node_notation import ABSENT, NOW, VERSION, effect_text, state

RACING_OFFSET = 1
"""Where the racing entry's next pull begins."""


@dataclass(frozen=True)
class Call:
    """The inputs of a row."""

    topic: str
    """The method's argument."""
    queue: MessageQueue
    in_set: bool
    entry: NodeProcessQueue | None
    """The queue's entry before the call."""
    memory: int | None
    """The queue's offset in the offset store's memory."""
    answers: Answers
    settings: Settings
    race: bool
    """Somebody inserts the entry while the offset query is awaited."""


def outputs(call: Call) -> dict[str, str]:
    """What the model computes, by the names of the columns and in their notation."""
    environment = NodeEnvironment({call.queue: call.answers}, NOW)
    client = Node(environment, call.settings)
    table, memory = client.process_queue_table, client.offset_store.offset_table
    if call.entry is not None:
        table[call.queue] = call.entry
    if call.memory is not None:
        memory[call.queue] = call.memory
    racing = NodeProcessQueue(RACING_OFFSET, last_pull_timestamp=NOW, last_lock_timestamp=NOW)

    def insert(queue: MessageQueue) -> None:
        table[queue] = racing
        environment.effects.append((IN, queue))

    if call.race:
        environment.meanwhile = insert
    changed, thrown = ABSENT, ABSENT
    mq_set = (call.queue,) if call.in_set else ()
    try:
        changed = f"{client.update_process_queue_table_in_rebalance(call.topic, mq_set):d}"
    except ClientError as error:
        thrown = error.message
    return {
        "post": _post(table.get(call.queue), call.entry, racing),
        "changed": changed,
        "exc": thrown,
        "old": ABSENT if call.entry is None else state(call.entry),
        "memPost": str(memory.get(call.queue, ABSENT)),
        "effects": " ".join(map(effect_text, environment.effects)) or ABSENT,
    }


def _post(found: NodeProcessQueue | None, former: NodeProcessQueue | None, racing: NodeProcessQueue) -> str:
    if found is None:
        return ABSENT
    origin = "S" if found is former else "R" if found is racing else "N"
    return f"{origin}:{state(found)}:n{found.next_offset}"


def check_call(tally: Tally, line: Line, row: Mapping[str, str], call: Call, columns: Sequence[str]) -> None:
    """Every output is a check of its own; ``columns`` are those that the file has, its other columns are inputs."""
    for column in columns:
        if not SHAPES[column].fullmatch(row[column]):
            raise RowError(f"{column} is {quoted(row[column])}, which no call gives")
    if (row["changed"] == ABSENT) == (row["exc"] == ABSENT):
        raise RowError("a call either returns changed or throws exc")
    computed = outputs(call)
    inputs = ", ".join(f"{column} {cell}" for column, cell in row.items() if column not in ("ver", *columns))
    for column in columns:
        tally.compare(line, NODE, f"{column} for {inputs}", row[column], computed[column])


def check_version(version: str) -> None:
    """The row is of the version that is modelled."""
    if version != VERSION:
        raise Unmodelled(f"version {quoted(version)} is not modelled")


_EFFECT = r"[a-zA-Z]+(\([^ ]*\))?(=[^ ]+)?"
SHAPES = {
    "post": re.compile(r"-|[SNR]:d[01]l[01]:n-?\d+"),
    "changed": re.compile(r"[-01]"),
    "exc": re.compile(r".+"),
    "old": re.compile(r"-|d[01]l[01]"),
    "memPost": re.compile(r"-|-?\d+"),
    "effects": re.compile(rf"-|{_EFFECT}( {_EFFECT})*"),
}
"""What an output looks like."""
