"""One symbolic run of a client's code: the branches it takes, and guards of its terms."""

from collections.abc import Iterator
from typing import TypeVar

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.proofs.code.errors import Unsupported
from rebalance_proofs.proofs.code.loop import Counting, Loop
from rebalance_proofs.proofs.code.turning import Turning

Value = TypeVar("Value")
Turn = tuple[int, tuple[bool, ...]]
"""An iteration: the number of its loop, and the branches taken in it."""


class Run:
    """A symbolic run along one path through the code.

    A condition on unknowns is first decided as true, and as false in a later run. ``prescribed`` are the first
    branches outside of loops. ``skipped`` are iterations in which the code raises, by the number of the loop and the
    branches taken in them: they are not entered, and a guard excludes them.
    """

    def __init__(self, prescribed: tuple[bool, ...] = (), skipped: frozenset[Turn] = frozenset()) -> None:
        self.turning = Turning(prescribed)
        self.guards: list[smt.BoolTerm] = []
        """Guards: conditions that must be true whenever the code takes this path.

        Otherwise the run's terms do not describe the code.
        """
        self.kept: list[smt.BoolTerm] = []
        """List of unknown length -> the condition that it contains a given queue of mqAll."""
        self.loop: Loop | None = None
        """The loop whose iteration is being run; None outside of loops."""
        self._skipped = skipped
        self._loops = 0

    @property
    def condition(self) -> smt.BoolTerm:
        """Return the condition under which the code takes this path."""
        return smt.And(self.turning.literals)

    def decide(self, condition: smt.BoolTerm) -> bool:
        """Choose a branch for the condition.

        Another run, or another iteration of the loop, takes the other branch.
        """
        plain = simplify(condition)
        if smt.is_true(plain) or smt.is_false(plain):
            return smt.is_true(plain)
        known = self.turning.known(condition)
        if known is not None:
            return known
        if self.loop is None:
            return bool(self.turning.decide(condition))  # either answer is allowed
        return self.loop.decide(condition)

    def guard(self, condition: smt.BoolTerm) -> None:
        """Record a condition without which the run's terms do not describe the code.

        Inside a loop, the condition must be true in every iteration.
        """
        local = self.loop.condition if self.loop else smt.BoolVal(True)
        guard = smt.Implies(local, condition)
        if not smt.is_true(simplify(guard)):
            self.guards.append(guard)

    def enter(self, counting: Counting) -> Loop:
        """Begin a loop. Raises ``Unsupported`` inside another loop."""
        if self.loop:
            raise Unsupported("a loop of unknown length inside another")
        self._loops += 1
        skipped = frozenset(answers for number, answers in self._skipped if number == self._loops)
        self.loop = Loop(self, self._loops, counting, skipped)
        return self.loop

    def turns(self, loop: Loop, value: Value) -> Iterator[Value]:
        """Yield ``value`` once for each path through the body of the loop, then end the loop."""
        yield from loop.turns(value)
        self.loop = None
