"""Verdicts from the solvers' answers: unknown is never a pass, and a contradiction overrides everything."""

from dataclasses import replace

import pytest

from rebalance_proofs.model.allocation import STRATEGIES
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.prove import judge
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.results import Counterexample, MutantResult, ObligationResult, Search
from rebalance_proofs.proofs.solvers import Answer, Outcome


def question(name: str, *outcomes: str) -> Question:
    answers = [
        Answer(solver, Outcome(outcome), 0.1, reason="" if outcome in ("sat", "unsat") else f"{solver} said {outcome}")
        for solver, outcome in zip(("z3", "cvc5"), outcomes, strict=False)
    ]
    return Question(name, "(check-sat)", tuple(answers))


def obligation(*outcomes: str, met: tuple[str, ...] | None = ("sat", "unknown"), **changes) -> ObligationResult:
    premises = None if met is None else question("step.premises", *met)
    return replace(ObligationResult("step", "It holds.", question("step", *outcomes), premises, True), **changes)


def found(*outcomes: str, example: bool = True, **changes) -> Search:
    group = AGREED.group(STRATEGIES[:1], 2, 3, ())
    counterexample = Counterexample(2, 3, (), group, "queue 0 has no consumer.") if example else None
    return replace(Search((question("consumers-2", *outcomes),), counterexample, True, True, 4), **changes)


PROVED = obligation("unsat", "unsat")
OPEN = obligation("sat", "sat")
NOTHING = found("unsat", "unsat", example=False)
FOUND = found("sat", "sat")
KILLED = MutantResult(
    "dropped", "It is dropped.", (question("step", "sat", "sat"),), question("violation-2", "sat", "sat")
)

CASES = {
    "proved": ([PROVED, PROVED], None, [KILLED], Verdict.PROVED, ""),
    "proved, and the search finds nothing": ([PROVED], NOTHING, [], Verdict.PROVED, ""),
    "refuted": ([], FOUND, [], Verdict.REFUTED, "queue 0 has no consumer."),
    "refuted, with open obligations": ([PROVED, OPEN], FOUND, [], Verdict.REFUTED, "queue 0 has no consumer."),
    # Unknown is never a pass.
    "a solver gives up": (
        [PROVED, obligation("unsat", "unknown")],
        NOTHING,
        [KILLED],
        Verdict.UNKNOWN,
        "step: cvc5 said unknown",
    ),
    "both give up": ([obligation("unknown", "unknown")], NOTHING, [], Verdict.UNKNOWN, "step: z3 said unknown"),
    "one finds a model, and the other gives up": (
        [obligation("sat", "unknown")],
        NOTHING,
        [],
        Verdict.UNKNOWN,
        "step: cvc5 said unknown",
    ),
    "a solver crashes": ([obligation("crash", "unsat")], NOTHING, [], Verdict.UNKNOWN, "step: z3 said crash"),
    "neither proof nor counterexample": (
        [OPEN],
        NOTHING,
        [],
        Verdict.UNKNOWN,
        "no proof, and no counterexample with up to 4 consumers",
    ),
    "no obligations": ([], NOTHING, [], Verdict.UNKNOWN, "no proof, and no counterexample with up to 4 consumers"),
    "nothing was asked": ([], None, [], Verdict.UNKNOWN, "no proof, and no counterexample with up to 0 consumers"),
    "the search gives up": (
        [],
        found("unknown", "unsat", example=False, minimal=False),
        [],
        Verdict.UNKNOWN,
        "consumers-2: z3 said unknown",
    ),
    "not shown to be the smallest": (
        [],
        replace(FOUND, minimal=False),
        [],
        Verdict.UNKNOWN,
        "the counterexample was not shown to be the smallest",
    ),
    "models that say nothing": (
        [OPEN],
        replace(NOTHING, minimal=False, gave_up="consumers-3: a model says nothing"),
        [],
        Verdict.UNKNOWN,
        "consumers-3: a model says nothing",
    ),
    "models that say nothing, below the counterexample": (
        [],
        replace(FOUND, minimal=False, gave_up="consumers-1: a model says nothing"),
        [],
        Verdict.UNKNOWN,
        "consumers-1: a model says nothing",
    ),
    "proved, and the search did not come to its end": (
        [PROVED],
        replace(NOTHING, gave_up="it took too long"),
        [KILLED],
        Verdict.UNKNOWN,
        "it took too long",
    ),
    "unknown below the counterexample": (
        [],
        replace(FOUND, questions=(question("consumers-1", "unknown", "unsat"), *FOUND.questions), minimal=False),
        [],
        Verdict.UNKNOWN,
        "consumers-1: z3 said unknown",
    ),
    "not stable": (
        [PROVED, replace(PROVED, unproved=(question("step.variant-3", "unknown", "unsat"),), variants=3)],
        None,
        [KILLED],
        Verdict.UNKNOWN,
        "step is not stable: step.variant-3 in z3: unknown",
    ),
    # A limit was reached.
    "both time out": ([obligation("timeout", "timeout")], NOTHING, [], Verdict.TIMEOUT, "step: z3 said timeout"),
    "one times out": ([obligation("unsat", "timeout")], NOTHING, [], Verdict.TIMEOUT, "step: cvc5 said timeout"),
    "the search times out": (
        [],
        found("timeout", "unsat", example=False, minimal=False),
        [],
        Verdict.TIMEOUT,
        "consumers-2: z3 said timeout",
    ),
    # A proof without teeth.
    "premises that nothing meets": (
        [PROVED, obligation("unsat", "unsat", met=None)],
        None,
        [KILLED],
        Verdict.VACUOUS,
        "step: its assumptions could not be shown satisfiable",
    ),
    "a mutant that is proved too": (
        [PROVED],
        None,
        [KILLED, replace(KILLED, attempts=(question("step", "unsat", "unsat"),))],
        Verdict.VACUOUS,
        "the mutant dropped survives",
    ),
    "a mutant that violates nothing": (
        [PROVED],
        None,
        [replace(KILLED, violation=None)],
        Verdict.VACUOUS,
        "the mutant dropped survives",
    ),
    # Witnesses that contradict each other.
    "one proves, one refutes": (
        [obligation("unsat", "sat")],
        NOTHING,
        [],
        Verdict.DISAGREE,
        "step: z3 says unsat, cvc5 says sat",
    ),
    "one finds a group, one finds none": (
        [],
        found("sat", "unsat"),
        [],
        Verdict.DISAGREE,
        "consumers-2: z3 says sat, cvc5 says unsat",
    ),
    "premises that only one can meet": (
        [obligation("unsat", "unsat", met=("sat", "unsat"))],
        None,
        [],
        Verdict.DISAGREE,
        "step.premises: z3 says sat, cvc5 says unsat",
    ),
    "premises do not replay": (
        [replace(PROVED, replays=False)],
        None,
        [KILLED],
        Verdict.DISAGREE,
        "step: the model of its assumptions does not replay",
    ),
    "a counterexample does not replay": (
        [],
        replace(FOUND, replays=False),
        [],
        Verdict.DISAGREE,
        "a counterexample does not replay on the concrete implementation",
    ),
    "a model without a concrete counterexample": (
        [],
        found("sat", "sat", example=False, replays=False),
        [],
        Verdict.DISAGREE,
        "a counterexample does not replay on the concrete implementation",
    ),
    "proved, yet there is a counterexample": (
        [PROVED],
        FOUND,
        [],
        Verdict.DISAGREE,
        "every obligation is proved, yet there is a counterexample",
    ),
    # The gravest finding decides.
    "a contradiction beside a time-out": (
        [obligation("timeout", "unsat"), obligation("sat", "unsat")],
        NOTHING,
        [],
        Verdict.DISAGREE,
        "step: z3 says sat, cvc5 says unsat",
    ),
    "a contradiction beside a counterexample": (
        [obligation("sat", "unsat")],
        FOUND,
        [],
        Verdict.DISAGREE,
        "step: z3 says sat, cvc5 says unsat",
    ),
    "a time-out beside a crash": (
        [obligation("crash", "crash"), obligation("timeout", "unsat")],
        NOTHING,
        [],
        Verdict.TIMEOUT,
        "step: z3 said timeout",
    ),
}


