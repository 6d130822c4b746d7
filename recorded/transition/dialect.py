"""Dialects: the differences between the recordings of different clients."""

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
"""The name of the part of the model that these recordings check: a client's handling of its table of queues."""
THROWN = (RuntimeException, ClientError)
"""The exceptions that can leave a client's method."""


@dataclass(frozen=True)
class Dialect(Generic[Client_co]):
    """One version of a client, and the notation of its recordings."""

    name: str
    """The client and version in words, for sentences."""
    profile: Profile
    environment: Callable[[Mapping[MessageQueue, Answers]], Environment | NodeEnvironment]
    """``environment(answers)``: an environment with these answers."""
    client: Callable[[Any, Settings], Client_co]
    """``client(environment, settings)``: a new client."""
    benign: Answers
    """The default answers, for queues and fields without others."""
    thrown: Callable[[Any], str]
    """The text for an exception that has left a method."""
    state: Callable[[Any], str]
    """The text for an entry, in the table or not."""
    state_in_table: Callable[[Any], str]
    """The text for an entry in the table."""

    def answers(self, row: Row, *columns: str) -> Answers:
        """The ``Answers`` that these columns give; other fields are benign."""
        return self.benign._replace(**merged(row.read(*columns)))

    def post(self, found: ProcessQueue | None, former: ProcessQueue | None, racing: ProcessQueue | None = None) -> str:
        """The text for the table's entry, after ``S`` (the former), ``N`` (a new one) or ``R`` (a racing call's)."""
        if found is None:
            return ABSENT
        origin = "S" if found is former else "R" if found is racing else "N"
        return f"{origin}:{self.state_in_table(found)}"


def of_version(dialects: Mapping[str, Dialect[Client]]) -> Reader:
    """A reader of versions as dialects; raises ``Unmodelled`` for an unknown one."""

    def read(text: str, what: str) -> Dialect[Client]:
        if text not in dialects:
            raise Unmodelled(f"version {quoted(text)} is not modelled")
        return dialects[text]

    return read
