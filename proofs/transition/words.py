"""How promises name what they found."""

from rebalance_proofs.model.transition.rounds import Watched


def name(seen: Watched) -> str:
    """The queue, for people: ``queue 0 of T``."""
    return f"queue {seen.queue.queue_id} of {seen.queue.topic}"


def done(seen: Watched) -> list[str]:
    """What was done with the queue in the round, effect by effect."""
    return [effect[0] for effect in seen.effects]
