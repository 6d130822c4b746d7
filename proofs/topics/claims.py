"""Claims about the queues of several topics: each strategy with each guarantee."""

import rebalance_proofs.proofs.topics.observed  # noqa: F401  (registers how to run the client's code for several topics)
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.topics import STRATEGIES, TOPICS
from rebalance_proofs.proofs.allocation.stated import stated
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.topics.attained import ATTAINED
from rebalance_proofs.proofs.topics.level import LEVEL
from rebalance_proofs.proofs.topics.lowest_first import LOWEST_FIRST
from rebalance_proofs.proofs.topics.tilt import TILT

GUARANTEES: tuple[Guarantee, ...] = (LEVEL, TILT, ATTAINED, LOWEST_FIRST)

ANY_TOPICS = "for all numbers of queues, topics and consumers"


def claims(strategies: tuple[Strategy, ...] = STRATEGIES) -> tuple[Claim, ...]:
    """Return all claims about several topics, in the order of the ledger."""
    return tuple(
        stated("topics", (strategy,), one, TOPICS, holds=one.name in strategy.holds, scope=ANY_TOPICS)
        for strategy in strategies
        for one in GUARANTEES
    )
