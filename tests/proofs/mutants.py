"""Mutants, each with the claim that it names."""

from dataclasses import replace

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.ledger import LEDGER


def broken(strategy: Strategy, mutant: Mutant) -> Claim:
    """What is claimed of the strategy, all premises holding, and has to fail for the mutant."""
    named = [c for c in LEDGER if c.subjects == (strategy,) and mutant in c.mutants and mutant.name not in c.notices]
    proved = [claim for claim in named if claim.expected is Verdict.PROVED]
    (found,) = [claim for claim in proved if not claim.world.dropped] or proved
    return found


def mutated(strategy: Strategy, mutant: Mutant) -> Claim:
    """The same claim about the right code and the wrong encoding."""
    claim = broken(strategy, mutant)
    wrong = replace(strategy, name=mutant.name, encoding=mutant.encoding, mutants=())
    return replace(claim, subjects=(wrong,))


def all_mutants(*strategies: Strategy) -> dict[str, tuple[Strategy, Mutant]]:
    """By name."""
    return {
        f"{strategy.name}-{mutant.name}": (strategy, mutant) for strategy in strategies for mutant in strategy.mutants
    }
