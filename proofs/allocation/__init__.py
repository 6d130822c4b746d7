"""The claims about allocation: each strategy with each guarantee, and without each premise."""

from itertools import combinations

from rebalance_proofs.model.allocation import STRATEGIES, Strategy
from rebalance_proofs.model.premises import PREMISES
from rebalance_proofs.model.worlds.agreed import AGREED
from rebalance_proofs.model.worlds.groups import Groups
from rebalance_proofs.proofs.allocation.balanced import BALANCED
from rebalance_proofs.proofs.allocation.contiguous import CONTIGUOUS
from rebalance_proofs.proofs.allocation.covers import COVERS
from rebalance_proofs.proofs.allocation.disjoint import DISJOINT
from rebalance_proofs.proofs.allocation.idle import IDLE
from rebalance_proofs.proofs.allocation.served import SERVED
from rebalance_proofs.proofs.allocation.shares import SHARES
from rebalance_proofs.proofs.allocation.sublist import SUBLIST
from rebalance_proofs.proofs.claim import Claim, stated
from rebalance_proofs.proofs.guarantee import Guarantee

GUARANTEES: tuple[Guarantee, ...] = (DISJOINT, COVERS, SUBLIST, BALANCED, SHARES, IDLE, SERVED, CONTIGUOUS)


def claims(strategies: tuple[Strategy, ...] = STRATEGIES) -> tuple[Claim, ...]:
    """All of them, in the order of the ledger."""
    return tuple(
        [
            promise(strategy, guarantee)
            for strategy in strategies
            for guarantee in GUARANTEES
            if guarantee.name in strategy.holds | strategy.fails
        ]
        + [
            dependence(chosen, guarantee, world)
            for world in PREMISES
            for chosen in combinations(strategies, world.subjects)
            for guarantee in GUARANTEES
            if world in guarantee.without and all(depends(strategy, guarantee, world) for strategy in chosen)
        ]
    )


def depends(strategy: Strategy, guarantee: Guarantee, world: Groups) -> bool:
    """Whether there is something to claim about the strategy's guarantee without the premise."""
    return guarantee.name in strategy.holds and f"{guarantee.name}.without-{world.name}" not in strategy.unclaimed


def promise(strategy: Strategy, guarantee: Guarantee) -> Claim:
    """The strategy gives the guarantee, or does not, when all premises hold."""
    return stated(
        "allocation",
        (strategy,),
        guarantee,
        AGREED,
        about=named((strategy,)),
        holds=guarantee.name in strategy.holds,
        obligations=guarantee.obligations,
    )


def dependence(strategies: tuple[Strategy, ...], guarantee: Guarantee, world: Groups) -> Claim:
    """The guarantee is given even without the premise (most often it is not)."""
    holds = world.name in guarantee.withstands
    return stated(
        "allocation",
        strategies,
        guarantee,
        world,
        about=named(strategies),
        holds=holds,
        obligations=guarantee.obligations_without(world) if holds else (),
        suffix=f".without-{world.name}",
        even_if=world.otherwise,
    )


def named(strategies: tuple[Strategy, ...]) -> str:
    """The strategies by their names, and what of the topic the claim is about: the beginning of its sentence."""
    shown = " and ".join(strategy.rocketmq_name for strategy in strategies)
    over = [strategy.over for strategy in strategies if strategy.over]
    return f"{shown}, {over[0]}" if over else shown
