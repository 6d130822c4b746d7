"""Interface of a solver, and its answers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum


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
