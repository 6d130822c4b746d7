"""Symptoms and what can be behind them: for people with a group that misbehaves, and for tools."""

from rebalance_proofs.report.symptoms.page import page

__all__ = ["page"]
