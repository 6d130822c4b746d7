"""Z3, one of the two solvers."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

import z3

from rebalance_proofs.proofs.smt.text import declared, symbol, values
from rebalance_proofs.proofs.solvers.answer import Outcome, Said, Solver

CORE = "(check-sat-using smt)"
"""Tactic that uses Z3's core without the default preprocessing.

The preprocessing takes up to fifty times as long on a client's terms.
"""
NO_LIMIT = 2**32 - 1
"""Z3's default time limit, in milliseconds."""


def solve(text: str, seed: int = 0, seconds: float | None = None) -> Said:
    """Solve the text in a fresh context, as the ``z3`` program would; see ``Solver.solve``."""
    return _solve(z3.Context(), text, seed, seconds)


def solve_all(texts: Iterable[str], seconds: float | None = None) -> list[Said]:
    """Solve many short texts in one context that is reset in between; see ``Solver.solve_all``."""
    context = z3.Context()  # creating a context takes longer than most scripts
    said = []
    for text in texts:
        _evaluate(context, "(reset)")
        said.append(_solve(context, text, 0, seconds))
    return said


def solutions(text: str, seconds: float) -> Iterator[dict[str, int]]:
    """Yield all models of the text, by excluding each model before the next query.

    Raises ``ValueError`` if the solver gives up, ``Z3Exception`` if it cannot parse the text.
    """
    context = z3.Context()
    names = declared(text)
    more = text
    while True:
        with _limited(context, seconds):
            said = _evaluate(context, more)
        if said != "sat":
            break
        model = _model(context, names)
        yield model
        known = " ".join(f"(= {symbol(name)} {_numeral(value)})" for name, value in model.items())
        more = f"(assert (not (and {known})))(check-sat)"
    if said != "unsat":
        raise ValueError(said)


@contextmanager
def _limited(context: z3.Context, seconds: float | None) -> Iterator[None]:
    """Set a time limit, and reset it at the end.

    Z3 applies the limit of one context to the whole process.
    """
    if seconds is None:
        yield
        return
    try:
        _evaluate(context, f"(set-option :timeout {int(1000 * seconds)})")
        yield
    finally:
        _evaluate(context, f"(set-option :timeout {NO_LIMIT})")


def _solve(context: z3.Context, text: str, seed: int, seconds: float | None) -> Said:
    if seed:
        _evaluate(context, f"(set-option :smt.random_seed {seed})(set-option :sat.random_seed {seed})")
    with _limited(context, seconds):
        said = _evaluate(context, text.replace("(check-sat)", CORE))
    # Anything before the verdict is an error message: Z3 continues after an unknown command, which must not count as an
    # answer.
    if said not in ("sat", "unsat", "unknown"):
        raise ValueError(said or "the text contains no check-sat")
    outcome = Outcome(said)
    if outcome is Outcome.UNKNOWN:
        why = _evaluate(context, "(get-info :reason-unknown)")
        return outcome, {}, why if seconds is None else why.replace("canceled", "timeout")
    names = (*declared(text), *declared(text, "Bool"))
    if outcome is Outcome.UNSAT or not names:
        return outcome, {}, ""
    return outcome, _model(context, names), ""


def _model(context: z3.Context, names: Sequence[str]) -> dict[str, int]:
    found = values(_evaluate(context, f"(get-value ({' '.join(map(symbol, names))}))"))
    return {name: int(value) for name, value in found.items()}


def _numeral(value: int) -> str:
    return str(value) if value >= 0 else f"(- {-value})"


def listener() -> Callable[[str], str]:
    """Return a new solver that takes SMT-LIB commands; see ``Solver.listener``."""
    context = z3.Context()
    return lambda commands: _evaluate(context, commands)


def _evaluate(context: z3.Context, script: str) -> str:
    return z3.Z3_eval_smtlib2_string(context.ref(), script).strip()


Z3 = Solver("z3", z3.get_version_string, solve, solve_all, listener)
