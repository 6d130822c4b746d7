"""Faults around solvers: answers are lost or misread, and compiled terms compute something else."""

from tests.faults.fault import Change, Fault, failing, fault, proving

IDLE = proving("allocation.avg.idle")

FAULTS = (
    fault(
        "one-solver-asked",
        "Pool.ask_all",
        "return tuple(await asyncio.gather(*(self.ask(solver, text, seed) for solver in self.solvers)))",
        "return tuple(await asyncio.gather(*(self.ask(solver, text, seed) for solver in self.solvers[:1])))",
        IDLE,
        "cvc5: proved obligations of proved claims (unsat): 8 required, 0 found",
    ),
    fault(
        "cvc5-unknown-is-unsat",
        "solve",
        "return (Outcome.UNKNOWN, {}, str(result.getUnknownExplanation()))",
        "return (Outcome.UNSAT, {}, str(result.getUnknownExplanation()))",
        IDLE,
        "'solvers: cvc5, an undecided text' failed",
    ),
    fault(
        "z3-unknown-is-unsat",
        "_solve",
        "outcome = Outcome(said)",
        "outcome = Outcome.UNSAT if said == 'unknown' else Outcome(said)",
        IDLE,
        "'solvers: z3, an undecided text' failed",
    ),
    Fault(
        "cvc5-always-unsat",
        (
            Change("solve", "if result.isSat():", "if result.isSat() and False:"),
            Change("solve", "if result.isUnsat():", "if not result.isUnknown():"),
        ),
        IDLE,
        "one-each.free: z3 says sat, cvc5 says unsat",
    ),
    fault(
        "z3-minus-lost",
        "_value",
        "return -int(printed[2:-1]) if printed.startswith('(-') else int(printed)",
        "return int(printed[2:-1]) if printed.startswith('(-') else int(printed)",
        IDLE,
        "'solvers: z3, a number with the wrong sign' failed",
    ),
    fault(
        "contradictions-unseen",
        "Question.outcome",
        "outcomes = {answer.outcome for answer in self.answers}",
        "outcomes = {answer.outcome for answer in self.answers[:1]}",
        IDLE,
        "'verdicts: one solver does not prove a step' failed",
    ),
    fault(
        "models-are-believed",
        "Evaluated.first",
        "true = true & self._value(formula)",
        "self._value(formula)",
        IDLE,
        "'evaluated: a formula is false' failed",
    ),
    fault(
        "spurious-models-count",
        "_true",
        "return next((model for model in models if true_in(model, formulas)), None)",
        "return next((model for model in models if true_in(model, formulas) is not None), None)",
        *failing("tests/proofs/models/test_ask.py::test_spurious_model_is_inconclusive"),
    ),
    fault(
        "an-obligation-fails-where-it-holds",
        "_fails",
        "return list(texts.negated(obligation, encoding, premises=premises).values())",
        "return list(texts.negated(obligation, encoding, premises=premises).values())[:-1]",
        *failing("tests/proofs/mutation/test_ask.py::test_trivially_true_obligation_fails_the_mutation_test[avg]"),
    ),
    fault(
        "an-obligation-fails-outside-its-premises",
        "_broken",
        "found = is_known(name, _fails(obligation, mutant.encoding), known)",
        "found = is_known(name, _fails(obligation, mutant.encoding, premises=False), known)",
        *failing("tests/proofs/mutation/test_ask.py::test_obligation_true_for_any_encoding_must_be_pinned"),
    ),
    fault(
        "kernel-compares-nothing",
        "Rows.compare",
        "for number in sorted(wrong):",
        "for number in ():",
        "enumerate allocation.avg.idle --consumers 4 --queues 4",
        "self-test 'positions: ",
    ),
    fault(
        "kernel-rounds-to-zero",
        "divide",
        "quotient = np.where(y == 0, 0, np.sign(y) * np.floor_divide(x, safe))",
        "quotient = np.where(y == 0, 0, np.sign(y) * np.sign(x) * np.floor_divide(np.abs(x), safe))",
        f"{proving('movement.avg.moved')} --no-width",
        "an instance of a lemma is false: ",
    ),
    fault(
        "kernel-remainder",
        "_Writer._value",
        "return self._assign(f'{parts[0]} - {parts[1]} * {self._divide(*parts)}')",
        "return self._assign(f'{parts[0]} - {parts[1]} * ({self._divide(*parts)} + 1)')",
        IDLE,
        "an instance of a lemma is false: ",
    ),
)
