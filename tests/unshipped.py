"""Strategies that no client ships, added as docs/how-to/add-a-strategy.md describes.

They are registered like the others. Requirements beyond the claims, on the project's own pages and on the clients'
strategies, do not apply to them.
"""

from rebalance_proofs.model.allocation import ALL
from rebalance_proofs.report.names import shippers

UNSHIPPED = tuple(strategy for strategy in ALL if not shippers(strategy))
