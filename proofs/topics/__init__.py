"""The claims about several topics: each strategy with each guarantee."""

import proofs.topics.observed  # noqa: F401  (what the client's code returns for several topics)
from model.allocation.strategy import Strategy
from model.topics import STRATEGIES, TOPICS
from proofs.claim import Claim, stated
from proofs.guarantee import Guarantee
from proofs.topics.attained import ATTAINED
from proofs.topics.level import LEVEL
from proofs.topics.lowest_first import LOWEST_FIRST
from proofs.topics.tilt import TILT

GUARANTEES: tuple[Guarantee, ...] = (LEVEL, TILT, ATTAINED, LOWEST_FIRST)

ANY_TOPICS = "for all numbers of queues, topics and consumers"


def claims(strategies: tuple[Strategy, ...] = STRATEGIES) -> tuple[Claim, ...]:
    """All of them, in the order of the ledger."""
    return tuple(_claim(strategy, guarantee) for strategy in strategies for guarantee in GUARANTEES)


def _claim(strategy: Strategy, guarantee: Guarantee) -> Claim:
    return stated(
        "topics",
        (strategy,),
        guarantee,
        TOPICS,
        about=strategy.rocketmq_name,
        holds=guarantee.name in strategy.holds,
        scope=ANY_TOPICS,
    )
