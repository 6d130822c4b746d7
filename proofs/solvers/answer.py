"""What a solver is, and what it can answer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Outcome(StrEnum):
    """The answer to one text."""

    SAT = "sat"
    UNSAT = "unsat"
    UNKNOWN = "unknown"
    TIMEOUT = "timeout"
    CRASH = "crash"


Said = tuple[Outcome, dict[str, int], str]
"""Outcome, model and reason, as in ``Answer``."""


@dataclass(frozen=True)
class Answer:
    """One solver's answer to one text."""

    solver: str
    outcome: Outcome
    seconds: float
    """Wall time in the worker, parsing included; of an answer that is kept, in the run that asked for it."""
    model: Mapping[str, int] = field(default_factory=dict)
    """Values of the declared constants when satisfiable."""
    reason: str = ""
    """Why it is unknown, timed out or crashed."""
    kept: bool = False
    """An earlier run was given it, and no solver was asked for it in this one; see ``proofs.solvers.kept``."""


@dataclass(frozen=True)
class Solver:
    """A solver that reads SMT-LIB 2 text in a context of its own."""

    name: str
    version: Callable[[], str]
    solve: Callable[..., Said]
    """``solve(text, seed=0, seconds=None)``; raises for a text that cannot be read.

    Seed 0 is the solver's own default. ``seconds`` is a limit that the solver is trusted to keep; where it must not be
    trusted, ask through ``proofs.solvers.pool``.
    """
    solve_all: Callable[..., list[Said]]
    """``solve_all(texts, seconds=None)``: the same for many short texts, with less ado in between."""
    listener: Callable[[], Callable[[str], str]]
    """A new solver that takes SMT-LIB commands, and gives what it prints."""
