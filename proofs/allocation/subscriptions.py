"""The claims about what is lost in a group whose members subscribe to different topics."""

from rebalance_proofs.model.allocation import STRATEGIES, Strategy
from rebalance_proofs.model.premises.same_subscription import SAME_SUBSCRIPTION
from rebalance_proofs.proofs.allocation import named
from rebalance_proofs.proofs.allocation.unread import UNREAD
from rebalance_proofs.proofs.claim import Claim, stated

RESTS_ON = {"disjoint", "covers", "shares"}
"""By name the guarantees without which shares have other sizes, or are not all that is left."""


def claims(strategies: tuple[Strategy, ...] = STRATEGIES) -> tuple[Claim, ...]:
    """All of them, in the order of the ledger: of strategies that give what the sizes of the shares rest on."""
    return tuple(_claim(strategy) for strategy in strategies if strategy.holds >= RESTS_ON)


def _claim(strategy: Strategy) -> Claim:
    return stated(
        "allocation",
        (strategy,),
        UNREAD,
        SAME_SUBSCRIPTION,
        about=named((strategy,)),
        holds=True,
        suffix=f".without-{SAME_SUBSCRIPTION.name}",
    )
