"""What is claimed about ordered consumption."""

from functools import cache

from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.ordered import exact, exclusive
from rebalance_proofs.proofs.ordered.circumstances import needed
from rebalance_proofs.proofs.ordered.run import Run
from rebalance_proofs.proofs.ordered.situation import NAMES
from rebalance_proofs.proofs.ordered.sources import ORDERLY

__all__ = ["exact_limits", "exclusive_listener"]


@cache
def exclusive_listener(client: OrderedClient) -> Guarantee:
    """At no time do the listeners of two consumers run on one queue."""
    return Guarantee(
        "exclusive",
        "at no time do the listeners of two consumers run on the same queue",
        ORDERLY,
        lambda world: tuple(exclusive.obligations(client, world)) if not needed(client, world.name) else (),
        lambda found: found.both,
        _both_run,
    )


@cache
def exact_limits(client: OrderedClient) -> Guarantee:
    """Outside of the condition of time, whatever the limits, two listeners can run on one queue."""
    return Guarantee(
        "exact",
        "whenever the limits of time do not meet its condition, two listeners can run on the same queue",
        ORDERLY,
        lambda world: tuple(exact.obligations(client, world)),
        lambda found: found.both,
        lambda run: None,
    )


def _both_run(run: Run) -> str | None:
    """Since when."""
    if not run.both:
        return None
    one, two = NAMES
    return f"at {run.seen[-1].at / 1000:,.3f} s the listeners of {one} and of {two} run on the same queue."
