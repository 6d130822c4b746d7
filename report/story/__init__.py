"""A counterexample of a claim about transitions as a story: who did what, what changed, which sentence broke."""

from rebalance_proofs.report.story.tell import story

__all__ = ["story"]
