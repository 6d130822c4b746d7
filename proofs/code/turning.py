"""The answers to conditions in a run, and the answers that other runs must try."""

from collections.abc import Callable

from rebalance_proofs.model.terms import smt

__all__ = ["Turning"]


class Turning:
    """Answers in the order of their conditions; the first ones may be prescribed."""

    def __init__(self, prescribed: tuple[bool, ...] = ()) -> None:
        self._prescribed = prescribed
        self.conditions: list[smt.BoolTerm] = []
        self.answers: tuple[bool, ...] = ()
        self.others: list[tuple[bool, ...]] = []
        """Prefixes that remain to be tried: the answers up to a condition, then its other answer."""

    @property
    def literals(self) -> list[smt.BoolTerm]:
        """The conditions, negated where the answer was False."""
        pairs = zip(self.conditions, self.answers, strict=True)
        return [condition if answer else smt.Not(condition) for condition, answer in pairs]

    def known(self, condition: smt.BoolTerm) -> bool | None:
        """Return the earlier answer to the same condition; None if the condition is new."""
        for earlier, answer in zip(self.conditions, self.answers, strict=True):
            if earlier is condition:
                return answer
        return None

    def decide(
        self, condition: smt.BoolTerm, admitted: Callable[[tuple[bool, ...]], bool] = lambda answers: True
    ) -> bool | None:
        """Return the prescribed answer, or else the first ``admitted`` answer.

        None if neither answer is admitted.
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
