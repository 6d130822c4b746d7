"""The ledger page of the documentation, generated from the claims."""

from report.ledger.page import page

__all__ = ["page"]
