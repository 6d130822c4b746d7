"""A class of the client's beside a machine: where it keeps the machine's fields, and what it does of the actions.

A refinement map: a state of the machine is put into an object of the class, one of its methods is called, and the state
is read out of it. What no client keeps, the machine's own actions say.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from rebalance_proofs.model.machine.machine import Machine
from rebalance_proofs.model.machine.record import C, L, S, V, ghosts
from rebalance_proofs.model.machine.values import Bool, truth
from rebalance_proofs.model.possible import need

__all__ = ["Code", "does"]

Object = TypeVar("Object")


@dataclass(frozen=True)
class Code(Generic[S, C, L, Object]):
    """Of one class."""

    made: Callable[[L], Object]
    """A new object."""
    put: Callable[[Object, S, C], None]
    """``put(object, state, choices)``: the state into the object's own variables."""
    seen: Callable[[Object], Mapping[str, int]]
    """The fields of the state that are not ghosts, out of them, as the object sees them; those that are left out are as
    before."""
    calls: Mapping[str, Callable[[Object, S, C], object]]
    """``calls[action](object, state, choices)``: raises ``Impossible`` where the object does not do that then. Of an
    action that is not here the class knows nothing."""
    unguarded: frozenset[str] = field(default_factory=frozenset)
    """Actions whose method can be called at any time: the machine alone says when it is."""
    fits: Callable[[S], Bool] = lambda state: True
    """``fits(state)``: whether an object can be in that state at all, whatever its numbers are."""
    several: Callable[[L, Sequence[int]], Sequence[Object]] | None = None
    """``several(limits, numbers)``: new objects that share what is the broker's, each with the number by which it is
    known there (``model.machine.copies``)."""

    asks: Mapping[str, Callable[[Object], bool]] = field(default_factory=dict)
    """By name, the other parts of an encoding (``Machine.parts``) that an object can be asked."""

    def objects(self, limits: L, numbers: Sequence[int]) -> Sequence[Object]:
        """One for each number."""
        return self.several(limits, numbers) if self.several else [self.made(limits) for _ in numbers]


def does(
    machine: Machine[S, C, L, V],
    code: Code[S, C, L, Object],
    variant: V,
    made: Object,
    name: str,
    state: S,
    choices: C,
    limits: L,
) -> S:
    """The state after the action as the code has it. Raises ``Impossible`` where the code does not do that."""
    call, turn = code.calls.get(name), None
    if call is None or name in code.unguarded:
        turn = machine.turn(name, variant, state, choices, limits)
        need(truth(turn.can))
    if call is not None:
        call(made, state, choices)
    if not ghosts(machine.state):
        return state.but(**code.seen(made))
    # Where the code does not do it, nobody has to know what the machine says.
    turn = turn or machine.turn(name, variant, state, choices, limits)
    return state.but(**{one: getattr(turn.after, one) for one in ghosts(machine.state)}, **code.seen(made))
