"""Mutants, each with the claim that it is expected to break."""

from dataclasses import replace

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.terms.values import Mutant
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.ledger import LEDGER


def broken(strategy: Strategy, mutant: Mutant) -> Claim:
    """The claim about the strategy, with all premises, that the mutant has to break; of several, the first."""
    named = [c for c in LEDGER if c.subjects == (strategy,) and mutant in c.mutants and mutant.name not in c.notices]
    proved = [claim for claim in named if claim.expected is Verdict.PROVED]
    found, *_ = [claim for claim in proved if not claim.world.dropped] or proved
    return found


def mutated(strategy: Strategy, mutant: Mutant) -> Claim:
    """That claim about the correct code and the mutant's encoding."""
    claim = broken(strategy, mutant)
    wrong = replace(strategy, name=mutant.name, encoding=mutant.encoding, mutants=())
    return replace(claim, subjects=(wrong,))


def all_mutants(*strategies: Strategy) -> dict[str, tuple[Strategy, Mutant]]:
    """(mutant name, strategy and mutant) of all mutants."""
    return {
        f"{strategy.name}-{mutant.name}": (strategy, mutant) for strategy in strategies for mutant in strategy.mutants
    }
