"""What is claimed about ordered consumption."""

from functools import cache

import z3

from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.terms.truth import NO
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.happens import NAMES
from rebalance_proofs.proofs.ordered import exact, exclusive, let_go, local
from rebalance_proofs.proofs.ordered.circumstances import needed
from rebalance_proofs.proofs.ordered.inductive import rely
from rebalance_proofs.proofs.ordered.run import Run
from rebalance_proofs.proofs.ordered.situation import Situation
from rebalance_proofs.proofs.ordered.sources import LOCAL_LOCK, LOCK, ORDERLY

__all__ = ["LET_GO", "LOCAL", "MIXED", "exact_limits", "exclusive_listener", "is_exclusive", "kept_so_long"]


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


def is_exclusive(claim: Claim) -> bool:
    """The claim is that no two listeners run: the one that is sought for, and explored."""
    return claim.guarantee is exclusive_listener(claim.subjects[0])


def _not_sought(found: Situation) -> z3.BoolRef:
    """Of what is only proved: no schedule of two consumers is sought against it."""
    return NO


def _not_seen(run: Run) -> str | None:
    return None


@cache
def exact_limits(client: OrderedClient) -> Guarantee:
    """Outside of the condition of time, whatever the limits, two listeners can run on one queue."""
    return Guarantee(
        "exact",
        "whenever the limits of time do not meet its condition, two listeners can run on the same queue",
        ORDERLY,
        lambda world: tuple(exact.obligations(client, world)),
        _not_sought,
        _not_seen,
    )


LOCAL = Guarantee(
    "local",
    "in one consumer at most one call of the listener is under way for a queue, whatever entries of it come and go",
    LOCAL_LOCK,
    lambda world: tuple(local.obligations()),
    _not_sought,
    _not_seen,
)
LET_GO = Guarantee(
    "let-go",
    "when its entry of a queue has left, a consumer keeps the broker's lock no longer than for the broker's limit "
    "after the last moment at which a request for it can arrive",
    ORDERLY,
    lambda world: tuple(let_go.obligations()),
    _not_sought,
    _not_seen,
)

MIXED = Guarantee(
    "mixed",
    "whatever its consumers do to the broker's lock of a queue, in any state and with any limits of its own, is what "
    "`exclusive` of every other client relies on, with which it may share a group: they take the lock when it is their "
    "own, free or has run out, give their own back, or leave it as it is",
    LOCK,
    lambda world: (rely(),),
    _not_sought,
    _not_seen,
)


@cache
def kept_so_long(client: OrderedClient) -> Guarantee:
    """No shorter time is enough."""
    return Guarantee(
        "kept-so-long",
        "whatever the limits are, a consumer can keep the lock of a queue whose entry has left for the broker's limit "
        "after the last moment at which a request for it can arrive",
        ORDERLY,
        lambda world: tuple(let_go.longest(client)),
        _not_sought,
        _not_seen,
    )


def _both_run(run: Run) -> str | None:
    """Since when."""
    if not run.both:
        return None
    one, two = NAMES
    return f"at {run.seen[-1].at / 1000:,.3f} s the listeners of {one} and of {two} run on the same queue."
