"""The rebalances of a scenario, unrolled as terms.

Guarantees about rebalances are stated about them.
"""

from dataclasses import dataclass
from functools import cached_property
from types import SimpleNamespace

from rebalance_proofs.model.transition.step import TransitionEncoding
from rebalance_proofs.model.transition.view import Table
from rebalance_proofs.proofs.transition.scenario import Scenario


@dataclass(frozen=True)
class SymbolicRounds:
    """Rebalances of a client with ``queues`` queues, as terms.

    The initial state and the answers are any that the scenario allows.
    """

    scenario: Scenario
    encoding: TransitionEncoding
    v: SimpleNamespace
    """The terms for the unknowns, by name (``Scenario.names``); the mode of use may be fixed."""
    queues: int

    @cached_property
    def table(self) -> Table:
        """Return the states and effects of the queues through all rebalances, in the client's order."""
        return self.table_of(self.encoding)

    def table_of(self, encoding: TransitionEncoding) -> Table:
        """Return the same as ``table``, but by another client's encoding."""
        return self.scenario.table(encoding, self.v, self.queues)
