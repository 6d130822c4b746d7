"""Symptoms of a misbehaving group and their possible causes, for people and for tools."""

from rebalance_proofs.report.symptoms.page import page

__all__ = ["page"]
