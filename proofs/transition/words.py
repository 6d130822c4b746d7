"""Words for descriptions of violations of guarantees about rebalances."""

from rebalance_proofs.model.transition.rounds import Watched


def name(seen: Watched) -> str:
    """Return the display name of the watched queue: ``queue 0 of T``."""
    return f"queue {seen.queue.queue_id} of {seen.queue.topic}"


def done(seen: Watched) -> list[str]:
    """Return the names of the effects on the watched queue in one rebalance, in order."""
    return [effect[0] for effect in seen.effects]
