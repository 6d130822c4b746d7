"""Interface of a solver, and its answers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from time import process_time

from rebalance_proofs.proofs.smt.text import declared, symbol, values


class Outcome(StrEnum):
    """The outcome of a solver query: sat, unsat, or why there is no decision."""

    SAT = "sat"
    UNSAT = "unsat"
    UNKNOWN = "unknown"
    TIMEOUT = "timeout"
    CRASH = "crash"


Said = tuple[Outcome, dict[str, int], str]
"""Outcome, model and reason of an answer, as in ``Answer``."""


@dataclass(frozen=True)
class Answer:
    """One solver's answer to one SMT-LIB text."""

    solver: str
    outcome: Outcome
    seconds: float
    """Wall time in the worker in seconds, parsing included.

    A stored answer has the time of the run that computed it.
    """
    model: Mapping[str, int] = field(default_factory=dict)
    """Values of the declared constants if satisfiable; Booleans are 0 and 1."""
    reason: str = ""
    """The reason if the outcome is unknown, timeout or crash; otherwise empty."""
    kept: bool = False
    """Whether the answer comes from the cache of an earlier run, so that no solver ran.

    See ``proofs.solvers.kept``.
    """


@dataclass(frozen=True)
class Solver:
    """Interface of a solver. Each call reads SMT-LIB 2 text in its own solver context."""

    name: str
    version: Callable[[], str]
    solve: Callable[..., Said]
    """``solve(text, seed=0, seconds=None)``: solve one text.

    It raises an exception for a text that cannot be parsed. Seed 0 is the solver's own default. The solver itself
    observes the limit ``seconds``. For an enforced limit, use ``proofs.solvers.pool``.
    """
    solve_all: Callable[..., list[Said]]
    """``solve_all(texts, seconds=None)``: solve many short texts, with less overhead."""
    listener: Callable[[], Callable[[str], str]]
    """``listener()``: create a solver to which SMT-LIB commands can be sent.

    It is a function that takes commands and returns the printed output.
    """


# Incremental use of a solver: one text, then trial assertions.
# Each assertion is withdrawn before the next one.

Listener = Callable[[str], str]
"""A function that takes SMT-LIB commands and returns what the solver prints."""


@dataclass(frozen=True)
class Covered:
    """Result of ``cover``: which flags (Boolean constants) of a text can be true."""

    models: tuple[Mapping[str, int], ...]
    """Models of the text, as values of its integers.

    Each model makes a flag true that is false in all earlier models.
    """
    left: tuple[str, ...]
    """Flags that are true in no model that was found."""
    last: Answer
    """The solver's answer to the last query: can any flag of ``left`` be true?

    The answer is sat if ``left`` is empty.
    """


def cover(solver: str, listen: Listener, text: str, flags: Sequence[Sequence[str]]) -> Covered:
    """Search for models of the text until every flag, a Boolean constant, is true in some model.

    Each group in ``flags`` has members that exclude each other. The search first tries one flag of every group at once,
    as long as that is satisfiable, and then any flag. Raises ``ValueError`` for a text that cannot be parsed.
    """
    start, models = process_time(), []
    left = [list(group) for group in flags]
    said = listen(text.replace("(check-sat)", "")).strip()
    if said:
        raise ValueError(said)
    together = True
    while any(left):
        wanted = [group[:1] for group in left if group] if together else [[flag for group in left for flag in group]]
        outcome, found = _try(listen, text, wanted)
        if outcome is Outcome.SAT:
            models.append({name: value for name, value in found.items() if not isinstance(value, bool)})
            left = [[flag for flag in group if not found[flag]] for group in left]
        elif together:
            together = False
        else:
            return Covered(tuple(models), _flat(left), Answer(solver, outcome, process_time() - start))
    last = Answer(solver, Outcome.SAT, process_time() - start, models[-1] if models else {})
    return Covered(tuple(models), (), last)


def _flat(groups: Sequence[Sequence[str]]) -> tuple[str, ...]:
    return tuple(flag for group in groups for flag in group)


def _try(listen: Listener, text: str, wanted: Sequence[Sequence[str]]) -> tuple[Outcome, dict[str, int | bool]]:
    """Try whether one flag of each group can be true at once.

    If so, also return the values of all constants.
    """
    trial = [f"(assert (or {' '.join(map(symbol, each))} false))" for each in wanted]
    said = listen("\n".join(["(push 1)", *trial, "(check-sat)"])).strip()
    if said not in ("sat", "unsat", "unknown"):
        raise ValueError(said or "the text contains no check-sat")
    found = {}
    if said == "sat":
        names = (*declared(text), *declared(text, "Bool"))
        found = values(listen(f"(get-value ({' '.join(map(symbol, names))}))"))
    listen("(pop 1)")
    return Outcome(said), found
