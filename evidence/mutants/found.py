"""For every mutant of a run: the test of concrete results on what the mutant does where the solvers found it wrong."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import singledispatch
from typing import Any

from rebalance_proofs.evidence.mutants import groups, rounds
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.model.worlds.groups import Groups
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import ClaimResult, MutantResult
from rebalance_proofs.proofs.solvers import Outcome
from rebalance_proofs.proofs.transition.scenario import Scenario
from rebalance_proofs.report.evidence import SelfTest

Sentence = Callable[[Claim, Any, Mapping[str, int], Sequence[int]], str | None]


@singledispatch
def sentence_of(world: object) -> Sentence:
    """How results are made of an encoding and a model, for claims under such a premise."""
    raise TypeError(f"no results for a premise of type {type(world).__name__}")


@sentence_of.register
def _(world: Groups) -> Sentence:
    return groups.sentence


@sentence_of.register
def _(world: Scenario) -> Sentence:
    return rounds.sentence


def violation_tests(results: Iterable[ClaimResult]) -> tuple[SelfTest, ...]:
    """One for each mutant of each claim that was proved."""
    return tuple(found_wrong(result.claim, mutant) for result in results for mutant in result.mutants)


def found_wrong(claim: Claim, found: MutantResult) -> SelfTest:
    """Whether the claim's ``violation`` finds something wrong in what the mutant does."""
    name = f"violation of {claim.id}: {found.name}"
    if found.violation is None:
        return SelfTest(name, False, "the solvers found nothing that it breaks")
    (mutant,) = (one for one in claim.subjects[0].mutants if (one.name, one.sentence) == (found.name, found.sentence))
    try:
        said = _sentence(claim, mutant, found)
    except Exception as error:
        return SelfTest(name, False, f"it raised {type(error).__name__}: {error}")
    return SelfTest(name, bool(said), said or "it found nothing wrong")


def _sentence(claim: Claim, mutant: Mutant, found: MutantResult) -> str | None:
    """The first sentence about a solver's model; the size is in the question's name."""
    size = [int(part) for part in found.violation.name.split("-")[1:]]
    models = (answer.model for answer in found.violation.answers if answer.outcome is Outcome.SAT)
    said = (sentence_of(claim.world)(claim, mutant.encoding, model, size) for model in models)
    return next(filter(None, said), None)
