"""What sets the recordings of one client apart from those of another."""

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
"""What of the model these recordings are compared with: what a client does with its table of queues."""
THROWN = (RuntimeException, ClientError)
"""What leaves a client's method."""


@dataclass(frozen=True)
class Dialect(Generic[Client_co]):
    """One version of a client, and how its recordings write what it has and does."""

    name: str
    """For sentences."""
    profile: Profile
    environment: Callable[[Mapping[MessageQueue, Answers]], Environment | NodeEnvironment]
    """One that answers so."""
    client: Callable[[Any, Settings], Client_co]
    """``client(environment, settings)``."""
    benign: Answers
    """The answers about any other queue, and where nothing else is said."""
    thrown: Callable[[Any], str]
    """What is written of an exception that has left a method."""
    state: Callable[[Any], str]
    """What is written of an entry, wherever it is."""
    state_in_table: Callable[[Any], str]
    """The same of one that is in the table."""

    def answers(self, row: Row, *columns: str) -> Answers:
        """What these columns give as fields of ``Answers``; the others are benign."""
        return self.benign._replace(**merged(row.read(*columns)))

    def post(self, found: ProcessQueue | None, former: ProcessQueue | None, racing: ProcessQueue | None = None) -> str:
        """What is in the table: the same entry, a new one, or one that somebody else has put there."""
        if found is None:
            return ABSENT
        origin = "S" if found is former else "R" if found is racing else "N"
        return f"{origin}:{self.state_in_table(found)}"


def of_version(dialects: Mapping[str, Dialect[Client]]) -> Reader:
    """A reader of versions; raises ``Unmodelled`` for any other."""

    def read(text: str, what: str) -> Dialect[Client]:
        if text not in dialects:
            raise Unmodelled(f"version {quoted(text)} is not modelled")
        return dialects[text]

    return read
