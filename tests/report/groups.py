"""Counterexamples made without a solver."""

from rebalance_proofs.model.allocation import STRATEGIES
from rebalance_proofs.model.worlds.groups import Groups
from rebalance_proofs.model.worlds.grows import GROWS
from rebalance_proofs.model.worlds.joins import JOINS
from rebalance_proofs.proofs.allocation.claims import GUARANTEES
from rebalance_proofs.proofs.allocation.search import violated
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.kinds import smallest

AVG, CIRCLE = STRATEGIES[:2]


def counterexample(guarantee: str, world: Groups, n: int, q: int, values: tuple[int, ...], *strategies):
    """The group with these digits; it has to violate the guarantee."""
    group = world.group(strategies or (AVG,), n, q, values)
    sentence = violated(next(found for found in GUARANTEES if found.name == guarantee), group)
    assert sentence is not None
    return Counterexample(n, q, values, group, sentence)


def smallest_of(claim_id: str) -> Counterexample:
    """The smallest counterexample of a claim of the ledger."""
    (claim,) = select([claim_id])
    return smallest(claim)


def grown(strategy, n: int, q: int, first: int, new: int) -> Counterexample:
    """A group after queues were added, violating or not."""
    values = first, new - 1
    return Counterexample(n, q, values, GROWS.group((strategy,), n, q, values), "it is so.")


def joined(strategy, n: int, q: int, joiner: int) -> Counterexample:
    """A group that a consumer has joined, violating or not."""
    return Counterexample(n, q, (joiner,), JOINS.group((strategy,), n, q, (joiner,)), "it is so.")
