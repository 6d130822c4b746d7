"""Known bugs, by version: where each is there, where it is not any more, and by which claim that is known."""

from rebalance_proofs.report.bugs.page import page

__all__ = ["page"]
