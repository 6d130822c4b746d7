"""The moves of a change under each strategy, with their evidence and a plan."""

from dataclasses import dataclass

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.report.claims.mark import Mark
from rebalance_proofs.report.index.entries import mark_of_strategy
from rebalance_proofs.report.moves.by_name import Order, given_ids, over_ids
from rebalance_proofs.report.moves.change import Change, by_index
from rebalance_proofs.report.moves.moved import KAFKA
from rebalance_proofs.report.moves.several import How, Planned, Range, at_once, one_by_one, planned

STEPS = {AVERAGELY.name: ("movement.avg.moved",), AVERAGELY_BY_CIRCLE.name: ("movement.circle.kept",)}
"""Strategy -> claims that prove the moves of each single join or leave."""


@dataclass(frozen=True)
class Changed:
    """Moves under one strategy."""

    strategy: Strategy
    once: Range
    """Moves if all events happen before the first rebalance."""
    single: Range
    """Moves if each event is followed by a rebalance."""
    shares: tuple[int, int]
    """The smallest and the largest share after the change."""
    plan: tuple[Planned, ...] | Order
    """Events with the fewest moves, one by one: positions, or given ids."""
    plan_how: How
    steps: tuple[str, ...]
    """Ids of claims that prove the moves of each single event; empty if they are computed."""

    @property
    def rocketmq(self) -> bool:
        """True for a strategy of RocketMQ, false for one of Kafka."""
        return self.strategy not in KAFKA

    @property
    def level(self) -> bool:
        """True if no consumer has two queues more than another after the change."""
        return self.shares[1] - self.shares[0] <= 1

    @property
    def mark(self) -> Mark:
        """Return the conformance mark of the strategy's code."""
        return mark_of_strategy(self.strategy.name)


def changed(strategy: Strategy, change: Change) -> Changed:
    """Return the moves under the strategy, over all positions or for the given ids."""
    if change.named:
        found = given_ids(strategy, change, change.named)
        return Changed(strategy, found.once, found.single, found.shares, found.plan, found.plan.how, ())
    form = by_index(strategy)
    if form:
        owners = form(change.grown or change.queues, change.after)
        counts = [owners.count(index) for index in range(change.after)]
        plan, how = planned(strategy, change)
        once, single = at_once(strategy, change), one_by_one(strategy, change)
        steps = () if change.grown else STEPS.get(strategy.name, ())
        return Changed(strategy, once, single, (min(counts), max(counts)), tuple(plan), how, steps)
    free = over_ids(strategy, change)
    return Changed(strategy, free.once, free.single, free.shares, free.plan, free.plan.how, ())
