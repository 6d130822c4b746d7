"""Words for violations of guarantees about transitions."""

from rebalance_proofs.model.transition.rounds import Watched


def name(seen: Watched) -> str:
    """Return the display name of the queue: ``queue 0 of T``."""
    return f"queue {seen.queue.queue_id} of {seen.queue.topic}"


def done(seen: Watched) -> list[str]:
    """Return the names of the effects on the queue in the round, in order."""
    return [effect[0] for effect in seen.effects]
