"""Symbolic numbers and truth values for running the client's code."""

from typing import NoReturn

from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.code.run import Asking, Unsupported


class Silent:
    """Base of symbolic values that do not support comparison, hash or text.

    These raise, because Python's defaults would use object identity.
    """

    def __eq__(self, other: object) -> bool:
        raise self._unsaid("a comparison")

    def __ne__(self, other: object) -> bool:
        raise self._unsaid("a comparison")

    def __hash__(self) -> int:
        raise self._unsaid("a set or a dictionary")

    def __str__(self) -> str:
        raise self._unsaid("a text")

    def __repr__(self) -> str:
        raise self._unsaid("a text")

    def __format__(self, how: str) -> str:
        raise self._unsaid("a text")

    def _unsaid(self, where: str) -> Unsupported:
        return Unsupported(f"{self.WHAT} in {where}")

    WHAT = "an unknown value"


class Truth(Silent):
    """A symbolic condition.

    Evaluating its truth value branches the run: a later run takes the other branch.
    """

    WHAT = "an unknown truth value"

    def __init__(self, run: Asking, condition: smt.BoolTerm) -> None:
        self._run, self.condition = run, condition

    def __bool__(self) -> bool:
        return self._run.decide(self.condition)


class Number(Silent):
    """A symbolic integer.

    Floor division and remainder agree with SMT-LIB's for positive divisors, which a guard requires.
    """

    WHAT = "an unknown number"

    def __init__(self, run: Asking, value: smt.IntTerm) -> None:
        self.run, self.term = run, value

    def __add__(self, other: object) -> "Number":
        return Number(self.run, self.term + term(other))

    def __radd__(self, other: object) -> "Number":
        return Number(self.run, term(other) + self.term)

    def __sub__(self, other: object) -> "Number":
        return Number(self.run, self.term - term(other))

    def __rsub__(self, other: object) -> "Number":
        return Number(self.run, term(other) - self.term)

    def __mul__(self, other: object) -> "Number":
        return Number(self.run, self.term * term(other))

    def __rmul__(self, other: object) -> "Number":
        return Number(self.run, term(other) * self.term)

    def __neg__(self) -> "Number":
        return Number(self.run, -self.term)

    def __floordiv__(self, other: object) -> "Number":
        return Number(self.run, self.term / self._divisor(other))

    def __mod__(self, other: object) -> "Number":
        return Number(self.run, self.term % self._divisor(other))

    def _divisor(self, other: object) -> smt.IntTerm:
        divisor = term(other)
        self.run.guard(divisor > 0)
        return divisor

    def __lt__(self, other: object) -> Truth:
        return Truth(self.run, self.term < term(other))

    def __le__(self, other: object) -> Truth:
        return Truth(self.run, self.term <= term(other))

    def __gt__(self, other: object) -> Truth:
        return Truth(self.run, self.term > term(other))

    def __ge__(self, other: object) -> Truth:
        return Truth(self.run, self.term >= term(other))

    def __eq__(self, other: object) -> bool | Truth:  # type: ignore[override]  # the result is symbolic
        return Truth(self.run, self.term == term(other))

    def __ne__(self, other: object) -> bool | Truth:  # type: ignore[override]  # the result is symbolic
        return Truth(self.run, self.term != term(other))

    def __bool__(self) -> bool:
        return self.run.decide(self.term != 0)

    def __index__(self) -> NoReturn:
        raise Unsupported("an unknown number where Python needs a concrete one")

    __hash__ = Silent.__hash__  # __eq__ would set it to None


def term(value: object) -> smt.IntTerm:
    """Return the value as a term. Raises ``Unsupported`` for anything other than an integer."""
    if isinstance(value, Number):
        return value.term
    if type(value) is int:
        return smt.IntVal(value)
    raise Unsupported(f"an unknown number together with a {type(value).__name__}")
