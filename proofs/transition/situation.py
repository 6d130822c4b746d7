"""Unrolling of a scenario's rounds as terms.

Guarantees about transitions are stated about it.
"""

from dataclasses import dataclass
from functools import cached_property
from types import SimpleNamespace

from rebalance_proofs.model.transition.step import TransitionEncoding
from rebalance_proofs.model.transition.view import Table
from rebalance_proofs.proofs.transition.scenario import Scenario


@dataclass(frozen=True)
class SymbolicRounds:
    """A client's table of ``queues`` queues, in any state, with any answers that the scenario admits."""

    scenario: Scenario
    encoding: TransitionEncoding
    v: SimpleNamespace
    """The unknowns by name (``Scenario.names``); the mode may be fixed."""
    queues: int

    @cached_property
    def table(self) -> Table:
        """Return the queues through the rounds, in the client's order."""
        return self.table_of(self.encoding)

    def table_of(self, encoding: TransitionEncoding) -> Table:
        """Return the table of the same queues under another client's encoding."""
        return self.scenario.table(encoding, self.v, self.queues)
