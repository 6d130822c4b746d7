"""Evaluation of terms in many models (assignments of numbers) at once."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np

from rebalance_proofs.model.terms import operators
from rebalance_proofs.model.terms.kernel import divide
from rebalance_proofs.model.terms.operators import BOOL, INT
from rebalance_proofs.model.terms.smt import And, BoolTerm, Numeral, Term
from rebalance_proofs.model.terms.values import ground

Model = Mapping[str, int]
"""Name of an unknown -> its number. Booleans are 0 and 1, and a missing unknown is 0."""

LARGEST = 2**31
"""Largest number in a recorded model.

With larger numbers, products would exceed ``_BOUND``.
"""
_BOUND = 2**62
"""Bound on all intermediate values, so that NumPy's integers are exact."""


class NoValue(Exception):
    """A term cannot be evaluated: it has functions or arrays, or numbers are too large."""


def true_in(model: Model, formulas: Sequence[BoolTerm]) -> bool | None:
    """Return whether all formulas are true in a model, by Python's integers.

    None if that depends on a term that cannot be evaluated: a function, an array, or a division by zero.
    """
    found = ground(And(list(formulas)), model)
    return None if found is None else bool(found)


def _sum(*operands: Any) -> Any:
    return reduce(np.add, operands)


_EVALUATED: Mapping[str, Callable[..., Any]] = {
    operators.ADD: _sum,
    operators.SUB: lambda *operands: reduce(np.subtract, operands),
    operators.MUL: lambda *operands: reduce(np.multiply, operands),
    operators.NEG: np.negative,
    operators.IDIV: divide,
    operators.MOD: lambda x, y: x - y * divide(x, y),
    operators.AND: lambda *operands: reduce(np.logical_and, operands, np.bool_(True)),
    operators.OR: lambda *operands: reduce(np.logical_or, operands, np.bool_(False)),
    operators.NOT: np.logical_not,
    operators.IMPLIES: lambda given, then: np.logical_or(np.logical_not(given), then),
    operators.ITE: np.where,
    operators.EQ: np.equal,
    operators.DISTINCT: np.not_equal,
    operators.LE: np.less_equal,
    operators.LT: np.less,
    operators.GE: np.greater_equal,
    operators.GT: np.greater,
}
_OF_TWO = (operators.IMPLIES, operators.EQ, operators.DISTINCT, operators.LE, operators.LT, operators.GE, operators.GT)


class Evaluated:
    """Models of one subject (strategy or client), and the values of terms in them.

    Shared parts of formulas are evaluated once. Division is as in SMT-LIB, where a division by zero may have any
    value. Its value is taken as 0.
    """

    def __init__(self, models: Iterable[Model] = (), *, learning: bool = False) -> None:
        self.models = list(models)
        self._learning = learning
        self._values: dict[Term, Any] = {}
        self._bounds: dict[Term, int] = {}

    def learn(self, model: Model) -> None:
        """Add a model that a solver found.

        It is ignored if models are not being recorded, or if its numbers are too large.
        """
        if self._learning and max(map(abs, model.values()), default=0) <= LARGEST:
            self.models.append({name: value for name, value in model.items() if value})
            self._values.clear()
            self._bounds.clear()

    def first(self, formulas: Sequence[BoolTerm]) -> Model | None:
        """Return the first model in which all formulas are true; None if there is none.

        Raises ``NoValue`` for a formula that cannot be evaluated.
        """
        true: Any = np.ones(len(self.models), bool)
        for formula in formulas:
            if not true.any():
                return None
            true = true & self._value(formula)
        return self.models[int(np.argmax(true))] if true.any() else None

    def _value(self, term: Term) -> Any:
        waiting = [term]
        while waiting:
            one = waiting[-1]
            if one in self._values:
                waiting.pop()
            elif fresh := [child for child in one.children if child not in self._values]:
                waiting += fresh
            else:
                self._bounds[one] = self._bound(one)
                self._values[one] = self._evaluate(one)
        return self._values[term]

    def _evaluate(self, term: Term) -> Any:
        match term.kind:
            case operators.TRUE | operators.FALSE:
                return np.bool_(term.kind == operators.TRUE)
            case operators.NUMERAL if isinstance(term, Numeral):
                return np.int64(term.number)
            case operators.UNINTERPRETED if not term.children and term.sort in (INT, BOOL):
                values = np.array([model.get(term.name, 0) for model in self.models], np.int64)
                return values if term.sort is INT else values != 0
        if term.kind not in _EVALUATED or (term.kind in _OF_TWO and len(term.children) != 2):
            raise NoValue(f"no value for {term.name}")
        return _EVALUATED[term.kind](*(self._values[child] for child in term.children))

    def _bound(self, term: Term) -> int:
        """Return a bound on the absolute values of the term. Raises ``NoValue`` if it is too large."""
        of = [self._bounds[child] for child in term.children]
        match term.kind:
            case operators.NUMERAL if isinstance(term, Numeral):
                bound = abs(term.number)
            case operators.UNINTERPRETED:
                bound = max((abs(model.get(term.name, 0)) for model in self.models), default=0)
            case operators.ADD | operators.SUB:
                bound = sum(of)
            case operators.MUL:
                bound = reduce(lambda x, y: x * y, of)
            case operators.MOD:
                bound = of[0] + of[1]
            case _:
                bound = max(of, default=0)
        if bound > _BOUND:
            raise NoValue(f"{term.name} of numbers that may be too large")
        return bound
