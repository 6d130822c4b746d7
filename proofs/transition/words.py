"""Words for what guarantees about transitions found."""

from rebalance_proofs.model.transition.rounds import Watched


def name(seen: Watched) -> str:
    """Display name of the queue: ``queue 0 of T``."""
    return f"queue {seen.queue.queue_id} of {seen.queue.topic}"


def done(seen: Watched) -> list[str]:
    """The names of the effects on the queue in the round, in order."""
    return [effect[0] for effect in seen.effects]
