"""Compilation of an SMT term to a NumPy function (a kernel).

So the term that is proved is also the term that runs. The term becomes straight-line Python with one statement for each
distinct subterm, so nothing is computed twice. Division is SMT-LIB's: the remainder is never negative. Division by zero
may have any result (here quotient 0).
"""

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rebalance_proofs.model.terms import operators, smt
from rebalance_proofs.model.terms.smt import Numeral, Term
from rebalance_proofs.model.terms.values import quotient

Kernel = Callable[..., tuple[np.ndarray, ...]]
"""A compiled function: its arguments are integers or integer arrays, one per unknown.

The shapes of the arrays broadcast. It returns one array per term.
"""

_INFIX = {
    operators.LE: "<=",
    operators.LT: "<",
    operators.GE: ">=",
    operators.GT: ">",
    operators.EQ: "==",
    operators.ADD: "+",
    operators.SUB: "-",
    operators.MUL: "*",
    operators.AND: "&",
    operators.OR: "|",
}


def compile_kernel(names: Sequence[str], *terms: Term) -> Kernel:
    """Compile terms to a NumPy function of their integer unknowns ``names``.

    Arithmetic uses the arrays' own integer type, or a wider one: the caller chooses a type that holds all
    intermediate values. A term without unknowns gives a single number. Raises ``ValueError`` for an unknown that is
    not in ``names``, or for an operator without translation.
    """
    return _compiled(kernel_source(names, *terms), np, divide)


def compile_exact(names: Sequence[str], *terms: Term) -> Callable[..., tuple[int | bool, ...]]:
    """Compile terms to a function of Python integers of any size.

    It returns one integer or bool per term. Raises ``ValueError`` like ``compile_kernel``.
    """
    return _compiled(kernel_source(names, *terms), _Exact, _divide_exactly)


def _compiled(source: str, np: object, divide: Callable[..., Any]) -> Callable[..., Any]:
    space: dict[str, Any] = {"np": np, "divide": divide}
    exec(compile(source, "<kernel>", "exec"), space)
    kernel: Callable[..., Any] = space["kernel"]
    return kernel


class _Exact:
    """NumPy's functions that kernels call, implemented for Python's own integers of any size."""

    bool_ = staticmethod(bool)
    logical_not = staticmethod(operator.not_)

    @staticmethod
    def where(condition: bool, then: int, otherwise: int) -> int:
        return then if condition else otherwise


def _divide_exactly(x: int, y: int) -> int:
    return quotient(x, y) if y else 0


def kernel_source(names: Sequence[str], *terms: Term) -> str:
    """Return the Python source of the compiled function, for people to read."""
    writer = _Writer(names)
    results = [writer.value(term) for term in terms]
    arguments = ", ".join(f"a{place}" for place in range(len(names)))
    lines = [f"# {', '.join(f'a{place} = {name}' for place, name in enumerate(names))}"]
    lines += [f"def kernel({arguments}):", *(f"    {line}" for line in writer.lines)]
    return "\n".join([*lines, f"    return ({', '.join(results)}{',' * bool(results)})"]) + "\n"


def unknowns(term: Term) -> set[str]:
    """Return the names of the term's unknowns."""
    return {one.name for one in smt.subterms(term) if one.kind == operators.UNINTERPRETED and not one.children}


def divide(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return SMT-LIB's ``div`` of two arrays."""
    quotient: np.ndarray
    if np.all(np.asarray(y) > 0):
        quotient = np.floor_divide(x, y)
        return quotient
    safe = np.where(y == 0, 1, np.abs(y))
    quotient = np.where(y == 0, 0, np.sign(y) * np.floor_divide(x, safe))
    return quotient


class _Writer:
    def __init__(self, names: Sequence[str]) -> None:
        self.lines: list[str] = []
        self._arguments = {name: f"a{place}" for place, name in enumerate(names)}
        self._values: dict[str, str] = {}
        self._done: dict[Term, str] = {}

    def value(self, term: Term) -> str:
        """Return the variable name or literal for the term's value in the kernel's source."""
        for one in smt.subterms(term):
            if one not in self._done:
                self._done[one] = self._value(one)
        return self._done[term]

    def _value(self, term: Term) -> str:
        kind = term.kind
        if not term.children:
            return self._leaf(term)
        parts = [self._done[child] for child in term.children]
        match kind:
            case operators.ITE:
                return self._assign(f"np.where({', '.join(parts)})")
            case operators.IDIV:
                return self._divide(*parts)
            case operators.MOD:
                return self._assign(f"{parts[0]} - {parts[1]} * {self._divide(*parts)}")
            case operators.NOT:
                return self._assign(f"np.logical_not({parts[0]})")
            case operators.NEG:
                return self._assign(f"-{parts[0]}")
            case operators.IMPLIES:
                return self._assign(f"np.logical_not({parts[0]}) | {parts[1]}")
            case operators.DISTINCT if len(parts) == 2:
                return self._assign(f"{parts[0]} != {parts[1]}")
        if kind not in _INFIX:
            raise ValueError(f"no translation for {term.name}")
        return self._assign(f" {_INFIX[kind]} ".join(parts))

    def _leaf(self, term: Term) -> str:
        if isinstance(term, Numeral):
            return f"({term.number})"
        match term.kind:
            case operators.TRUE | operators.AND:  # an empty conjunction
                return "np.bool_(True)"
            case operators.FALSE | operators.OR:
                return "np.bool_(False)"
        if term.name not in self._arguments:
            raise ValueError(f"the kernel has no argument {term.name!r}")
        return self._arguments[term.name]

    def _divide(self, x: str, y: str) -> str:
        return self._assign(f"divide({x}, {y})")

    def _assign(self, expression: str) -> str:
        if expression not in self._values:
            self._values[expression] = f"t{len(self._values)}"
            self.lines.append(f"{self._values[expression]} = {expression}")
        return self._values[expression]
