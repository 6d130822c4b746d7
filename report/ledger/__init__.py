"""The ledger page of the documentation, generated from the claims."""

from rebalance_proofs.report.ledger.page import page

__all__ = ["page"]
