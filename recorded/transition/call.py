"""One call of a client's ``updateProcessQueueTableInRebalance``, and what came of it."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rebalance_proofs.model.client.effects import Effect
from rebalance_proofs.model.client.process_queue import ProcessQueue
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.transition.dialect import THROWN, Client, Dialect
from rebalance_proofs.recorded.transition.effects import NameOf, effects_cell
from rebalance_proofs.recorded.transition.entries import ABSENT

NOTHING = "none"
"""Of scheduled tasks: they ran and did nothing."""


@dataclass(frozen=True)
class Called:
    """The client after the call."""

    dialect: Dialect
    client: Client
    former: Mapping[MessageQueue, ProcessQueue]
    """The entries that were there before."""
    changed: str
    """1 or 0; ``-`` when an exception has left the method."""
    thrown: str
    effects: Sequence[Effect]

    @cached_property
    def later(self) -> Sequence[Effect]:
        """What the tasks do that were put off, when they are run after the call; only Java puts off any."""
        environment, before = self.client.environment, len(self.client.environment.effects)
        for task in environment.scheduled:
            task()
        return environment.effects[before:]

    def post(self, queue: MessageQueue) -> str:
        """What is in the table afterwards."""
        return self.dialect.post(self.client.process_queue_table.get(queue), self.former.get(queue))

    def old(self, queue: MessageQueue) -> str:
        """What has become of the queue's former entry."""
        return self.dialect.old(self.former.get(queue))

    def later_cell(self, name_of: NameOf = None) -> str:
        """``later`` as a row has it."""
        return effects_cell(self.later, name_of) if self.later or not self.client.environment.scheduled else NOTHING

    def cells(self, queue: MessageQueue, *columns: str) -> dict[str, str]:
        """Those of these outputs that are written alike wherever a call is about one queue."""
        return {column: CELLS[column](self, queue) for column in columns if column in CELLS}


CELLS: Mapping[str, Callable[[Called, MessageQueue], str]] = {
    "post": Called.post,
    "changed": lambda called, queue: called.changed,
    "exc": lambda called, queue: called.thrown,
    "old": Called.old,
    "effects": lambda called, queue: effects_cell(called.effects),
    "later": lambda called, queue: called.later_cell(),
}
"""Column -> the output."""


def call(
    dialect: Dialect,
    client: Client,
    topic: str,
    mq_set: Collection[MessageQueue],
    entries: Mapping[MessageQueue, ProcessQueue | None],
    *is_order: bool,
) -> Called:
    """Makes the call. ``entries`` are what the client has; ``is_order`` is what only Java is told."""
    former = {queue: entry for queue, entry in entries.items() if entry is not None}
    client.process_queue_table.update(former)
    changed, thrown = ABSENT, ABSENT
    try:
        changed = f"{client.update_process_queue_table_in_rebalance(topic, mq_set, *is_order):d}"
    except THROWN as error:
        thrown = dialect.thrown(error)
    return Called(dialect, client, former, changed, thrown, tuple(client.environment.effects))
