"""A class of the client's beside a machine: where it keeps the machine's fields, and what it does of the actions.

A refinement map: a state of the machine is put into an object of the class, one of its methods is called, and the state
is read out of it. What no client keeps, the machine's own actions say.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from rebalance_proofs.model.machine.machine import Machine
from rebalance_proofs.model.machine.record import C, L, S, V, ghosts
from rebalance_proofs.model.machine.values import Bool, Value, truth
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
    form: Callable[[S, L], Bool] = lambda state, limits: True
    """``form(state, limits)``: what is so of every state that an object can be in, whatever happens, and of limits."""
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
    call, ghostly = code.calls.get(name), ghosts(machine.state)
    alone, kept = call is None or name in code.unguarded, dict[str, Value]()
    if call is not None and not alone:
        call(made, state, choices)
    if alone or ghostly:
        guard, changes = machine.step(name, variant, state, choices, limits)
        need(truth(guard) or not alone)
        kept = {one: changes[one] for one in ghostly if one in changes}
    if call is not None and alone:
        call(made, state, choices)
    return state.but(**kept, **code.seen(made))
