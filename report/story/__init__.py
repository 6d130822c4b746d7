"""A counterexample of a claim about transitions as a story: who did what, what changed, which sentence broke."""

from report.story.tell import story

__all__ = ["story"]
