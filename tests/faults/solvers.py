"""Faults around solvers: answers are lost or misread, and compiled terms compute something else."""

from tests.faults.fault import Change, Fault, failing, fault, proving

IDLE = proving("allocation.avg.idle")

FAULTS = (
    fault(
        "one-solver-asked",
        "proofs/solvers/pool.py",
        "for solver in self.solvers)))",
        "for solver in self.solvers[:1])))",
        IDLE,
        "cvc5: proved obligations of proved claims (unsat): 8 required, 0 found",
    ),
    fault(
        "cvc5-unknown-is-unsat",
        "proofs/solvers/cvc5_.py",
        "    return Outcome.UNKNOWN, {}, str(",
        "    return Outcome.UNSAT, {}, str(",
        IDLE,
        "'solvers: cvc5, an undecided text' failed",
    ),
    fault(
        "z3-unknown-is-unsat",
        "proofs/solvers/z3_.py",
        "    outcome = Outcome(said)\n",
        '    outcome = Outcome.UNSAT if said == "unknown" else Outcome(said)\n',
        IDLE,
        "'solvers: z3, an undecided text' failed",
    ),
    Fault(
        "cvc5-always-unsat",
        (
            Change("proofs/solvers/cvc5_.py", "    if result.isSat():", "    if result.isSat() and False:"),
            Change("proofs/solvers/cvc5_.py", "    if result.isUnsat():", "    if not result.isUnknown():"),
        ),
        IDLE,
        "one-each.free: z3 says sat, cvc5 says unsat",
    ),
    fault(
        "z3-minus-lost",
        "proofs/smt/text.py",
        "    return -int(printed[2:-1]) if",
        "    return int(printed[2:-1]) if",
        IDLE,
        "'solvers: z3, a number with the wrong sign' failed",
    ),
    fault(
        "contradictions-unseen",
        "proofs/question.py",
        "        outcomes = {answer.outcome for answer in self.answers}",
        "        outcomes = {answer.outcome for answer in self.answers[:1]}",
        IDLE,
        "'verdicts: one solver does not prove a step' failed",
    ),
    fault(
        "models-are-believed",
        "proofs/models/evaluated.py",
        "            true = true & self._value(formula)\n",
        "            self._value(formula)\n",
        IDLE,
        "'evaluated: a formula is false' failed",
    ),
    fault(
        "spurious-models-count",
        "proofs/models/ask.py",
        "model for model in models if true_in(model, formulas))",
        "model for model in models if true_in(model, formulas) is not None)",
        *failing("tests/proofs/models/test_ask.py::test_spurious_model_is_inconclusive"),
    ),
    fault(
        "an-obligation-fails-where-it-holds",
        "proofs/mutation/ask.py",
        "negated(obligation, encoding, premises=premises).values())",
        "negated(obligation, encoding, premises=premises).values())[:-1]",
        *failing("tests/proofs/mutation/test_ask.py::test_trivially_true_obligation_fails_the_mutation_test[avg]"),
    ),
    fault(
        "an-obligation-fails-outside-its-premises",
        "proofs/mutation/ask.py",
        "        found = is_known(name, _fails(obligation, mutant.encoding), known)",
        "        found = is_known(name, _fails(obligation, mutant.encoding, premises=False), known)",
        *failing("tests/proofs/mutation/test_ask.py::test_obligation_true_for_any_encoding_must_be_pinned"),
    ),
    fault(
        "kernel-compares-nothing",
        "spark_enum/allocation/compiled.py",
        "        for number in sorted(wrong):",
        "        for number in ():",
        "enumerate allocation.avg.idle --consumers 4 --queues 4",
        "self-test 'positions: ",
    ),
    fault(
        "kernel-rounds-to-zero",
        "model/terms/kernel.py",
        "np.sign(y) * np.floor_divide(x, safe))",
        "np.sign(y) * np.sign(x) * np.floor_divide(np.abs(x), safe))",
        f"{proving('movement.avg.moved')} --no-width",
        "an instance of a lemma is false: ",
    ),
    fault(
        "kernel-remainder",
        "model/terms/kernel.py",
        'f"{parts[0]} - {parts[1]} * {self._divide(*parts)}"',
        'f"{parts[0]} - {parts[1]} * ({self._divide(*parts)} + 1)"',
        IDLE,
        "an instance of a lemma is false: ",
    ),
)
