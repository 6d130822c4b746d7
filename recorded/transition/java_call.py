"""Calls of the Java client's ``updateProcessQueueTableInRebalance``, for the formats of which a row is one call."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rebalance_proofs.model.client.effects import Effect
from rebalance_proofs.model.client.environment import Environment
from rebalance_proofs.model.client.errors import RuntimeException
from rebalance_proofs.model.client.java_v4_9 import JavaV4_9
from rebalance_proofs.model.client.java_v5_0 import JavaV5_0
from rebalance_proofs.model.client.java_v5_3_2 import JavaV5_3_2
from rebalance_proofs.model.client.process_queue import ProcessQueue
from rebalance_proofs.model.client.rebalance import RebalanceImpl
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.files import Line
from rebalance_proofs.recorded.tally import RowError, Tally, Unmodelled
from rebalance_proofs.recorded.text import quoted
from rebalance_proofs.recorded.transition import java_hash
from rebalance_proofs.recorded.transition.java_notation import ABSENT, NOTHING, cell, effects_text, thrown_text
from rebalance_proofs.recorded.tsv import cells

VERSIONS: Mapping[str, type[RebalanceImpl]] = {"4.9.8": JavaV4_9, "5.1.4": JavaV5_0, "5.3.3": JavaV5_3_2}
"""The versions that were observed, and the model of each."""


def client_name(version: str) -> str:
    """For sentences."""
    return f"java {version}"


def java_client(version: str, environment: Environment, settings: Settings) -> RebalanceImpl:
    """A client of that version, which goes through its tables as Java does."""
    client = VERSIONS[version](environment, settings)
    sized = java_hash.SIZED_BY_4_9 if isinstance(client, JavaV4_9) else java_hash.SIZED

    def iterate(table: str, queues: Collection[Any]) -> Iterable[Any]:
        return java_hash.iterate(table, queues, len(client.process_queue_table), sized)

    client.iterate = iterate
    return client


@dataclass
class Called:
    """One call, and what came of it."""

    client: RebalanceImpl
    changed: str
    """1 or 0; ``-`` when an exception has left the method."""
    thrown: str
    effects: Sequence[Effect]
    scheduled: int
    """How many tasks were put off."""
    later: Sequence[Effect]
    """What these do when they are run after the call."""
    former: Mapping[MessageQueue, ProcessQueue] = field(default_factory=dict)
    """The entries that were there before."""

    def later_cell(self, name_of: Callable[[MessageQueue], str] | None = None) -> str:
        """``later`` as a row has it."""
        return cell(effects_text(self.later, name_of)) if self.later or not self.scheduled else NOTHING


def call(
    client: RebalanceImpl,
    topic: str,
    mq_set: Collection[MessageQueue],
    is_order: bool,
    entries: Mapping[MessageQueue, ProcessQueue],
) -> Called:
    """The call, and then all tasks that it has scheduled."""
    environment = client.environment
    client.process_queue_table.update(entries)
    changed, thrown = ABSENT, ABSENT
    try:
        changed = f"{client.update_process_queue_table_in_rebalance(topic, mq_set, is_order):d}"
    except RuntimeException as error:
        thrown = thrown_text(error)
    during = len(environment.effects)
    for task in environment.scheduled:
        task()
    effects = environment.effects
    return Called(
        client, changed, thrown, effects[:during], len(environment.scheduled), effects[during:], dict(entries)
    )


def named_cells(text: str, columns: Sequence[str], outputs: Sequence[str]) -> dict[str, str]:
    """A row's cells by column, of a version that is modelled, and the outputs well-formed."""
    row = dict(zip(columns, cells(text, columns), strict=True))
    if row["ver"] not in VERSIONS:
        raise Unmodelled(f"version {quoted(row['ver'])} is not modelled")
    for column in outputs:
        if not SHAPES[column.rstrip("AB")].fullmatch(row[column]):
            raise RowError(f"{column} is {quoted(row[column])}, which no call gives")
    if "exc" in row and (row["changed"] == ABSENT) == (row["exc"] == ABSENT):
        raise RowError("a call either returns changed or throws exc")
    return row


def compare_cells(tally: Tally, line: Line, row: Mapping[str, str], computed: Mapping[str, str]) -> None:
    """Every output is a check of its own."""
    inputs = ", ".join(f"{column} {text}" for column, text in row.items() if column not in computed and column != "ver")
    for column, text in computed.items():
        tally.compare(line, client_name(row["ver"]), f"{column} for {inputs}", row[column], text)


_EFFECT = r"[a-zA-Z+]+(\[\w+\])?(\([^ ]*\))?(=[^ ]+)?(@\w+)?"
SHAPES = {
    "post": re.compile(r"-|[SN]:d[01]l[01]t\d+"),
    "changed": re.compile(r"[-01]"),
    "exc": re.compile(r".+"),
    "old": re.compile(r"-|d[01]l[01]t\d+"),
    "memPost": re.compile(r"-?\d+"),
    "effects": re.compile(rf"-|{_EFFECT}( {_EFFECT})*"),
    "later": re.compile(rf"-|{_EFFECT}( {_EFFECT})*"),
    "withException": re.compile(r"-?\d+|[A-Z]\w+"),
    "computePullFromWhere": re.compile(r"-?\d+|[A-Z]\w+"),
    "tableOrder": re.compile(r"-|A|B|AB|BA"),
    "setOrder": re.compile(r"-|A|B|AB|BA"),
    "independent": re.compile(r"[01]"),
}
"""What an output looks like."""