@pytest.mark.parametrize(("obligations", "search", "mutants", "verdict", "reason"), CASES.values(), ids=CASES)
def test_verdict_follows_from_the_answers(obligations, search, mutants, verdict: Verdict, reason: str) -> None:
    assert judge(obligations, search, mutants) == (verdict, reason)


@pytest.mark.parametrize("outcome", [outcome.value for outcome in Outcome if outcome is not Outcome.UNSAT])
@pytest.mark.parametrize("place", [0, 1])
def test_only_unsat_from_both_solvers_is_proved(outcome: str, place: int) -> None:
    outcomes = ["unsat", "unsat"]
    outcomes[place] = outcome
    verdict, reason = judge([PROVED, obligation(*outcomes)], NOTHING, [KILLED])
    assert verdict is not Verdict.PROVED
    assert reason


def test_refuted_variant_is_a_disagreement() -> None:
    refuted = replace(PROVED, unproved=(question("step.variant-3", "sat", "sat"),), variants=3)
    verdict, reason = judge([refuted], None, [KILLED])
    assert verdict is Verdict.DISAGREE
    assert reason == "step is proved, but not in another wording: step.variant-3 in z3: sat"


def test_reason_without_a_proof_has_the_first_failing_obligation():
    """The end of an induction step that fails: a conjunct may be missing that excludes its state."""
    failing = Question("step", "(check-sat)", (Answer("z3", Outcome.SAT, 0.1, {"held": 0, "pos": 2}),))
    _, reason = judge([PROVED, replace(OPEN, name="arrives", proof=failing)], NOTHING, [])
    assert reason.endswith("with up to 4 consumers. arrives is not proved: it fails for pos = 2, held = 0")
