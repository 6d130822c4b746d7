"""Interface between a symbolic value and the symbolic run that uses it."""

from collections.abc import Callable
from typing import Protocol

from rebalance_proofs.model.terms import smt

# Error for client code that symbolic execution does not support.


class Unsupported(TypeError):
    """The code uses an operation that is undefined for symbolic values.

    No claim is made about such code.
    """


# The branches that a symbolic run takes, and those that later runs must take.


class Turning:
    """The branches of a run: a truth value for each condition, in order.

    The first ones may be prescribed.
    """

    def __init__(self, prescribed: tuple[bool, ...] = ()) -> None:
        self._prescribed = prescribed
        self.conditions: list[smt.BoolTerm] = []
        self.answers: tuple[bool, ...] = ()
        self.others: list[tuple[bool, ...]] = []
        """Beginnings of later runs: the branches up to some condition, then its other branch."""

    @property
    def literals(self) -> list[smt.BoolTerm]:
        """Return the conditions on the run's path, negated where the run decided False."""
        pairs = zip(self.conditions, self.answers, strict=True)
        return [condition if answer else smt.Not(condition) for condition, answer in pairs]

    def known(self, condition: smt.BoolTerm) -> bool | None:
        """Return the earlier decision about an equal condition; None if the condition is new."""
        for earlier, answer in zip(self.conditions, self.answers, strict=True):
            if earlier is condition:
                return answer
        return None

    def decide(
        self, condition: smt.BoolTerm, admitted: Callable[[tuple[bool, ...]], bool] = lambda answers: True
    ) -> bool | None:
        """Return the prescribed decision, or else the first decision that ``admitted`` allows.

        None if neither is allowed.
        """
        place = len(self.answers)
        if place < len(self._prescribed):
            answer = self._prescribed[place]
        else:
            possible = [answer for answer in (True, False) if admitted((*self.answers, answer))]
            if not possible:
                return None
            answer, *rest = possible
            self.others += [(*self.answers, other) for other in rest]
        self.conditions.append(condition)
        self.answers = (*self.answers, answer)
        return answer


class Asking(Protocol):
    """A run that decides conditions on unknown values, and collects guards.

    A guard is a condition without which the run's terms do not describe the code.
    """

    def decide(self, condition: smt.BoolTerm) -> bool:
        """Choose whether the condition on unknown values is true on this path."""

    def guard(self, condition: smt.BoolTerm) -> None:
        """Record a guard: a condition without which the run's terms do not describe the code."""
