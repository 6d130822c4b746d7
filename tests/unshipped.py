"""Strategies that no client ships: those that somebody has added as docs/adding-a-strategy.md says.

They stand in the registry like the others. What the project asks of its own pages and of the clients' strategies beyond
the claims does not go for them.
"""

from rebalance_proofs.model.allocation import ALL
from rebalance_proofs.report.names import shippers

UNSHIPPED = tuple(strategy for strategy in ALL if not shippers(strategy))
