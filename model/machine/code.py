"""Refinement map: how a class of the client's code implements a machine.

It says where an object of the class keeps the machine's fields, and which method performs which action. To run an
action in a state, the state is written into an object, the method is called, and the successor state is read out of the
object. Ghost fields, which no client keeps, take their values from the machine's own actions.
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
    """Refinement map of one class."""

    made: Callable[[L], Object]
    """``made(limits)``: a new object."""
    put: Callable[[Object, S, C], None]
    """``put(object, state, choices)``: writes the state into the object's own variables."""
    seen: Callable[[Object], Mapping[str, int]]
    """``seen(object)``: reads the state's fields out of the object, except ghosts. Fields that are left out keep their
    values."""
    calls: Mapping[str, Callable[[Object, S, C], object]]
    """``calls[action](object, state, choices)``: calls the action's method; raises ``Impossible`` if the object cannot
    perform it in that state. Actions that are missing here are unknown to the class: the machine alone performs
    them."""
    unguarded: frozenset[str] = field(default_factory=frozenset)
    """Actions whose method can be called at any time: only the machine's guard says when they are possible."""
    form: Callable[[S, L], Bool] = lambda state, limits: True
    """``form(state, limits)``: a condition on the limits and on every state in which an object can be, whatever
    happens."""
    several: Callable[[L, Sequence[int]], Sequence[Object]] | None = None
    """``several(limits, numbers)``: new objects that share the broker's state, each with the number by which the broker
    knows it (``model.machine.copies``)."""

    asks: Mapping[str, Callable[[Object], bool]] = field(default_factory=dict)
    """The encoding's other parts (``Machine.parts``) that an object can answer, by name."""

    def objects(self, limits: L, numbers: Sequence[int]) -> Sequence[Object]:
        """New objects, one for each number."""
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
    """The action's successor state by the code. Raises ``Impossible`` if the code does not perform the action there."""
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
