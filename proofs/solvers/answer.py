"""Interface of a solver, and its answers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Outcome(StrEnum):
    """The outcome of one text."""

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
    """Seconds of wall time in the worker, parsing included; for a kept answer, in the run that asked for it."""
    model: Mapping[str, int] = field(default_factory=dict)
    """Values of the declared constants if satisfiable; truth values are 0 and 1."""
    reason: str = ""
    """The reason if the outcome is unknown, timeout or crash."""
    kept: bool = False
    """Whether the answer is that of an earlier run, so that no solver was asked; see ``proofs.solvers.kept``."""


@dataclass(frozen=True)
class Solver:
    """A solver that reads SMT-LIB 2 text in a context of its own."""

    name: str
    version: Callable[[], str]
    solve: Callable[..., Said]
    """``solve(text, seed=0, seconds=None)``; raises for a text that cannot be read.

    Seed 0 is the solver's own default. ``seconds`` is a limit that the solver itself must keep; for a limit that is
    enforced, ask through ``proofs.solvers.pool``.
    """
    solve_all: Callable[..., list[Said]]
    """``solve_all(texts, seconds=None)``: the same for many short texts, with less overhead."""
    listener: Callable[[], Callable[[str], str]]
    """Makes a new solver: a function that takes SMT-LIB commands and returns the printed output."""
