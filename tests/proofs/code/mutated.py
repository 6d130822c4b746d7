"""Codes with one change in their text, and the solvers' answers to the obligations about them."""

from collections.abc import Mapping
from dataclasses import replace
from types import FunctionType
from typing import Any

from rebalance_proofs.model.allocation.strategy import Allocate, Strategy
from rebalance_proofs.proofs import texts
from rebalance_proofs.proofs.code.claims import subject_of
from rebalance_proofs.proofs.code.obligations import obligations
from rebalance_proofs.proofs.code.statements import Subject
from rebalance_proofs.proofs.solvers import SOLVERS, Outcome


def edited(strategy: Strategy, *changes: tuple[str, str]) -> Subject:
    """The strategy's code with each text replaced; each has to occur exactly once."""
    subject = subject_of(strategy)
    text = subject.code.text
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return replace(subject, code=replace(subject.code, text=text))


def with_names(strategy: Strategy, names: Mapping[str, Any]) -> Subject:
    """The strategy's code with other meanings for some names of its module."""
    subject = subject_of(strategy)
    old = subject.code.function
    function = FunctionType(old.__code__, {**old.__globals__, **names}, old.__name__, old.__defaults__, old.__closure__)
    return replace(subject, code=replace(subject.code, function=function))


def concrete(subject: Subject) -> Allocate:
    """The code, compiled from its text, as a Python function."""
    function = subject.code.function
    names = dict(function.__globals__)
    names |= dict(
        zip(function.__code__.co_freevars, (cell.cell_contents for cell in function.__closure__ or ()), strict=True)
    )
    exec(subject.code.text, names)
    return names[function.__name__]


def unproved(subject: Subject, encoding: Any, solver: str = "z3", only: str = "") -> list[str]:
    """Obligations about the code and this encoding that the solver does not prove; with ``name``, only of that name."""
    found = []
    for step in obligations(subject, encoding):
        asked = step.name == (only or step.name)
        if asked and SOLVERS[solver].solve(texts.proof("test", step, encoding), seconds=20)[0] is not Outcome.UNSAT:
            found.append(step.name)
    return found
