"""Dialects: how recordings of different clients write the same things."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from rebalance_proofs.model.client.environment import Answers, Environment
from rebalance_proofs.model.client.errors import RuntimeException
from rebalance_proofs.model.client.node import Node
from rebalance_proofs.model.client.node_environment import NodeEnvironment
from rebalance_proofs.model.client.process_queue import ProcessQueue
from rebalance_proofs.model.client.rebalance import RebalanceImpl
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.profiles.profile import ClientError, Profile
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.rows import Reader, Row, Unmodelled
from rebalance_proofs.recorded.text import quoted
from rebalance_proofs.recorded.transition.notation import ABSENT, merged

Client = RebalanceImpl | Node
Client_co = TypeVar("Client_co", bound=Client, covariant=True)
REBALANCE = "rebalance"
"""Name of the part of the model that is checked here: a client's process queue table."""
THROWN = (RuntimeException, ClientError)
"""Exception types of the model that a client's method can raise."""


@dataclass(frozen=True)
class Dialect(Generic[Client_co]):
    """One version of a client, and the notation of its recordings."""

    name: str
    """Name of the client and its version, for messages."""
    profile: Profile
    environment: Callable[[Mapping[MessageQueue, Answers]], Environment | NodeEnvironment]
    """Function ``environment(answers)`` that returns an environment with these answers."""
    client: Callable[[Any, Settings], Client_co]
    """Function ``client(environment, settings)`` that returns a new client of the model."""
    benign: Answers
    """Answers of the broker for queues and fields that a row does not give."""
    thrown: Callable[[Any], str]
    """Function that returns a thrown exception as text."""
    state: Callable[[Any], str]
    """Function that returns a process queue as text, whether it is in the table or not."""
    state_in_table: Callable[[Any], str]
    """Function that returns a process queue in the table as text."""

    def answers(self, row: Row, *columns: str) -> Answers:
        """Return the broker's answers in these columns.

        Fields that no column gives have default values.
        """
        return self.benign._replace(**merged(row.read(*columns)))

    def post(self, found: ProcessQueue | None, former: ProcessQueue | None, racing: ProcessQueue | None = None) -> str:
        """Return the process queue in the table as text: ``S`` (the same), ``N`` (new) or ``R``.

        ``R`` is a process queue that a concurrent call has added.
        """
        if found is None:
            return ABSENT
        origin = "S" if found is former else "R" if found is racing else "N"
        return f"{origin}:{self.state_in_table(found)}"


def of_version(dialects: Mapping[str, Dialect[Client]]) -> Reader:
    """Return a reader that converts a version to its dialect.

    The reader raises ``Unmodelled`` for an unknown version.
    """

    def read(text: str, what: str) -> Dialect[Client]:
        if text not in dialects:
            raise Unmodelled(f"version {quoted(text)} is not modelled")
        return dialects[text]

    return read
