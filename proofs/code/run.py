"""One run of a client's code on symbolic values: which way it went at every condition, and on what that rests."""

from collections.abc import Iterator
from typing import TypeVar

import z3

from rebalance_proofs.proofs.code.errors import Unsupported
from rebalance_proofs.proofs.code.loop import Counting, Loop
from rebalance_proofs.proofs.code.turning import Turning

__all__ = ["Run"]


Value = TypeVar("Value")
Turn = tuple[int, tuple[bool, ...]]
"""Of a loop: its number, and the answers in the turn."""


class Run:
    """Each condition is asked once and then known; where nothing is prescribed, the answer is yes and no comes later.

    ``prescribed`` are the first answers outside of loops. ``skipped`` are turns of loops, by the loop's number and the
    answers in it, in which the code raises: they are not gone into, and that none of them is met is a guard.
    """

    def __init__(self, prescribed: tuple[bool, ...] = (), skipped: frozenset[Turn] = frozenset()) -> None:
        self.turning = Turning(prescribed)
        self.guards: list[z3.BoolRef] = []
        """What must hold whenever the run takes this way, or else the terms do not say what the code does."""
        self.kept: list[z3.BoolRef] = []
        """Of each list whose length is an unknown: which of mqAll's queues are put into it."""
        self.loop: Loop | None = None
        """The loop whose turn is being run."""
        self._skipped = skipped
        self._loops = 0

    @property
    def condition(self) -> z3.BoolRef:
        """Under which the code goes this way."""
        return z3.And(self.turning.literals)

    def decide(self, condition: z3.BoolRef) -> bool:
        """Which way to go; both ways are gone in some run, or in some turn of the loop."""
        plain = z3.simplify(condition)
        if z3.is_true(plain) or z3.is_false(plain):
            return z3.is_true(plain)
        known = self.turning.known(condition)
        if known is not None:
            return known
        if self.loop is None:
            return bool(self.turning.decide(condition))  # either answer is admitted
        return self.loop.decide(condition)

    def guard(self, condition: z3.BoolRef) -> None:
        """The terms say what the code does only if this holds, in every turn where it is in a loop."""
        local = self.loop.condition if self.loop else z3.BoolVal(True)
        guard = z3.Implies(local, condition)
        if not z3.is_true(z3.simplify(guard)):
            self.guards.append(guard)

    def enter(self, counting: Counting) -> Loop:
        """Begins a loop. Raises ``Unsupported`` inside another."""
        if self.loop:
            raise Unsupported("a loop of unknown length inside another")
        self._loops += 1
        skipped = frozenset(answers for number, answers in self._skipped if number == self._loops)
        self.loop = Loop(self, self._loops, counting, skipped)
        return self.loop

    def turns(self, loop: Loop, value: Value) -> Iterator[Value]:
        """The value, once for each way through the body of the loop that was begun; then the loop is over."""
        yield from loop.turns(value)
        self.loop = None
