"""Replay a counterexample about a rebalance from its trace."""

from collections.abc import Sequence

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.transition.rounds import Rounds
from rebalance_proofs.model.transition.variables import CONSUMER, QUEUE, ROUND, Case, Variable, name_of
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.numerals import truth
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.transition.scenario import numbers_of
from rebalance_proofs.proofs.transition.search import run_case
from rebalance_proofs.report.replayable import NotARun, Ran, Recipe, Replayable, integer

QUEUES = 8
"""Largest number of queues in a trace that can be replayed."""


def _recipe(claim: Claim, example: Counterexample) -> tuple[Recipe, Sequence[Recipe]]:
    found: Rounds = example.group
    return {"mode": found.mode.name, "queues": example.queues, "unusual": _unusual(found.case)}, ()


def _unusual(case: Case) -> dict[str, int]:
    """Return input name -> value, for all inputs of the case that differ from their defaults."""
    every = {known.name: (known, case.consumer[known.name]) for known in CONSUMER}
    for place, numbers in enumerate(case.queues):
        every |= {name_of(known.name, place): (known, numbers[known.name]) for known in QUEUE}
    for number, round_ in enumerate(case.rounds):
        for place, asked in enumerate(round_):
            every |= {name_of(known.name, place, number): (known, asked[known.name]) for known in ROUND}
    return {name: value for name, (known, value) in every.items() if value != known.benign}


def _run(claim: Claim, whole: Recipe, steps: Sequence[Recipe]) -> Ran:
    scenario, queues, unusual = claim.world, integer(whole, "queues", 1, QUEUES), whole.get("unusual")
    mode = next((one for one in scenario.modes if one.name == whole.get("mode")), None)
    if mode is None:
        raise NotARun(f"'mode' is not a mode of the claim: {', '.join(one.name for one in scenario.modes)}")
    known = dict(scenario.unknowns(queues))
    if not isinstance(unusual, dict) or not set(unusual) <= set(known):
        raise NotARun("'unusual' has an unknown name")
    for name, value in unusual.items():
        if type(value) is not int or abs(value) > 2**53 or not _can_be(known[name], value):
            raise NotARun(f"{name!r} cannot be {value!r}")
    case = numbers_of(unusual, queues, scenario.rounds)
    if not scenario.admits(case, mode):
        raise NotARun("the case is outside the claim's scope")
    rounds = run_case(scenario, claim.subjects[0], mode, case)
    sentence = claim.guarantee.violation(rounds) or ""
    return Ran(Counterexample(1, queues, (), rounds, sentence, case.departures))


def _can_be(known: Variable, value: int) -> bool:
    return all(map(truth, known.in_range(smt.IntVal(value))))


AGAIN = Replayable(_recipe, _run)
